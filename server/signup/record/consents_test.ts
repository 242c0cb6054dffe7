import assert from "node:assert/strict";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { KvKey } from "../../platform/kv/port.ts";
import { consentsWithText } from "../../subscribers/person/timeline.ts";
import { search } from "../../subscribers/search/search.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { putRecord } from "./record.ts";
import type { SignupRecord } from "./row.ts";

const ADA = "ada@example.com";
const settings = { form: { consent: "optional", consentText: "Yes, send it." } } as const;
const IP = "198.51.100.7";

const signUp = (app: Harness) => app.post({ email: ADA, consent: true }, { peer: IP });

/** Returns the number of consent rows and of their index entries. */
async function rowsOf({ kv }: Harness): Promise<[number, number]> {
  const count = async (prefix: KvKey) => (await Array.fromAsync(kv.list({ prefix }))).length;
  return [await count(keys.consentsOf(ADA, LIST)), await count(keys.consentByTimeAll())];
}

/** Returns the proofs of consent as each part of the program shows them. */
async function shown(app: Harness) {
  const record = (await app.record(ADA))!;
  const [status] = (await signupStatuses(app.services, ADA))!;
  const { held } = await app.services.people.export(ADA);
  const [exported] = held["signups"] as { consents: unknown[] }[];
  return {
    status: status!.consents,
    timeline: await consentsWithText(app.kv, record),
    exported: exported!.consents.toReversed(),
  };
}

const ways: Record<string, (app: Harness) => Promise<unknown>> = {
  "its delivery": (app) => app.work(),
  "a failed delivery": (app) => {
    app.provider.nextResults.subscribe.push(stubTrouble());
    return app.work();
  },
};
for (const [name, write] of Object.entries(ways)) {
  Deno.test(`the proof of consent is the same before and after ${name} moves it from the record to a row`, async () => {
    await using app = await harness({ settings });
    await signUp(app);
    const [before, [consent]] = [await shown(app), await app.consents(ADA)];
    assert.deepEqual([consent!.given, consent!.ip], [true, IP]);
    for (const consents of Object.values(before)) assert.deepEqual(consents, before.status);
    assert.deepEqual([before.status.length, before.status[0]!.text], [1, "Yes, send it."]);
    assert.deepEqual(await rowsOf(app), [0, 0]);
    await write(app);
    assert.deepEqual(await rowsOf(app), [1, 1]);
    assert.equal((await app.record(ADA))?.consent, undefined);
    assert.deepEqual(await shown(app), before);
  });
}

Deno.test("a second signup before the delivery keeps both proofs of consent", async () => {
  await using app = await harness({ settings });
  await signUp(app);
  await app.clock.advance(1);
  await signUp(app);
  assert.deepEqual(await rowsOf(app), [2, 2]);
  const { status, timeline, exported } = await shown(app);
  assert.deepEqual([status.length, timeline.length, exported.length], [2, 2, 2]);
});

Deno.test("a record that an earlier release delivered keeps its proof of consent, and its next write moves it", async () => {
  await using app = await harness({ settings });
  await signUp(app);
  const before = await shown(app);
  const record = (await app.record(ADA))!;
  // As a release writes it that does not know the property.
  const delivered: SignupRecord = { ...record, v: 2, status: "pending" };
  await app.kv.set(keys.signup(ADA, LIST), delivered);
  assert.deepEqual(await shown(app), before);
  await putRecord(app.kv.atomic(), delivered, { ...delivered, status: "active" }).commit();
  assert.deepEqual([await shown(app), await rowsOf(app)], [before, [1, 1]]);
});

Deno.test("a proof of consent that is in the record and in a row, as after a restore, is shown once", async () => {
  await using app = await harness({ settings });
  await signUp(app);
  const record = (await app.record(ADA))!;
  await app.work();
  await app.kv.set(keys.signup(ADA, LIST), record);
  assert.equal((await app.consents(ADA)).length, 1);
});

Deno.test("a record that leaves the program is without its proof of consent, which holds the visitor's IP", async () => {
  const emitted: unknown[] = [];
  const actions = { cfbe_subscribed: ({ record }: { record: unknown }) => void emitted.push(record) };
  await using app = await harness({ settings, file: { actions } });
  await signUp(app);
  const found = await search(app.kv, { term: { by: "address", email: ADA } });
  const { held } = await app.services.people.export(ADA);
  const [exported] = held["signups"] as { record: unknown }[];
  const [status] = (await signupStatuses(app.services, ADA))!;
  app.provider.nextResults.subscribe.push(stubTrouble());
  await app.work();
  const records = [...found.records, exported!.record, status!.record, ...emitted];
  assert.equal(records.length, 4);
  assert.doesNotMatch(JSON.stringify(records), new RegExp(IP));
});
