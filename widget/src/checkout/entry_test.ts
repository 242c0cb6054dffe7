import assert from "node:assert/strict";
import { start } from "./entry.ts";

Deno.test("a script reports an address once it is complete, and nothing before", async () => {
  sessionStorage.clear();
  const received: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (new URL(request.url).pathname.endsWith("checkout-session")) {
      return Response.json({ session: "s", nonce: "n" });
    }
    received.push(await request.text());
    return Response.json({ stored: true });
  });
  const cart = start(`http://127.0.0.1:${server.addr.port}`);
  assert.equal(await cart.email("ann@example"), false);
  assert.equal(await cart.email("ann@example.com"), true);
  assert.deepEqual(received, ['{"email":"ann@example.com"}']);
  sessionStorage.clear();
});
