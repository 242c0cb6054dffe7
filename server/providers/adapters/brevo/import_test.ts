import assert from "node:assert/strict";
import { serveBrevo } from "./testing/serve.ts";

const EMAIL = "ada@example.com";
const PROOF = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };

Deno.test("Brevo keeps the time and the IP of an imported person's confirmation", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  assert.deepEqual(await served.provider().importConfirmed({ list, email: EMAIL }, PROOF), {
    kind: "imported",
    omitted: {},
  });
  assert.deepEqual(account.find(EMAIL)!.attributes, {
    FIRSTNAME: "Ada",
    CFBE_TAGS: "news",
    CFBE_CONFIRMED_AT: "2026-01-02T03:04:05.000Z",
    CFBE_SIGNUP_IP: "192.0.2.7",
  });
});

Deno.test("an import to Brevo keeps the name and the other lists of a contact", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  const provider = served.provider();
  const other = Number(account.addList("Offers"));
  account.change(account.put(EMAIL), { listIds: [other], attributes: { FIRSTNAME: "Augusta" } });
  assert.deepEqual(await provider.importConfirmed({ list, email: EMAIL }, PROOF), {
    kind: "imported",
    omitted: {},
  });
  const { listIds, attributes } = account.find(EMAIL)!;
  assert.deepEqual([listIds, attributes["FIRSTNAME"]], [[other, Number(list)], "Augusta"]);
});

Deno.test("an import to Brevo stores answers in attributes, except where the contact has a value", async () => {
  await using served = await serveBrevo();
  const { account, list } = served;
  account.change(account.put(EMAIL), { attributes: { SHIRT_SIZE: "s" } });
  const properties = { shirtSize: "l", guests: 2 };
  const result = await served.provider().importConfirmed({ list, email: EMAIL }, { ...PROOF, properties });
  assert.deepEqual(result, { kind: "imported", omitted: { shirtSize: "exists" } });
  const { SHIRT_SIZE, GUESTS } = account.find(EMAIL)!.attributes;
  assert.deepEqual([SHIRT_SIZE, GUESTS], ["s", 2]);
});

Deno.test("somebody who was created and left during an import to Brevo is not brought back", async () => {
  await using served = await serveBrevo();
  const { account, handle, list } = served;
  const provider = served.provider({
    baseUrl: "http://brevo.test/v3",
    fetch: async (url, init) => {
      if (String(url).endsWith("/contacts") && !account.find(EMAIL)) {
        account.change(account.put(EMAIL), { listUnsubscribed: [Number(list)] });
      }
      return await handle(new Request(url, init));
    },
  });
  assert.deepEqual(await provider.importConfirmed({ list, email: EMAIL }, PROOF), {
    kind: "exists",
    status: "unsubscribed",
  });
  assert.deepEqual(account.find(EMAIL)!.listIds, []);
});
