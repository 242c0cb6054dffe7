import assert from "node:assert/strict";
import { couponKey } from "../../coupons/row.ts";
import { addJob } from "../../jobs/add.ts";
import { keys } from "../../kv/keys.ts";
import { createMarkers } from "../../mail/markers.ts";
import { OrderSchema } from "../../shop/order.ts";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import { tempKv } from "../../testing/temp_kv.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto } from "./testing/backups.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const modules = { carts: true, coupons: true, checkout: true, contactSync: true };

/** Creates a service in which both Ada and Bob have rows of every kind. */
async function serviceWithTwoPeople(): Promise<Harness> {
  const consent = { consent: "optional", consentText: "Send me news." } as const;
  const b = await harness({ settings: { general: { modules }, form: consent } });
  const list = { v: 1, id: LIST, name: "", doubleOptIn: true, private: false, createdAt: 0 };
  await b.kv.set(keys.sandboxList(LIST), list);
  for (const email of [ADA, BOB]) {
    await signUp(b, email);
    await b.services.carts.change(email.padEnd(22, "x").replaceAll(/[@.]/g, "_"), { email });
    await b.services.orders.accept(
      OrderSchema.parse({ id: `order of ${email}`, status: "processing", email, total: 9, optIn: false }),
    );
    await b.services.carts.change(`again${email}`.padEnd(22, "x"), { email });
    await b.kv.set(couponOf(b, email), coupon(email));
    const at = b.clock.now();
    const row = {
      v: 1,
      id: email,
      list: LIST,
      email,
      name: "",
      status: "active",
      token: `token of ${email}`,
    };
    await b.kv.set(keys.sandboxSubscriber(LIST, email), { ...row, createdAt: at, updatedAt: at });
    await b.kv.set(keys.sandboxLink(row.token), { v: 1, list: LIST, email });
    const mail = { v: 1, id: email, at, to: email, kind: "confirmation", subject: "s", text: "t" };
    await b.kv.set(keys.sandboxMail(at, email), mail);
    await b.kv.set(keys.sandboxMailTo(email, at, email), mail);
    const waiting = {
      name: "cfbe_anything",
      payload: { deep: [{ to: email.toUpperCase() }] },
      due: at,
    } as const;
    const tx = b.kv.atomic();
    addJob(
      tx,
      await b.kv.get<never>(keys.job(`about ${email[0]}`)),
      { id: `about ${email[0]}`, ...waiting },
      at,
    );
    await tx.commit();
  }
  return b;
}

async function signUp(b: Harness, email: string): Promise<void> {
  await (await b.post({ email, consent: true })).body?.cancel();
}

const couponOf = (b: Harness, email: string) => {
  const markers = createMarkers(b.services.keyring);
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

const backupOf = (b: Harness) => readBytes(takeBackup(b.services));

function restoreTo(b: Harness, bytes: Uint8Array<ArrayBuffer>, kv = b.kv) {
  return restoreInto(b, kv, bytes, { replace: true });
}

/** Returns all rows that contain an email address or its HMAC, as text. Tombstones and most markers do not count. */
async function rowsAbout(b: Harness, email: string, kv = b.kv): Promise<string[]> {
  const person = createMarkers(b.services.keyring).person(email);
  const rows = await Array.fromAsync(kv.list({ prefix: [] }));
  return rows.filter(({ key }) => !["tombstone", "mark"].includes(String(key[2])) || key[3] === "coupon")
    .map(({ key, value }) => Deno.inspect([key, value], { depth: 9 }).toLowerCase())
    .filter((text) => text.includes(email) || text.includes(person.toLowerCase()));
}

async function eraseLater(b: Harness, email: string): Promise<void> {
  await b.clock.advance(1000);
  await b.services.people.erase(email);
  await b.clock.advance(1000);
}

Deno.test("a person erased after a backup stays erased when it is restored, in every kind of row; others are restored", async () => {
  await using b = await serviceWithTwoPeople();
  const bytes = await backupOf(b);
  const rowsAboutBob = (await rowsAbout(b, BOB)).length;
  assert.equal((await rowsAbout(b, ADA)).length, rowsAboutBob);
  await eraseLater(b, ADA);
  for (let times = 0; times < 2; times++) {
    await restoreTo(b, bytes);
    assert.deepEqual(await rowsAbout(b, ADA), []);
    assert.equal((await rowsAbout(b, BOB)).length, rowsAboutBob);
  }
  const couponAfter = (await b.kv.get<ReturnType<typeof coupon>>(couponOf(b, ADA))).value;
  assert.deepEqual([couponAfter?.state, couponAfter?.code], ["over", "WELCOME-1"]);
});

Deno.test("a person who signed up again after an erasure is restored completely", async () => {
  await using b = await serviceWithTwoPeople();
  await eraseLater(b, ADA);
  await signUp(b, ADA);
  await b.services.orders.accept(
    OrderSchema.parse({ id: "new", status: "processing", email: ADA, total: 5, optIn: false }),
  );
  const before = await b.services.people.export(ADA);
  await restoreTo(b, await backupOf(b));
  const { held } = await b.services.people.export(ADA);
  for (const kind of ["signups", "orders"]) assert.deepEqual(held[kind], before.held[kind]);
  assert.equal(held["jobs"]!.length, before.held["jobs"]!.length);
});

Deno.test("a backup with both a tombstone and an older row of the same person does not restore the row", async () => {
  await using b = await serviceWithTwoPeople();
  await using other = await tempKv();
  const before = await b.record(ADA);
  await eraseLater(b, ADA);
  await b.kv.set(keys.signup(ADA, LIST), before);
  await restoreTo(b, await backupOf(b), other.kv);
  assert.deepEqual(await rowsAbout(b, ADA, other.kv), []);
  assert.ok((await other.kv.get(keys.signup(BOB, LIST))).value);
});

Deno.test("consents from before an erasure are not restored with the signup made after it", async () => {
  await using b = await serviceWithTwoPeople();
  await using other = await tempKv();
  const prefix = keys.consentsOf(ADA, LIST);
  const [old] = await Array.fromAsync(b.kv.list({ prefix }));
  await eraseLater(b, ADA);
  await signUp(b, ADA);
  const newConsents = (await Array.fromAsync(b.kv.list({ prefix }))).map(({ value }) => value);
  await b.kv.set(old!.key, old!.value);
  await restoreTo(b, await backupOf(b), other.kv);
  assert.deepEqual((await Array.fromAsync(other.kv.list({ prefix }))).map(({ value }) => value), newConsents);
  assert.equal(newConsents.length, 1);
});

Deno.test("the newer of two tombstones for one address survives a restore", async () => {
  await using b = await serviceWithTwoPeople();
  await eraseLater(b, ADA);
  const bytes = await backupOf(b);
  await eraseLater(b, ADA);
  const key = keys.tombstone(createMarkers(b.services.keyring).person(ADA));
  const { value } = await b.kv.get(key);
  await restoreTo(b, bytes);
  assert.deepEqual((await b.kv.get(key)).value, value);
});

Deno.test("a restore killed at any commit loses no erasure, and completes when run again", async () => {
  await using b = await serviceWithTwoPeople();
  const bytes = await backupOf(b);
  await eraseLater(b, ADA);
  let kills = 0;
  for (let commits = 0;; commits++) {
    let remaining = commits;
    const failingKv = new Proxy(b.kv, {
      get(target, name) {
        const member = Reflect.get(target, name, target);
        if (name !== "atomic") return typeof member === "function" ? member.bind(target) : member;
        return () => {
          if (remaining-- === 0) throw new Error("killed");
          return target.atomic();
        };
      },
    });
    const killed = await restoreTo(b, bytes, failingKv).then(() => false, (error) => {
      if (error.message !== "killed") throw error;
      return true;
    });
    assert.deepEqual(await rowsAbout(b, ADA), []);
    if (!killed) break;
    kills++;
  }
  assert.ok(kills > 3, `${kills}`);
  assert.ok(await b.record(BOB));
  assert.equal((await b.kv.get(keys.restoring())).value, null);
});

Deno.test("a tombstone contains no email address, and a file with an invalid tombstone is rejected", async () => {
  await using b = await serviceWithTwoPeople();
  await eraseLater(b, ADA);
  const [row, ...more] = await Array.fromAsync(b.kv.list({ prefix: keys.family("tombstone") }));
  assert.deepEqual([more, row!.value], [[], { v: 1, at: b.clock.now() - 1000 }]);
  assert.doesNotMatch(Deno.inspect(row), /ada|example/i);
  const kept = (await b.services.people.export(ADA)).marks.map(({ what }) => what);
  assert.ok(kept.includes("that the address was erased"));
  await b.kv.set(row!.key, { v: 1 });
  await assert.rejects(restoreTo(b, await backupOf(b)), { name: "BadBackup" });
  assert.ok(await b.record(BOB));
});
