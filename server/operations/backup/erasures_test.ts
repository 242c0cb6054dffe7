import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { countCoupons } from "../../shops/coupons/issued.ts";
import { couponKey } from "../../shops/coupons/row.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { OrderSchema } from "../../shops/systems/order.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { signupKey } from "../../signup/record/row.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto } from "./testing/backups.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const modules = { carts: true, coupons: true, checkout: true, contactSync: true };

/** Creates a service in which both Ada and Bob have rows of every kind. */
async function serviceWithTwoPeople(): Promise<Harness> {
  const consent = { consent: "optional", consentText: "Send me news." } as const;
  const app = await harness({ settings: { general: { modules }, form: consent } });
  const list = { v: 1, id: LIST, name: "", doubleOptIn: true, private: false, createdAt: 0 };
  await app.kv.set(keys.sandboxList(LIST), list);
  for (const email of [ADA, BOB]) {
    // The consent of a new signup is in its record; with the second one, both have rows.
    await signUp(app, email);
    await signUp(app, email);
    await app.services.carts.change(email.padEnd(22, "x").replaceAll(/[@.]/g, "_"), { email });
    await app.services.orders.accept(
      OrderSchema.parse({ id: `order of ${email}`, status: "processing", email, total: 9, optIn: false }),
    );
    await app.services.carts.change(`again${email}`.padEnd(22, "x"), { email });
    await app.kv.set(couponOf(app, email), coupon(email));
    const at = app.clock.now();
    const row = {
      v: 1,
      id: email,
      list: LIST,
      email,
      name: "",
      status: "active",
      token: `token of ${email}`,
    };
    await app.kv.set(keys.sandboxSubscriber(LIST, email), { ...row, createdAt: at, updatedAt: at });
    await app.kv.set(keys.sandboxLink(row.token), { v: 1, list: LIST, email });
    const mail = { v: 1, id: email, at, to: email, kind: "confirmation", subject: "s", text: "t" };
    await app.kv.set(keys.sandboxMail(at, email), mail);
    await app.kv.set(keys.sandboxMailTo(email, at, email), mail);
    const waiting = {
      name: "cfbe_anything",
      payload: { deep: [{ to: email.toUpperCase() }] },
      due: at,
    } as const;
    const tx = app.kv.atomic();
    addJob(
      tx,
      await app.kv.get<never>(keys.job(`about ${email[0]}`)),
      { id: `about ${email[0]}`, ...waiting },
      at,
    );
    await tx.commit();
  }
  return app;
}

async function signUp(app: Harness, email: string): Promise<void> {
  await (await app.post({ email, consent: true })).body?.cancel();
}

const couponOf = (app: Harness, email: string) => {
  const markers = createMarkers(app.services.keyring);
  return couponKey(markers.mailbox(email));
};

const coupon = (email: string) => ({
  v: 1,
  to: { email, list: LIST, job: `coupon:${LIST}:1:${email}` },
  state: "made",
  code: "WELCOME-1",
  kind: "percent",
  amount: 10,
  createdAt: 1,
  expiresAt: 2,
});

const backupOf = (app: Harness) => readBytes(takeBackup(app.services));

function restoreTo(app: Harness, bytes: Uint8Array<ArrayBuffer>, kv = app.kv) {
  return restoreInto(app, kv, bytes, { replace: true });
}

/** Returns all rows that contain an email address or its HMAC, as text. Tombstones and most markers do not count. */
async function rowsAbout(app: Harness, email: string, kv = app.kv): Promise<string[]> {
  const person = createMarkers(app.services.keyring).person(email);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return rows.filter(({ key }) => !["tombstone", "mark"].includes(String(key[2])) || key[3] === "coupon")
    .map(({ key, value }) => Deno.inspect([key, value], { depth: 9 }).toLowerCase())
    .filter((text) => text.includes(email) || text.includes(person.toLowerCase()));
}

async function eraseLater(app: Harness, email: string): Promise<void> {
  await app.clock.advance(1000);
  await app.services.people.erase(email);
  await app.clock.advance(1000);
}

Deno.test("a person erased after a backup stays erased when it is restored, in every kind of row; others are restored", async () => {
  await using app = await serviceWithTwoPeople();
  const bytes = await backupOf(app);
  const rowsAboutBob = (await rowsAbout(app, BOB)).length;
  assert.equal((await rowsAbout(app, ADA)).length, rowsAboutBob);
  await eraseLater(app, ADA);
  for (let times = 0; times < 2; times++) {
    await restoreTo(app, bytes);
    assert.deepEqual(await rowsAbout(app, ADA), []);
    assert.equal((await rowsAbout(app, BOB)).length, rowsAboutBob);
  }
  const couponAfter = (await app.kv.get<ReturnType<typeof coupon>>(couponOf(app, ADA))).value;
  assert.deepEqual([couponAfter?.state, couponAfter?.code], ["over", "WELCOME-1"]);
});

Deno.test("a coupon that the shop had not created does not count as created after a restore that erases its person", async () => {
  await using app = await harness();
  for (const state of ["chosen", "made"]) {
    await app.kv.set(couponOf(app, ADA), { ...coupon(ADA), state });
    const bytes = await backupOf(app);
    await eraseLater(app, ADA);
    await restoreTo(app, bytes);
    assert.equal((await countCoupons(app.kv, 1)).created, state === "made" ? 1 : 0, state);
  }
});

Deno.test("a person erased after a backup stays erased, though the clock was a year ahead when they signed up", async () => {
  await using app = await harness();
  const now = app.clock.now();
  app.clock.set(now + 365 * 86_400_000);
  await signUp(app, ADA);
  app.clock.set(now);
  const bytes = await backupOf(app);
  await eraseLater(app, ADA);
  await restoreTo(app, bytes);
  assert.deepEqual(await rowsAbout(app, ADA), []);
});

Deno.test("a person who signed up again after an erasure is restored completely", async () => {
  await using app = await serviceWithTwoPeople();
  await eraseLater(app, ADA);
  await signUp(app, ADA);
  await app.services.orders.accept(
    OrderSchema.parse({ id: "new", status: "processing", email: ADA, total: 5, optIn: false }),
  );
  const before = await app.services.people.export(ADA);
  await restoreTo(app, await backupOf(app));
  const { held } = await app.services.people.export(ADA);
  for (const kind of ["signups", "orders"]) assert.deepEqual(held[kind], before.held[kind]);
  assert.equal(held["jobs"]!.length, before.held["jobs"]!.length);
});

Deno.test("a backup with both a tombstone and an older row of the same person does not restore the row", async () => {
  await using app = await serviceWithTwoPeople();
  await using other = await tempKv();
  const before = await app.record(ADA);
  await eraseLater(app, ADA);
  await app.kv.set(keys.signup(ADA, LIST), before);
  await restoreTo(app, await backupOf(app), other.kv);
  assert.deepEqual(await rowsAbout(app, ADA, other.kv), []);
  assert.ok((await other.kv.get(keys.signup(BOB, LIST))).value);
});

Deno.test("consents from before an erasure are not restored with the signup made after it", async () => {
  await using app = await serviceWithTwoPeople();
  await using other = await tempKv();
  const [old] = await Array.fromAsync(app.kv.list({ prefix: keys.consentsOf(ADA, LIST) }));
  await eraseLater(app, ADA);
  await signUp(app, ADA);
  const newConsents = await app.consents(ADA);
  await app.kv.set(old!.key, old!.value);
  await restoreTo(app, await backupOf(app), other.kv);
  const restored = await readRow(other.kv, signupKey(ADA, LIST));
  assert.deepEqual(await readConsents(other.kv, restored!), newConsents);
  assert.equal(newConsents.length, 1);
});

Deno.test("the newer of two tombstones for one address survives a restore", async () => {
  await using app = await serviceWithTwoPeople();
  await eraseLater(app, ADA);
  const bytes = await backupOf(app);
  await eraseLater(app, ADA);
  const key = keys.tombstone(createMarkers(app.services.keyring).person(ADA));
  const { value } = await app.kv.get(key);
  await restoreTo(app, bytes);
  assert.deepEqual((await app.kv.get(key)).value, value);
});

Deno.test("a restore killed at any commit loses no erasure, and completes when run again", async () => {
  await using app = await serviceWithTwoPeople();
  const bytes = await backupOf(app);
  await eraseLater(app, ADA);
  let kills = 0;
  for (let commits = 0;; commits++) {
    let remaining = commits;
    const failingKv = aroundCommits(app.kv, (commit) => {
      return remaining-- === 0 ? Promise.reject(new Error("killed")) : commit();
    });
    const killed = await restoreTo(app, bytes, failingKv).then(() => false, (error) => {
      if (error.message !== "killed") throw error;
      return true;
    });
    assert.deepEqual(await rowsAbout(app, ADA), []);
    if (!killed) break;
    kills++;
  }
  assert.ok(kills > 3, `${kills}`);
  assert.ok(await app.record(BOB));
  assert.equal((await app.kv.get(keys.restoring())).value, null);
});

Deno.test("a tombstone contains no email address, and a file with an invalid tombstone is rejected", async () => {
  await using app = await serviceWithTwoPeople();
  await eraseLater(app, ADA);
  const [row, ...more] = await Array.fromAsync(app.kv.list({ prefix: keys.family("tombstone") }));
  assert.deepEqual([more, row!.value], [[], { v: 1, at: app.clock.now() - 1000 }]);
  assert.doesNotMatch(Deno.inspect(row), /ada|example/i);
  const kept = (await app.services.people.export(ADA)).marks.map(({ what }) => what);
  assert.ok(kept.includes("that the address was erased"));
  await app.kv.set(row!.key, { v: 1 });
  await assert.rejects(restoreTo(app, await backupOf(app)), { name: "BadBackup" });
  assert.ok(await app.record(BOB));
});
