import assert from "node:assert/strict";
import { transport } from "../../http/outbound/transport.ts";
import { createListmonk } from "./adapter.ts";
import { serveListmonk } from "./testing/double.ts";

Deno.test("listmonk keeps the proof of an imported person's consent in an attribute", async () => {
  await using double = serveListmonk();
  const list = double.addList("News", "double");
  const provider = createListmonk({
    baseUrl: () => double.url,
    token: () => double.token,
    fetch: transport,
    now: Date.now,
  });
  const proof = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };
  assert.deepEqual(await provider.importConfirmed({ list, email: "ada@example.com" }, proof), {
    kind: "imported",
  });
  const response = await transport(`${double.url}/api/subscribers?search=ada`, {
    headers: { authorization: `token ${double.token}` },
  });
  const { data } = await response.json();
  assert.partialDeepStrictEqual(data.results, [{
    name: "Ada",
    attribs: { tags: ["news"], consent: { confirmed_at: "2026-01-02T03:04:05.000Z", ip: "192.0.2.7" } },
  }]);
  assert.deepEqual(double.mails, []);
});
