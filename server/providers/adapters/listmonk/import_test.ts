import assert from "node:assert/strict";
import { transport } from "../../../platform/http/outbound/transport.ts";
import { serveListmonk } from "./testing/serve.ts";

Deno.test("listmonk keeps the proof of an imported person's consent in an attribute, beside their answers", async () => {
  await using served = await serveListmonk();
  const { list, url, apiKey } = served;
  const proof = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };
  Object.assign(proof, { properties: { size: "l", consent: "given" } });
  assert.deepEqual(await served.provider().importConfirmed({ list, email: "ada@example.com" }, proof), {
    kind: "imported",
    omitted: { consent: "refused" },
  });
  const response = await transport(`${url}/api/subscribers?search=ada`, {
    headers: { authorization: `token ${apiKey}` },
  });
  const { data } = await response.json();
  assert.partialDeepStrictEqual(data.results, [{
    name: "Ada",
    attribs: {
      size: "l",
      tags: ["news"],
      consent: { confirmed_at: "2026-01-02T03:04:05.000Z", ip: "192.0.2.7" },
    },
  }]);
  assert.deepEqual(served.mails, []);
});
