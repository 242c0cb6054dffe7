/** Tests that one bad row harms nobody but the person that it is about. */
import assert from "node:assert/strict";
import { newJobRow } from "../../platform/jobs/add.ts";
import { writeRow } from "../../platform/jobs/row.ts";
import { Chains } from "../../platform/kv/chains.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { KvKey } from "../../platform/kv/port.ts";
import { couponKey, type CouponRow } from "../../shops/coupons/row.ts";
import { ownerKey } from "../../shops/orders/ledger.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { exportSearch } from "../../subscribers/bulk/export_search.ts";
import { search } from "../../subscribers/search/search.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOISE = new TextEncoder().encode('{"email":"bad@example.com","ip":"198.51.');
const [ANN, BAD, CARA] = ["ann@example.com", "bad@example.com", "cara@example.com"];

const damage = (app: Harness, key: KvKey) => app.engine.set(key, NOISE);

const own = ({ services }: Harness) => ({ chains: new Chains(), markers: createMarkers(services.keyring) });

async function signUp(app: Harness, ...emails: string[]): Promise<void> {
  for (const email of emails) {
    await (await app.post({ email }, { peer: `192.0.2.${email.charCodeAt(0)}` })).body?.cancel();
    await app.work();
    await app.clock.advance(1);
  }
}

Deno.test("a job that can't be read keeps nobody else from being exported and erased", async () => {
  await using app = await harness();
  await signUp(app, ANN);
  const now = app.clock.now();
  const tx = app.kv.atomic();
  const row = newJobRow(
    { id: "check:x", name: "cfbe_check_signup", payload: null, due: now + DAY_MS },
    now,
    [],
  );
  writeRow(tx, null, row);
  await tx.commit();
  await damage(app, keys.job("check:x"));
  await app.kv.set(keys.job("check:y"), null);
  assert.equal((await app.services.people.export(ANN)).held["signups"]?.length, 1);
  await app.services.people.erase(ANN);
  assert.equal(await app.record(ANN), null);
});

Deno.test("a person whose own rows can't be read is erased", async () => {
  await using app = await harness();
  await app.post({ email: BAD });
  const job = keys.job(`deliver:${LIST}:${BAD}`);
  assert.ok((await app.kv.get(job)).value);
  await damage(app, job);
  await app.services.people.erase(BAD);
  assert.equal((await app.engine.get(job)).value, null, "the job that names the address in its ID");

  await signUp(app, CARA);
  const [consent] = await app.consents(CARA);
  await damage(app, keys.consent(CARA, LIST, consent!.at, consent!.id));
  await damage(app, keys.signup(CARA, LIST));
  await app.services.people.erase(CARA);
  for (const prefix of [keys.signupsOf(CARA), keys.consentsOfAddress(CARA)]) {
    assert.deepEqual(await Array.fromAsync(app.engine.list({ prefix })), []);
  }
});

Deno.test("a person whose coupon, order or mark can't be read is exported and erased, and gets no second coupon", async () => {
  await using app = await harness();
  const { markers } = own(app);
  const [mailbox, person] = [markers.mailbox(CARA), markers.person(CARA)];
  await app.kv.set(keys.ledger(person, "1"), { v: 1, at: app.clock.now() });
  for (const key of [couponKey(mailbox), ownerKey("1"), markers.couponMailed(mailbox)]) {
    await damage(app, key);
  }
  await app.services.people.export(CARA);
  const { erased } = await app.services.people.erase(CARA);
  assert.deepEqual([erased["orders"], erased["coupons"]], [1, 1]);
  assert.equal((await app.kv.get<CouponRow>(couponKey(mailbox))).value?.state, "over");
  assert.equal((await app.engine.get(ownerKey("1"))).value, null);
});

Deno.test("a pending signup that can't be read does not keep the poll from the others", async () => {
  await using app = await harness();
  await signUp(app, ANN, BAD, CARA);
  await damage(app, keys.signup(BAD, LIST));
  for (const email of [ANN, BAD, CARA]) app.provider.put(LIST, email, "active");
  await app.callClock.passDuring(app.services.poll.run());
  assert.deepEqual([(await app.record(ANN))?.status, (await app.record(CARA))?.status], ["active", "active"]);
});

Deno.test("signups expire although an older one can't be read", async () => {
  await using app = await harness();
  await signUp(app, BAD, CARA);
  await damage(app, keys.signup(BAD, LIST));
  await app.clock.advance(45 * DAY_MS);
  const report = await app.callClock.passDuring(app.services.poll.run());
  assert.equal((await app.record(CARA))?.status, "expired");
  assert.ok(report.skipped! >= 1);
});

Deno.test("a signup that can't be read is left out of searches and exports, and the others are in them", async () => {
  await using app = await harness();
  await signUp(app, ANN, BAD, CARA);
  await damage(app, keys.signup(BAD, LIST));
  const emails = (records: { email: string }[]) => records.map(({ email }) => email).toSorted();
  assert.deepEqual(emails((await search(app.kv, {})).records), [ANN, CARA]);
  const byPrefix = await search(app.kv, { term: { by: "prefix", prefix: "" } });
  assert.deepEqual(emails(byPrefix.records), [ANN, CARA]);
  const several = await search(app.kv, { status: "pending", source: "shortcode" });
  assert.deepEqual(emails(several.records), [ANN, CARA]);
  const json = await new Response(exportSearch(app.kv, { query: {} }, "json")).json();
  assert.deepEqual(emails(json), [ANN, CARA]);
});

Deno.test("when the limit of all carts is reached, a cart that can't be read does not keep new ones out", async () => {
  await using app = await harness();
  const { createCarts } = await import("../../shops/carts/carts.ts");
  const carts = createCarts({ ...app.services, ...own(app), maxBytes: 3 * 1_600, wake: () => {} });
  const session = (n: number) => `session-${n}`.padEnd(22, "x");
  for (let n = 0; n < 3; n++) {
    assert.equal(await carts.change(session(n), { email: `p${n}@example.com` }), true);
    await app.clock.advance(1);
  }
  for await (const { key } of app.kv.list({ prefix: keys.cartByTimeAll() }, { limit: 1 })) {
    await damage(app, keys.cart(String(key.at(-1))));
  }
  assert.equal(await carts.change(session(9), { email: "p9@example.com" }), true);
});
