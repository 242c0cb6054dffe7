import assert from "node:assert/strict";
import { hashOf } from "./testing/account.ts";
import { serveMailchimp } from "./testing/serve.ts";

const ADA = "ada@example.com";
const PROOF = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };

Deno.test("Mailchimp keeps the time of an imported person's confirmation, the IP of the signup, the name, the tags and the answers", async () => {
  await using served = await serveMailchimp();
  const [list] = served.audiences;
  assert.deepEqual(
    await served.provider().importConfirmed({ list, email: ADA }, {
      ...PROOF,
      properties: { Size: "l", guests: 2 },
    }),
    { kind: "imported", omitted: {} },
  );
  const { status, firstName, tags, proof, mergeFields } = served.account.find(list, ADA)!;
  assert.deepEqual([status, firstName, tags, proof, mergeFields], [
    "subscribed",
    "Ada",
    ["news"],
    { timestamp_opt: "2026-01-02T03:04:05+00:00", ip_signup: "192.0.2.7" },
    { SIZE: "l", GUESTS: 2 },
  ]);
});

Deno.test("an import adds somebody who is known from an order, and nobody who is archived or was deleted permanently", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  const [archived, forgotten] = ["archived@example.com", "forgotten@example.com"];
  account.add(list, ADA, { status: "transactional" });
  account.add(list, archived, { status: "archived" });
  account.audiences.get(list)!.forgotten.add(hashOf(forgotten));
  const kinds: string[] = [];
  for (const email of [ADA, archived, forgotten]) {
    kinds.push((await served.provider().importConfirmed({ list, email }, PROOF)).kind);
  }
  assert.deepEqual(kinds, ["imported", "refused", "refused"]);
  assert.deepEqual([account.find(list, ADA)!.status, account.find(list, archived)!.status], [
    "subscribed",
    "archived",
  ]);
  assert.deepEqual(account.mails, []);
});

Deno.test("an import to Mailchimp says which answers it left out, and why", async () => {
  await using served = await serveMailchimp();
  const { account, audiences: [list] } = served;
  account.mostMergeFields = 1;
  account.audiences.get(list)!.mergeFields.set("BORN", { name: "Born", type: "date" });
  account.add(list, ADA, { status: "transactional" });
  const properties = { born: "yesterday", size: "l" };
  const imported = (email: string) =>
    served.provider().importConfirmed({ list, email }, { ...PROOF, properties });
  assert.deepEqual(await imported("ben@example.com"), {
    kind: "imported",
    omitted: { born: "type", size: "refused" },
  });
  assert.deepEqual(await imported(ADA), {
    kind: "imported",
    omitted: { born: "exists", size: "exists" },
  });
});
