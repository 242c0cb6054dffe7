import assert from "node:assert/strict";
import { type Fault, FAULT_NAMES, FAULTS } from "../../../dev/testing/faulty/faults.ts";
import { startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { purgeVarnish } from "./varnish.ts";

const EVENT = { tab: "form" } as const;

/** Starts an HTTP server in place of Varnish. e2e/hosts tests the real one. */
function startServer(answer: (path: string) => Response | Promise<Response>) {
  const requests: string[] = [];
  const end = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: end.signal, onListen() {} },
    ({ method, url, headers }) => {
      const { pathname, search } = new URL(url);
      requests.push(
        `${method} ${pathname}${search} ${headers.get("host")} ${headers.get("x-ban-url") ?? ""}`.trim(),
      );
      return answer(pathname);
    },
  );
  return {
    requests,
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      end.abort();
      await server.finished;
    },
  };
}

Deno.test("each Varnish server gets a request for each page, with the site's host", async () => {
  await using one = startServer(() => new Response("ok"));
  await using other = startServer(() => new Response("ok"));
  const to = { url: [one.url, other.url], host: "shop.example" };
  await purgeVarnish({ ...to, pages: ["/", "/news?a=1"] })(EVENT);
  await purgeVarnish({ ...to, method: "BAN", pages: ["^/blog/"] })(EVENT);
  for (const { requests } of [one, other]) {
    assert.deepEqual(requests.toSorted(), [
      "BAN / shop.example ^/blog/",
      "PURGE / shop.example",
      "PURGE /news?a=1 shop.example",
    ]);
  }
});

Deno.test("a page that is rejected or gets no response is named in the error and does not stop the others", async () => {
  await using varnish = startServer((path) =>
    path === "/hangs" ? new Promise(() => {}) : new Response(null, { status: path === "/no" ? 405 : 200 })
  );
  const purge = purgeVarnish({
    url: varnish.url,
    host: "h",
    pages: ["/no", "/hangs", "/yes"],
    timeoutMs: 1_000,
  });
  await assert.rejects(purge(EVENT), (error: Error) => {
    assert.match(error.message, /\/no at .*HTTP 405; \/hangs at/);
    assert.doesNotMatch(error.message, /\/yes/);
    return true;
  });
  assert.equal(varnish.requests.length, 3);
});

Deno.test("an unreachable Varnish is an error, and an invalid URL is one immediately", async () => {
  const options = { url: "http://127.0.0.1:1", host: "shop.example", pages: ["/"] };
  await assert.rejects(purgeVarnish(options)(EVENT), /did not purge \/ at 127\.0\.0\.1:1/);
  for (
    const wrong of [
      { url: "varnish" },
      { url: "file:///etc/passwd" },
      { url: "http://ann:secret@127.0.0.1:6081" },
      { url: ["http://127.0.0.1:6081", "http://127.0.0.1:6081/shop?key=secret"] },
      { host: "" },
      { host: "a\r\nX: y" },
      { host: "https://shop.example" },
      { pages: ["news"] },
      { pages: ["/a b"] },
      { pages: ["/a\r\nX: y"] },
    ]
  ) assert.throws(() => purgeVarnish({ ...options, ...wrong }), TypeError);
});

Deno.test("whatever Varnish does at the network level, a purge ends in time, is sent once, and fails unless Varnish responds", async () => {
  const purgedBy: Fault[] = [];
  for (const fault of FAULT_NAMES) {
    await using varnish = await startFaulty(() => new Response("purged"));
    await varnish.keepOpen();
    varnish.fail(fault);
    const timeoutMs = FAULTS[fault].endless ? 500 : 5_000;
    const purge = purgeVarnish({ url: varnish.url, host: "shop.example", pages: ["/"], timeoutMs });
    await purge(EVENT).then(() => purgedBy.push(fault), () => {});
    assert.deepEqual(varnish.received.map(({ method }) => method), ["PURGE"], fault);
    await varnish.drained(1);
  }
  // The body of a 2xx response is not used, so a broken one still counts.
  assert.deepEqual(purgedBy, [
    "closes the idle connection",
    "closes as the next request comes",
    "responds twice",
    "responds with HTML and 200",
    "announces too few bytes",
  ]);
});
