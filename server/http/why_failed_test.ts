import assert from "node:assert/strict";
import { whyFailed } from "./why_failed.ts";

Deno.test("why a fetch failed is said in the network's words, without the address", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const error = await fetch(`http://127.0.0.1:${port}/?secret`).catch((error) => error);
  assert.match(whyFailed(error), /refused/);
  assert.doesNotMatch(whyFailed(error), /secret/);
  assert.equal(whyFailed(new Error("plain")), "plain");
  assert.equal(whyFailed("text"), "text");
});
