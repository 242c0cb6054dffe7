import assert from "node:assert/strict";
import { type Faulty, startFaulty } from "../../../../dev/testing/faulty/faulty.ts";
import { transport } from "./transport.ts";

async function send(
  to: Faulty,
  method: string,
  headers: Record<string, string> = {},
): Promise<number | "broken"> {
  const body = method === "GET" ? {} : { body: "{}" };
  try {
    const response = await transport(to.url, { method, headers, ...body });
    await response.body?.cancel();
    return response.status;
  } catch {
    return "broken";
  }
}

for (const method of ["POST", "PATCH", "PUT", "DELETE", "PURGE"]) {
  Deno.test(`a ${method} is sent once even if the server resets the connection after storing it`, async () => {
    await using server = await startFaulty(() => new Response("{}"));
    await server.keepOpen();
    server.fail("resets after storing");
    assert.equal(await send(server, method), "broken");
    assert.deepEqual(server.stored.map((request) => request.method), [method]);
  });
}

Deno.test("a POST is never sent on a connection that the server is about to close", async () => {
  await using server = await startFaulty(() => new Response("{}"));
  server.fail("closes as the next request comes");
  for (let round = 0; round < 5; round++) assert.equal(await send(server, "POST"), 200);
  assert.equal(server.received.length, 5);
});

Deno.test("GET requests share a connection", async () => {
  await using server = await startFaulty(() => new Response("{}"));
  for (let round = 0; round < 5; round++) assert.equal(await send(server, "GET"), 200);
  assert.equal(server.connections.opened, 1);
});

Deno.test("redirects are not followed, no Origin is sent, and the caller can set the Host header", async () => {
  await using server = await startFaulty(() => new Response("{}"));
  server.fail("redirects");
  for (const method of ["GET", "POST"]) assert.equal(await send(server, method), 307);
  assert.equal(await send(server, "PURGE", { host: "shop.example" }), 307);
  const { host } = new URL(server.url);
  assert.deepEqual(server.received.map(({ headers }) => headers.get("host")), [host, host, "shop.example"]);
  assert.ok(server.received.every(({ headers }) => !headers.has("origin")));
});
