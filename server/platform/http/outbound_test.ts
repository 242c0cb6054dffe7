import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import type { Fetch } from "../deps.ts";
import { startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { countedSignal } from "../../../dev/testing/faulty/counted_signal.ts";
import { type Exchange, exchange } from "./outbound.ts";
import { transport } from "./outbound/transport.ts";

const LIMITS = { timeoutMs: 5_000, bodyBytes: 1024 };
/** For requests that hang. Others could exceed it on a busy machine. */
const SHORT = { ...LIMITS, timeoutMs: 150 };

/** Starts a server that responds to every request with these bytes. */
async function startRaw(bytes: Uint8Array): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

/** Returns how an exchange ended, without the details that differ between runs. */
const outcome = (ended: Exchange) =>
  ended.kind === "answered" ? ended.status : `${ended.kind}: ${ended.cause}`;

Deno.test("the timeout covers the response's body as well as its head", async () => {
  await using server = await startFaulty(() => Response.json({ a: "x".repeat(50) }));
  for (const fault of ["sends its head byte by byte", "sends its body byte by byte"] as const) {
    server.fail(fault);
    const began = performance.now();
    const ended = await exchange(transport, { method: "POST", url: server.url, body: "{}" }, SHORT);
    assert.equal(outcome(ended), "unclear: timeout", fault);
    // The complete response would take ten seconds.
    assert.ok(performance.now() - began < 5_000, fault);
    await server.drained(0);
  }
});

Deno.test("a response longer than the limit has no JSON, and its connection is closed", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(256))),
    cancel: () => void (cancelled = true),
  });
  const fetch: Fetch = () => Promise.resolve(new Response(endless));
  const ended = await exchange(fetch, { method: "GET", url: "http://127.0.0.1/" }, LIMITS);
  assert.ok(ended.kind === "answered" && ended.json === undefined);
  assert.ok(cancelled);
});

Deno.test("a short Content-Length does not lift the limit of a compressed or chunked response", async () => {
  const long = JSON.stringify({ text: " ".repeat(4 * LIMITS.bodyBytes) });
  const zipped = gzipSync(long);
  const chunked = `transfer-encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
  const responses = [
    Buffer.concat([
      Buffer.from(`content-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`),
      zipped,
    ]),
    Buffer.from(`content-length: 2\r\n${chunked}`),
    Buffer.from(`${chunked.replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n")}`),
  ];
  for (const rest of responses) {
    const bytes = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n"), rest]);
    await using server = await startRaw(bytes);
    const ended = await exchange(transport, { method: "GET", url: server.url }, LIMITS);
    assert.ok(ended.kind !== "answered" || ended.json === undefined, `${rest.subarray(0, 60)}`);
  }
});

Deno.test("a request that the caller canceled before it was sent is not sent", async () => {
  const never: Fetch = () => assert.fail("must not be called");
  const request = { method: "POST", url: "http://127.0.0.1/", signal: AbortSignal.abort() };
  assert.equal(outcome(await exchange(never, request, LIMITS)), "unsent: cancelled");
});

Deno.test("a request to an invalid URL, or to one where nothing listens, is reported as unsent", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const closed = `http://127.0.0.1:${listener.addr.port}/?secret`;
  listener.close();
  // Too long for a name, so that no server is asked for it: a response can take longer than the timeout.
  const unnamed = `http://${"a".repeat(64)}.example/?secret`;
  for (const url of [closed, unnamed, "ftp://127.0.0.1/?secret", "?secret"]) {
    const ended = await exchange(transport, { method: "POST", url, body: "{}" }, LIMITS);
    assert.equal(outcome(ended), "unsent: no connection", url);
    assert.doesNotMatch(JSON.stringify(ended), /secret/);
  }
});

Deno.test("no listener remains on the caller's signal after a request, and canceling closes the connection", async () => {
  await using server = await startFaulty(() => Response.json({}));
  const counted = countedSignal();
  const send = (limits = LIMITS) =>
    exchange(transport, { method: "POST", url: server.url, body: "{}", signal: counted.signal }, limits);
  assert.equal(outcome(await send()), 200);
  server.fail("resets after storing");
  assert.equal(outcome(await send()), "unclear: broken");
  server.fail("hangs after storing");
  assert.equal(outcome(await send(SHORT)), "unclear: timeout");
  assert.equal(counted.listeners, 0);
  const ending = send();
  counted.abort();
  assert.equal(outcome(await ending), "unclear: cancelled");
  assert.equal(counted.listeners, 0);
  await server.drained(0);
});
