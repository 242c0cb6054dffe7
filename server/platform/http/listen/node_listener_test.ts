import assert from "node:assert/strict";
import { memoryLog } from "../../../../dev/testing/memory_log.ts";
import { listenNode } from "./node_listener.ts";
import { get, HEAD, send, SHORT, TIMEOUT_MS, untilClosed, withListener } from "./testing/sockets.ts";

const unreadable: [name: string, request: string, status: number][] = [
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    400,
  ],
  ["not HTTP", "HELO localhost\r\n\r\n", 400],
  ["headers without end", `${HEAD}X-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["headers that never come", HEAD, 408],
];
for (const [name, request, status] of unreadable) {
  Deno.test(`a malformed request (${name}) gets ${status} with JSON and no-store`, () =>
    withListener({ limits: SHORT }, async (port) => {
      const response = await untilClosed(await send(port, request));
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(response, /\r\nCache-Control: no-store\r\n/);
      assert.equal(JSON.parse(response.split("\r\n\r\n")[1]!).success, false);
    }));
}

const targets = [
  "GET /wp-json/cfbe/v1/form-token\\ HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET * HTTP/1.1",
  "GET http:// HTTP/1.1",
  "GET http://h:99999/wp-json/cfbe/v1/form-token HTTP/1.1",
  "POST http://h:99999/wp-json/cfbe/v1/subscribe HTTP/1.1",
  "CONNECT example.com:443 HTTP/1.1",
];
for (const line of targets) {
  Deno.test(`${line} gets what any malformed request gets`, () =>
    withListener({ limits: SHORT }, async (port) => {
      const malformed = await untilClosed(await send(port, "HELO localhost\r\n\r\n"));
      const response = await untilClosed(await send(port, `${line}\r\nHost: localhost\r\n\r\n`));
      assert.match(malformed, /^HTTP\/1.1 400 [^]*"success":false/);
      // The order of headers and the case of their names mean nothing, and Date may be there.
      const parts = (text: string) => {
        const [head, body] = text.split("\r\n\r\n");
        const [status, ...headers] = head!.split("\r\n");
        const names = headers.map((header) => header.toLowerCase()).filter((header) =>
          !header.startsWith("date:")
        );
        return { status, headers: names.sort(), body };
      };
      assert.deepEqual(parts(response), parts(malformed));
    }));
}

Deno.test("a request that could not be handled at all gets an error as JSON that no cache stores", () =>
  withListener({ limits: SHORT, handle: () => Promise.reject(new Error("broken")) }, async (port) => {
    const response = await untilClosed(await send(port, `${HEAD}Connection: close\r\n\r\n`));
    assert.match(response, /^HTTP\/1.1 503 /);
    assert.match(response, /\r\ncache-control: no-store\r\n/i);
    assert.equal(JSON.parse(response.split("\r\n\r\n")[1]!).success, false);
  }));

Deno.test("a request with an expectation that nobody knows is answered like any other", () =>
  withListener({ handle: () => Promise.resolve(new Response("answered")) }, async (port) => {
    const response = await untilClosed(await send(port, `${HEAD}Expect: foo\r\nConnection: close\r\n\r\n`));
    assert.match(response, /^HTTP\/1.1 200 /);
    assert.match(response, /answered$/);
  }));

Deno.test("a client that ends its side after its request gets the response, and is then disconnected", async () => {
  const request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc";
  let answer = () => {};
  let arrived = () => {};
  const handle = async (incoming: Request) => {
    const body = await incoming.text();
    const answered = new Promise<void>((resolve) => answer = resolve);
    arrived();
    await answered;
    return new Response(`read ${body}`);
  };
  await withListener({ handle }, async (port) => {
    const reached = new Promise<void>((resolve) => arrived = resolve);
    const connection = await send(port, request);
    await connection.closeWrite();
    const response = untilClosed(connection);
    await reached;
    // Long enough that the server has seen the end of the client's side.
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer();
    assert.match(await response, /^HTTP\/1.1 200 [^]*read abc$/);
  });
});

Deno.test("a client that ends its side within its request is disconnected, and its body breaks off", () => {
  const ended = Promise.withResolvers<string>();
  const handle = async (request: Request) => {
    ended.resolve(await request.text().catch(() => "broken off"));
    return new Response();
  };
  return withListener({ handle }, async (port) => {
    const connection = await send(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc");
    await connection.closeWrite();
    assert.equal(await untilClosed(connection), "");
    assert.equal(await ended.promise, "broken off");
  });
});

for (const [what, text] of [["nothing", ""], ["half a request", HEAD]] as const) {
  Deno.test(`a client that ends its side after ${what} is disconnected`, () =>
    withListener({}, async (port) => {
      const connection = await send(port, text);
      await connection.closeWrite();
      assert.doesNotMatch(await untilClosed(connection), /^HTTP\/1.1 200 /);
    }));
}

Deno.test("a client that disconnects while it waits leaves no connection behind", async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const handle = async () => {
    begun.resolve();
    await answer.promise;
    return new Response("hello");
  };
  // Shutting down waits for every connection with a request.
  await withListener({ handle }, async (port) => {
    const connection = await send(port, `${HEAD}\r\n`);
    await begun.promise;
    connection.close();
    answer.resolve();
  });
});

for (
  const [what, text] of [
    ["sends nothing", ""],
    ["never ends its headers", `${HEAD}X-Slow: `],
    ["never ends its body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"],
    ["sends one request and then nothing", `${HEAD}\r\n`],
  ] as const
) {
  Deno.test(`a connection that ${what} is closed`, () =>
    withListener(
      {
        limits: SHORT,
        handle: async (request) => new Response(await request.text().catch(() => "broken off")),
      },
      async (port) => void await untilClosed(await send(port, text)),
    ));
}

Deno.test("a body is read whole, whether it comes with its headers, in pieces, after another or not at all", () => {
  const handle = async (request: Request) =>
    new Response(request.url.endsWith("/unread") ? "unread" : `read ${(await request.text()).length}`);
  const post = (body: string, { path = "/", headers = "" } = {}) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
  const chunked =
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
  const inPieces = post("abcdef");
  const long = post("x".repeat(200_000), { headers: "Connection: close\r\n" });
  return withListener({ handle }, async (port) => {
    const connection = await send(port, post("a") + post("abc", { path: "/unread" }) + post("") + chunked);
    const write = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    };
    await write(inPieces.slice(0, -4));
    // Long enough that the rest arrives on its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await write(inPieces.slice(-4));
    // Slightly more than is read from a socket at once.
    await write(post("y".repeat(65_500)) + long);
    const [, ...bodies] = (await untilClosed(connection)).split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/);
    assert.deepEqual(bodies, ["read 1", "unread", "read 0", "read 2", "read 6", "read 65500", "read 200000"]);
  });
});

Deno.test("a client that does not read its response is disconnected", () => {
  let cancelled = () => {};
  const stopped = new Promise<void>((resolve) => cancelled = resolve);
  const block = new Uint8Array(1024 * 1024);
  const handle = () =>
    new Response(new ReadableStream({ pull: (out) => out.enqueue(block), cancel: cancelled }));
  return withListener({ limits: SHORT, handle }, async (port) => {
    const connection = await send(port, `${HEAD}\r\n`);
    const late = setTimeout(() => assert.fail("it is still connected"), TIMEOUT_MS);
    await stopped;
    clearTimeout(late);
    connection.close();
  });
});

Deno.test("a visitor is served while half-open connections use up the limit", () =>
  withListener({ limits: { total: 20, perIp: 100 } }, async (port) => {
    const held = await Promise.all(Array.from({ length: 60 }, () => send(port, `${HEAD}X-Slow: `)));
    assert.equal(await get(port), "hello");
    for (const connection of held) connection.close();
  }));

Deno.test("an IP can't hold more connections than its cap, unless visitors share it", async () => {
  const log = memoryLog();
  for (const shared of [false, true]) {
    await withListener({ log, isShared: () => shared, limits: { perIp: 5 } }, async (port) => {
      const held: Deno.TcpConn[] = [];
      for (let i = 0; i < 12; i += 1) held.push(await send(port, `${HEAD}X-Slow: `));
      await get(port);
      const open = held.map((connection) => endHeaders(connection));
      const responses = (await Promise.all(open)).filter((text) => text.includes("hello")).length;
      // One of the five was the visitor's own.
      assert.equal(responses, shared ? 12 : 4);
    });
  }
});

/** Completes the headers, and returns the response. */
async function endHeaders(connection: Deno.TcpConn): Promise<string> {
  try {
    await connection.write(new TextEncoder().encode("x\r\nConnection: close\r\n\r\n"));
  } catch { /* the server has closed it */ }
  return await untilClosed(connection);
}

Deno.test("the handler gets the peer's IP, and IPv4 in its own notation even on a dual-stack listener", () =>
  withListener(
    { hostname: "::", handle: (_, peer) => new Response(peer) },
    async (port) => assert.equal(await get(port), "127.0.0.1"),
  ));

Deno.test("the header of Deno Deploy's proxy is ignored, because any visitor could send it", () =>
  withListener({ handle: (_, peer) => new Response(peer) }, async (port) => {
    const headers = { "x-deno-client-address": "198.51.100.7" };
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text(), "127.0.0.1");
  }));

Deno.test("a response sent before the end of the request body arrives, even if the body never ends", () =>
  withListener({
    async handle(request) {
      const reader = request.body!.getReader();
      await reader.read();
      reader.cancel().catch(() => {});
      return new Response("too large", { status: 413 });
    },
  }, async (port) => {
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
    const text = await untilClosed(await send(port, head + "x".repeat(5_000)));
    assert.match(text, /^HTTP\/1\.1 413 [^]*too large$/);
  }));

Deno.test("shutdown completes requests in progress, and does not wait for connections without a request", () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  let arrived = () => {};
  const requestArrived = new Promise<void>((resolve) => arrived = resolve);
  return withListener({
    async handle() {
      arrived();
      await held;
      return new Response("hello");
    },
  }, async (port, shutdown) => {
    const silent = await send(port, "");
    const slow = await send(port, `${HEAD}X-Slow: `);
    const response = get(port);
    await requestArrived;
    const ended = shutdown();
    release();
    assert.equal(await response, "hello");
    await ended;
    await assert.rejects(get(port));
    silent.close();
    slow.close();
  });
});

Deno.test("a port in use throws Deno's own error", () =>
  withListener({}, async (port) => {
    await assert.rejects(
      listenNode({
        port,
        hostname: "127.0.0.1",
        handle: () => new Response(),
        log: memoryLog(),
        isShared: () => false,
      }),
      Deno.errors.AddrInUse,
    );
  }));

Deno.test("a response arrives with every header, and each cookie has its own", () => {
  const headers: [string, string][] = [["set-cookie", "a=1"], ["vary", "x"], ["set-cookie", "b=2"]];
  return withListener({ handle: () => new Response("hello", { headers }) }, async (port) => {
    const response = await untilClosed(await send(port, `${HEAD}Connection: close\r\n\r\n`));
    const lines = response.toLowerCase().split("\r\n").filter((line) => /^(set-cookie|vary):/.test(line));
    assert.deepEqual(lines.sort(), ["set-cookie: a=1", "set-cookie: b=2", "vary: x"]);
  });
});
