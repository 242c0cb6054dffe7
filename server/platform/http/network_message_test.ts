import assert from "node:assert/strict";
import { networkMessage } from "./network_message.ts";

Deno.test("the message of a failed fetch names the reason and not the URL", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const error = await fetch(`http://127.0.0.1:${port}/?secret`).catch((error) => error);
  assert.match(networkMessage(error), /refused/);
  assert.doesNotMatch(networkMessage(error), /secret/);
  assert.equal(networkMessage(new Error("plain")), "plain");
  assert.equal(networkMessage("text"), "text");
});
