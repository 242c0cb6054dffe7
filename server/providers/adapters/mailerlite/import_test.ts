import assert from "node:assert/strict";
import { serveMailerlite } from "./testing/serve.ts";

const PROOF = { name: "Ada", tags: ["news"], confirmedAt: Date.UTC(2026, 0, 2, 3, 4, 5), ip: "192.0.2.7" };

Deno.test("MailerLite keeps the time and the IP of an imported person's opt-in", async () => {
  await using served = await serveMailerlite();
  const target = { list: served.groups[0], email: "ada@example.com" };
  assert.deepEqual(await served.provider().importConfirmed(target, PROOF), {
    kind: "imported",
    omitted: {},
  });
  const { status, name, optedInAt, optInIp } = served.account.people.get(target.email)!;
  assert.deepEqual([status, name, optedInAt, optInIp], [
    "active",
    "Ada",
    "2026-01-02 03:04:05",
    "192.0.2.7",
  ]);
});

Deno.test("an import to MailerLite does not add a group to somebody who waits for a confirmation in another one", async () => {
  await using served = await serveMailerlite();
  const [group, other] = served.groups;
  served.account.add("ada@example.com", { groups: new Set([other]) });
  assert.deepEqual(
    await served.provider().importConfirmed({ list: group, email: "ada@example.com" }, PROOF),
    { kind: "exists", status: "pending" },
  );
  assert.deepEqual([...served.account.people.get("ada@example.com")!.groups], [other]);
});

Deno.test("an import to MailerLite stores answers in fields, and changes none of somebody in another group", async () => {
  await using served = await serveMailerlite();
  const [group, other] = served.groups;
  served.account.add("ada@example.com", { status: "active", groups: new Set([other]) });
  const person = { ...PROOF, properties: { "Shirt size": "l", guests: 2 } };
  const imported = (email: string) => served.provider().importConfirmed({ list: group, email }, person);
  assert.deepEqual(await imported("ben@example.com"), { kind: "imported", omitted: {} });
  assert.partialDeepStrictEqual(served.account.people.get("ben@example.com")!.fields, {
    shirt_size: "l",
    guests: 2,
  });
  assert.deepEqual(await imported("ada@example.com"), {
    kind: "imported",
    omitted: { "Shirt size": "exists", guests: "exists" },
  });
  assert.equal(served.account.people.get("ada@example.com")!.fields["shirt_size"], undefined);
});
