import assert from "node:assert/strict";
import { replaceCommits } from "../../../dev/testing/around_commits.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { KvEntryMaybe } from "../../platform/kv/port.ts";
import { countCoupons } from "../../shops/coupons/issued.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { OrderSchema } from "../../shops/systems/order.ts";
import type { ConsentRow } from "../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import type { SignupExport } from "./signup_data.ts";
import { tombstoneKey } from "../../signup/record/tombstone.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const modules = { carts: true, coupons: true, checkout: true, contactSync: true };
const CONSENT = { consent: "optional", consentText: "Send me news." } as const;

async function shopper(): Promise<Harness> {
  const app = await harness({
    settings: { general: { modules }, form: CONSENT, privacy: { ipSource: "default" } },
  });
  for (const [index, email] of [ADA, BOB].entries()) {
    await (await app.post({ email, consent: true }, { peer: `192.0.2.${index + 1}` })).body?.cancel();
    await app.services.carts.change(email.padEnd(22, "x").replaceAll(/[@.]/g, "_"), { email });
    await app.services.orders.accept(
      OrderSchema.parse({ id: `order of ${email}`, status: "processing", email, total: 9, optIn: false }),
    );
    await app.services.carts.change(`again${email}`.padEnd(22, "x"), { email });
  }
  return app;
}

Deno.test("an export contains everything about an address, including the consent text shown, and nothing about anyone else", async () => {
  await using app = await shopper();
  const document = await app.services.people.export(ADA);
  const [signup] = document.held["signups"] as SignupExport[];
  assert.deepEqual([signup!.record?.email, signup!.record?.list], [ADA, LIST]);
  assert.deepEqual(signup!.consents.map(({ text, given, ip }) => ({ text, given, ip })), [
    { text: "Send me news.", given: true, ip: "192.0.2.1" },
  ]);
  assert.deepEqual((document.held["carts"] as { email: string }[]).map(({ email }) => email), [ADA, ADA]);
  assert.deepEqual((document.held["orders"] as { total: number }[]).map(({ total }) => total), [9]);
  assert.deepEqual((document.held["jobs"] as { name: string }[]).map(({ name }) => name).toSorted(), [
    "cfbe_deliver_signup",
    "cfbe_sync_contact",
  ]);
  assert.deepEqual(document.marks.map(({ what }) => what), [
    "when the mailbox last ordered",
    "when the mailbox last signed up",
  ]);
  assert.equal(JSON.stringify(document).includes(BOB), false);
  assert.deepEqual(
    (await app.services.people.export("nobody@example.com")).held,
    { signups: [], carts: [], orders: [], coupons: [], sandbox: [], jobs: [] },
  );
});

Deno.test("after an erasure no row contains the address, kept data is under HMACs, and nobody else's data is lost", async () => {
  await using app = await shopper();
  const bobs = await app.services.people.export(BOB);
  const { erased, stays } = await app.services.people.erase(ADA);
  assert.deepEqual(erased, { jobs: 2, signups: 1, carts: 2, orders: 1, coupons: 0, sandbox: 0 });
  assert.equal((await app.dump()).includes(ADA), false);
  assert.ok(stays.length > 0 && stays.every(({ why }) => why.endsWith(".")));
  assert.deepEqual(await app.services.people.export(BOB), bobs);
  await app.clock.advance(120_000);
  await app.work();
  assert.equal((await app.dump()).includes(ADA), false);
  assert.deepEqual(app.subscribedEvents.map(({ email }) => email), [BOB]);
});

Deno.test("an erasure includes what was stored while the clock was a year ahead", async () => {
  await using app = await shopper();
  const now = app.clock.now();
  app.clock.set(now + 365 * 86_400_000);
  await (await app.post({ email: ADA, consent: true }, { peer: "192.0.2.3" })).body?.cancel();
  await app.services.carts.change("ahead".padEnd(22, "x"), { email: ADA });
  app.clock.set(now);
  await app.services.people.erase(ADA);
  assert.equal((await app.dump()).includes(ADA), false);
});

/** Ada's data is at the provider and here; then the clock is set back by an hour. */
async function shopperBeforeCorrection(): Promise<Harness> {
  const app = await shopper();
  await app.work();
  app.clock.set(app.clock.now() - 3_600_000);
  return app;
}

Deno.test("an erasure includes what was stored before the clock was set back by an hour, here and at the provider", async () => {
  await using app = await shopperBeforeCorrection();
  const { erased } = await app.services.people.erase(ADA, { provider: true });
  assert.deepEqual([erased["signups"], erased["carts"], erased["orders"]], [1, 2, 1]);
  assert.equal(await app.record(ADA), null);
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an interrupted erasure includes what was stored before the clock was set back, too", async () => {
  await using app = await shopperBeforeCorrection();
  let commits = 0;
  const undo = replaceCommits(
    app.services.kv,
    (commit) => ++commits === 2 ? Promise.reject(new Error("kill -9")) : commit(),
  );
  await assert.rejects(app.services.people.erase(ADA), /kill -9/);
  undo();
  assert.equal((await app.dump()).includes(ADA), true);
  for (let minutes = 0; minutes < 2; minutes++) {
    await app.clock.advance(60_000);
    await app.work();
  }
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an erasure includes an order that the shop dates an hour ahead", async () => {
  await using app = await harness({ settings: { general: { modules } } });
  const orderedAt = new Date(app.clock.now() + 3_600_000).toISOString();
  const order = { id: "1", status: "processing", email: ADA, total: 9, orderedAt, optIn: false };
  await app.services.orders.accept(OrderSchema.parse(order));
  assert.equal((await app.services.people.erase(ADA)).erased["orders"], 1);
});

Deno.test("failed jobs and records and pending coupons are erased, and the mailbox gets no second coupon", async () => {
  await using app = await shopper();
  app.provider.nextResults.subscribe.push({ kind: "accepted" });
  app.provider.put(LIST, ADA, "active");
  await app.work();
  await app.kv.set(keys.marker("coupon", couponKey(app)), {
    v: 1,
    to: { email: ADA, list: LIST, job: `coupon:${LIST}:1:${ADA}` },
    state: "made",
    code: "WELCOME-1",
    kind: "percent",
    amount: 10,
    createdAt: 1,
    expiresAt: 2,
  });
  const none = await app.kv.get<never>(keys.job("old"));
  await addDead(app, none);
  const { erased } = await app.services.people.erase(ADA);
  assert.deepEqual([erased["coupons"], erased["jobs"]! > 0], [1, true]);
  assert.equal((await app.dump()).includes(ADA), false);
  const { marks } = await app.services.people.export(ADA);
  const coupon = marks.find(({ what }) => what === "the mailbox's coupon");
  assert.deepEqual(coupon?.row, {
    v: 1,
    state: "over",
    code: "WELCOME-1",
    kind: "percent",
    amount: 10,
    createdAt: 1,
    expiresAt: 2,
  });
});
Deno.test("a coupon that is erased before the shop has created it does not count as created", async () => {
  await using app = await shopper();
  const code = { v: 1, code: "WELCOME-1", kind: "percent", amount: 10, createdAt: 1, expiresAt: 9e15 };
  for (const state of ["chosen", "made"]) {
    const to = { email: ADA, list: LIST, job: `coupon:${LIST}:1:${ADA}` };
    await app.kv.set(keys.marker("coupon", couponKey(app)), { ...code, to, state });
    await app.services.people.erase(ADA);
    const { created, valid } = await countCoupons(app.kv, 2);
    assert.deepEqual([created, valid], state === "made" ? [1, 1] : [0, 0], state);
  }
});
const couponKey = (app: Harness) => app.services.keyring.identify("cfbe/mailbox", ADA);
async function addDead(app: Harness, none: KvEntryMaybe<never>) {
  const tx = app.kv.atomic();
  const job = {
    id: "old",
    name: "cfbe_anything",
    payload: { deep: [{ to: "Ada@Example.com" }] },
    due: 0,
  } as const;
  addJob(tx, none, job, app.clock.now());
  await tx.commit();
  const [claimed] = await app.queue.claim(1);
  await app.queue.finish(claimed!, { kind: "dead", reason: "too old" });
}

Deno.test("hundreds of consents are erased with their index entries", async () => {
  await using app = await harness();
  await (await app.post({ email: ADA })).body?.cancel();
  for (let i = 0; i < 700; i++) {
    const row: ConsentRow = {
      v: 1,
      id: `${i}`,
      at: i,
      given: false,
      locale: "en",
      ip: null,
      source: "popup",
    };
    await app.kv.atomic().set(keys.consent(ADA, LIST, i, `${i}`), row).set(
      keys.consentByTime(i, ADA, LIST, `${i}`),
      1,
    )
      .commit();
  }
  await app.services.people.erase(ADA);
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("a person who signs up again after an erasure is new, but earlier limits still apply", async () => {
  await using app = await harness();
  for (let i = 0; i < 3; i++) await (await app.post({ email: ADA })).body?.cancel();
  await app.services.people.erase(ADA);
  assert.equal((await app.post({ email: ADA })).status, 429);
  await app.clock.advance(3_600_001);
  assert.equal((await app.post({ email: ADA })).status, 200);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "pending");
});

Deno.test("after a crash during an erasure, its job finishes it", async () => {
  await using app = await shopper();
  let commits = 0;
  const undo = replaceCommits(app.services.kv, (commit) => {
    return ++commits === 3 ? Promise.reject(new Error("kill -9")) : commit();
  });
  await assert.rejects(app.services.people.erase(ADA), /kill -9/);
  undo();
  assert.equal((await app.dump()).includes(ADA), true);
  await app.clock.advance(60_000);
  await app.work();
  await app.clock.advance(60_000);
  await app.work();
  assert.equal((await app.dump()).includes(ADA), false);
});

Deno.test("an erasure lists the counted checkout requests of an address among the data it keeps", async () => {
  await using app = await harness({ settings: { general: { modules } } });
  const session = await (await app.fetch("/checkout-session")).json();
  const typed = await app.fetch(`${NAMESPACE}/cart-email`, {
    method: "POST",
    headers: { "x-wp-nonce": session.nonce },
    body: JSON.stringify({ email: ADA }),
  });
  assert.deepEqual(await typed.json(), { stored: true });
  const { stays } = await app.services.people.erase(ADA);
  assert.ok(stays.some(({ what }) => what === "when the address was last typed at a checkout"));
});

Deno.test("an order that moved to another person is not erased with its first owner", async () => {
  await using app = await shopper();
  const id = createMarkers(app.services.keyring).order(`order of ${ADA}`);
  const bobs = { v: 1, person: createMarkers(app.services.keyring).person(BOB), sealed: "" };
  await app.kv.set(keys.orderOwner(id), bobs);
  await app.services.people.erase(ADA);
  assert.deepEqual((await app.kv.get(keys.orderOwner(id))).value, bobs);
});

Deno.test("an erasure corrects the time of an earlier one that a clock ahead has dated", async () => {
  await using app = await harness();
  const right = app.clock.now();
  await app.clock.set(right + 365 * 24 * 60 * 60 * 1000);
  await app.services.people.erase(ADA);
  await app.clock.set(right);
  await app.services.people.erase(ADA);
  const markers = createMarkers(app.services.keyring);
  for (const key of [markers.erased(markers.person(ADA)), tombstoneKey(markers.person(ADA))]) {
    assert.equal((await readRow<{ at: number }>(app.kv, key))?.at, right);
  }
});
