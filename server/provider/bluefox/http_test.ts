import assert from "node:assert/strict";
import type { Fetch } from "../../deps.ts";
import { type Answer, type Call, type HttpOptions, request } from "./http.ts";

const NOW = Date.UTC(2025, 0, 1, 12);

function ask(fetch: Fetch, call: Partial<Call> = {}, options: Partial<HttpOptions> = {}): Promise<Answer> {
  const http = {
    baseUrl: "https://api.example/base",
    apiKey: () => "key",
    timeoutMs: 1000,
    now: () => NOW,
    fetch,
  };
  return request({ ...http, ...options }, { method: "GET", path: "/v1/x", ...call });
}

/** An address at which nobody listens. */
function closedPort(): string {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return `http://127.0.0.1:${listener.addr.port}`;
}

const answering = (body: string, init?: ResponseInit): Fetch => () =>
  Promise.resolve(new Response(body, init));

Deno.test("a request carries the key and JSON, follows no redirect and names no origin", async () => {
  let url: string | URL = "", init: RequestInit = {};
  const spy: Fetch = (input, given = {}) => {
    [url, init] = [input, given];
    return Promise.resolve(Response.json({ status: 200, result: 1 }));
  };
  assert.deepEqual(await ask(spy, { method: "POST", body: { a: 1 } }), {
    kind: "result",
    status: 200,
    result: 1,
  });
  const headers = new Headers(init.headers);
  assert.equal(`${url}`, "https://api.example/base/v1/x");
  assert.equal(init.redirect, "manual");
  assert.equal(init.body, '{"a":1}');
  assert.equal(headers.get("authorization"), "Bearer key");
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("origin"), null);
});

Deno.test("an answer is sorted by status and envelope", async () => {
  const rows: [string, ResponseInit, Answer["kind"], string?][] = [
    ['{"status":200,"result":null}', { status: 200 }, "result"],
    ['{"status":201,"result":{}}', { status: 201 }, "result"],
    ['{"status":200}', { status: 200 }, "broken"],
    ['{"status":400,"error":{"name":"X","message":"m"}}', { status: 200 }, "broken"],
    ["<html>", { status: 200 }, "broken"],
    ["", { status: 200 }, "broken"],
    ["[]", { status: 200 }, "broken"],
    ['"text"', { status: 200 }, "broken"],
    ["null", { status: 200 }, "broken"],
    ['{"status":400,"error":{"name":"X","message":"m"}}', { status: 400 }, "error", "m"],
    ['{"status":400,"error":{"name":"X"}}', { status: 400 }, "error", ""],
    ['{"status":400,"error":{"name":"X","message":{"a":1}}}', { status: 400 }, "error", ""],
    ["<html>", { status: 502 }, "error"],
    ["", { status: 302, headers: { location: "https://evil.example" } }, "error"],
  ];
  for (const [body, init, kind, message] of rows) {
    const answer = await ask(answering(body, init));
    assert.equal(answer.kind, kind, body);
    if (answer.kind === "error") assert.equal(answer.message, message, body);
  }
});

Deno.test("a message is one line of at most 300 characters, whatever was sent", async () => {
  const message = `a\r\nb\u001b[31m${"x".repeat(500)}`;
  const answer = await ask(answering(JSON.stringify({ error: { message } }), { status: 400 }));
  assert.ok(answer.kind === "error" && answer.message !== undefined);
  assert.match(answer.message, /^a b \[31mx+$/);
  assert.equal(answer.message.length, 300);
});

Deno.test("a body without end is cut off, and its connection let go", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => void (cancelled = true),
  });
  const answer = await ask(() => Promise.resolve(new Response(endless)));
  assert.equal(answer.kind, "broken");
  assert.ok(cancelled);
});

Deno.test("what never left is told from what may have arrived", async () => {
  const never: Fetch = () => assert.fail("must not be called");
  assert.equal((await ask(never, {}, { apiKey: () => undefined })).kind, "unsent");
  assert.equal((await ask(never, {}, { apiKey: () => "two\nlines" })).kind, "unsent");
  assert.equal((await ask(never, {}, { baseUrl: "ftp://x" })).kind, "unsent");
  assert.equal((await ask(never, {}, { baseUrl: "nonsense" })).kind, "unsent");
  assert.equal((await ask(never, { path: "/v1/lists/../projects" })).kind, "unsent");
  const refused = await ask((url, init) => fetch(url, init), {}, { baseUrl: closedPort() });
  assert.equal(refused.kind, "unsent");
  const reset = await ask(() => Promise.reject(new TypeError("error sending request for url (https://a@b)")));
  assert.deepEqual(reset, { kind: "broken", code: "broken", reason: "the connection broke" });
});
