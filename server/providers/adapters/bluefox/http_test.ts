import assert from "node:assert/strict";
import { freePort } from "../../../../dev/free_port.ts";
import type { Fetch } from "../../../platform/deps.ts";
import type { ClientOptions, JsonRequest } from "../../http/json_client.ts";
import { bluefoxClient, type BluefoxResponse } from "./http.ts";

const NOW = Date.UTC(2025, 0, 1, 12);

function send(
  fetch: Fetch,
  call: Partial<JsonRequest> = {},
  options: Partial<ClientOptions> = {},
): Promise<BluefoxResponse> {
  const http = {
    baseUrl: "https://api.example/base",
    apiKey: () => "key",
    timeoutMs: 1000,
    now: () => NOW,
    fetch,
  };
  return bluefoxClient({ ...http, ...options })({ method: "GET", path: "/v1/x", ...call });
}

const respondWith = (body: string, init?: ResponseInit): Fetch => () =>
  Promise.resolve(new Response(body, init));

Deno.test("a request has the key, JSON and no Origin, and does not follow redirects", async () => {
  let url: string | URL = "", init: RequestInit = {};
  const spy: Fetch = (input, given = {}) => {
    [url, init] = [input, given];
    return Promise.resolve(Response.json({ status: 200, result: 1 }));
  };
  assert.deepEqual(await send(spy, { method: "POST", body: { a: 1 } }), {
    kind: "ok",
    status: 200,
    body: 1,
  });
  const headers = new Headers(init.headers);
  assert.equal(`${url}`, "https://api.example/base/v1/x");
  assert.equal(init.redirect, "manual");
  assert.equal(init.body, '{"a":1}');
  assert.equal(headers.get("authorization"), "Bearer key");
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("origin"), null);
});

Deno.test("a response is classified by its status and JSON", async () => {
  const rows: [string, ResponseInit, BluefoxResponse["kind"], string?][] = [
    ['{"status":200,"result":null}', { status: 200 }, "ok"],
    ['{"status":201,"result":{}}', { status: 201 }, "ok"],
    ['{"status":200}', { status: 200 }, "failed"],
    ['{"status":400,"error":{"name":"X","message":"m"}}', { status: 200 }, "failed"],
    ["<html>", { status: 200 }, "failed"],
    ["", { status: 200 }, "failed"],
    ["[]", { status: 200 }, "failed"],
    ['"text"', { status: 200 }, "failed"],
    ["null", { status: 200 }, "failed"],
    ['{"status":400,"error":{"name":"X","message":"m"}}', { status: 400 }, "error", "m"],
    ['{"status":400,"error":{"name":"X"}}', { status: 400 }, "error", ""],
    ['{"status":400,"error":{"name":"X","message":{"a":1}}}', { status: 400 }, "error", ""],
    ["<html>", { status: 502 }, "error"],
    ["", { status: 302, headers: { location: "https://evil.example" } }, "error"],
  ];
  for (const [body, init, kind, message] of rows) {
    const response = await send(respondWith(body, init));
    assert.equal(response.kind, kind, body);
    if (response.kind === "failed") assert.ok(response.unknown, body);
    if (response.kind === "error") assert.equal(response.problem, message, body);
  }
});

Deno.test("reading an endless body stops, and its connection is closed", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => void (cancelled = true),
  });
  const response = await send(() => Promise.resolve(new Response(endless)));
  assert.ok(response.kind === "failed" && response.unknown);
  assert.ok(cancelled);
});

Deno.test("a request that was not sent differs from one that may have arrived", async () => {
  const never: Fetch = () => assert.fail("must not be called");
  const unsent = (response: BluefoxResponse) => assert.ok(response.kind === "failed" && !response.unknown);
  unsent(await send(never, {}, { apiKey: () => undefined }));
  unsent(await send(never, {}, { apiKey: () => "two\nlines" }));
  unsent(await send(never, {}, { baseUrl: "ftp://x" }));
  unsent(await send(never, {}, { baseUrl: "nonsense" }));
  unsent(await send(never, { path: "/v1/lists/../projects" }));
  const refused = await send((url, init) => fetch(url, init), {}, {
    baseUrl: `http://127.0.0.1:${freePort()}`,
  });
  unsent(refused);
  const reset = await send(() =>
    Promise.reject(new TypeError("error sending request for url (https://a@b)"))
  );
  assert.deepEqual(reset, { kind: "failed", code: "broken", reason: "the connection broke", unknown: true });
});
