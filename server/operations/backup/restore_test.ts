import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { openDenoKv } from "../../platform/kv/engines/deno_kv.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { bootstrap } from "../../program/bootstrap.ts";
import type { CartRow } from "../../shops/carts/cart.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { startSlot } from "../../platform/jobs/recurring.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { OrderSchema } from "../../shops/systems/order.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { BadBackup, newHeader, writeBackup } from "./file.ts";
import { BACKUP_JOB } from "./job_name.ts";
import { readBytes, restoreInto, rowsOf, usedService } from "./testing/backups.ts";
import { takeBackup } from "./snapshot.ts";

Deno.test("a restore into a non-empty database or with another salt requires its option, and changes nothing without it", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const bytes = await readBytes(takeBackup(app.services));
  await other.kv.set([...keys.all(), "mine"], 1);
  await assert.rejects(restoreInto(app, other.kv, bytes), { name: "RestoreRefused", code: "not_empty" });
  const keyring = createKeyring(["another salt, which is long enough to be accepted"]);
  await assert.rejects(restoreInto(app, other.kv, bytes, { keyring, replace: true }), {
    code: "other_salt",
  });
  assert.equal((await rowsOf(other.kv)).size, 1);
  await restoreInto(app, other.kv, bytes, { keyring, replace: true, otherSalt: true });
  assert.equal((await other.kv.get([...keys.all(), "mine"])).value, null);
  assert.ok((await other.kv.get(keys.signup("ann@example.com", LIST))).value);
});

Deno.test("a shared database is restored only while deactivated, and stays deactivated", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const bytes = await readBytes(takeBackup(app.services));
  const shared = { shared: true, replace: true };
  await restoreInto(app, other.kv, bytes, shared);
  const again = () => restoreInto(app, other.kv, bytes, shared);
  await assert.rejects(again, { code: "active" });
  const at = app.clock.now();
  await other.kv.set(keys.activation(), { v: 1, active: false, at });
  await app.clock.advance(29_999);
  await assert.rejects(again, { code: "active" });
  await app.clock.advance(1);
  await other.kv.set([...keys.all(), "late"], "written by another process");
  await again();
  assert.deepEqual((await other.kv.get(keys.activation())).value, { v: 1, active: false, at });
  assert.equal((await other.kv.get([...keys.all(), "late"])).value, null);
  assert.ok((await other.kv.get(keys.signup("ann@example.com", LIST))).value);
});

Deno.test("a backup of a deactivated service, restored into an empty database, is deactivated there, shared or not", async () => {
  await using app = await usedService();
  await (await app.post({ email: "eve@example.com" })).body?.cancel();
  await app.services.activation.deactivate();
  const bytes = await readBytes(takeBackup(app.services));
  for (const shared of [true, false]) {
    await using other = await tempKv();
    const { delivered } = await restoreInto(app, other.kv, bytes, { shared });
    assert.equal(delivered, 0);
    const [own, restored] = await Promise.all(
      [app.kv, other.kv].map(async (kv) => (await kv.get(keys.activation())).value),
    );
    assert.deepEqual(restored, own);
    const parked = (kv: Kv) => Array.fromAsync(kv.list({ prefix: keys.parkedAll() }), ({ key }) => key);
    assert.ok((await parked(app.kv)).length > 0);
    assert.deepEqual(await parked(other.kv), await parked(app.kv));
  }
});

/** Returns a database whose commits fail from one on, as if the process had died. */
function dyingKv(inner: Kv, commits: number): Kv {
  return aroundCommits(inner, (commit) => {
    return commits-- <= 0 ? Promise.reject(new Error("killed")) : commit();
  });
}

Deno.test("an interrupted restore into an empty shared database is completed by running it again, wherever it died", async () => {
  await using app = await usedService();
  await app.services.activation.deactivate();
  // The backup contains the row of an active service, which is restored with the second commit.
  await app.services.activation.activate();
  const bytes = await readBytes(takeBackup(app.services));
  const shared = { shared: true };
  for (const commits of [0, 1, 3]) {
    await using other = await tempKv();
    for (const died of [commits, 0]) {
      await assert.rejects(restoreInto(app, dyingKv(other.kv, died), bytes, shared), /killed/);
    }
    await restoreInto(app, other.kv, bytes, shared);
    assert.ok((await other.kv.get(keys.signup("dan@example.com", LIST))).value);
    assert.equal((await other.kv.get(keys.restoring())).value, null);
  }
  await using other = await tempKv();
  await other.kv.set(keys.restoring(), { v: 1, at: 0 });
  await restoreInto(app, other.kv, bytes, shared);
  assert.ok((await other.kv.get(keys.signup("dan@example.com", LIST))).value, "begun by an earlier version");
});

Deno.test("an interrupted restore of a shared database in use is completed only while the service is deactivated", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const bytes = await readBytes(takeBackup(app.services));
  const activation = (active: boolean) =>
    other.kv.set(keys.activation(), { v: 1, active, at: app.clock.now() - 30_000 });
  await restoreInto(app, other.kv, bytes);
  await activation(false);
  const shared = { shared: true, replace: true };
  await assert.rejects(restoreInto(app, dyingKv(other.kv, 3), bytes, shared), /killed/);
  await activation(true);
  await assert.rejects(restoreInto(app, other.kv, bytes, shared), { code: "active" });
  await activation(false);
  await restoreInto(app, other.kv, bytes, { shared: true });
  assert.ok((await other.kv.get(keys.signup("dan@example.com", LIST))).value);
});

const ENV = { CFBE_SALT: "a salt for tests, long enough to be one", CFBE_API_TOKEN: "x".repeat(20) };

async function withFile(test: (file: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-restore-" });
  try {
    await test(`${folder}/cfbe.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("no service starts on a half-restored database, and the next restore completes it", () =>
  withFile(async (file) => {
    await using app = await usedService();
    const bytes = await readBytes(takeBackup(app.services));
    const start = () => bootstrap({ ...ENV, CFBE_KV: file }, { write: () => {} });
    for (const commits of [0, 1, 3]) {
      const kv = await openDenoKv(file);
      await assert.rejects(restoreInto(app, dyingKv(kv, commits), bytes), /killed/);
      kv.close();
      await assert.rejects(start, /restore of this database was interrupted: run `.* restore <file>` again/);
    }
    const again = await openDenoKv(file);
    await restoreInto(app, again, bytes);
    assert.ok((await again.get(keys.signup("dan@example.com", LIST))).value);
    again.close();
    await (await start()).close(0);
  }));

Deno.test("a restore that dies beside a database leaves it as it was if it has data, and marks it as incomplete if it is empty", () =>
  withFile(async (file) => {
    await using app = await usedService();
    await using beside = await tempKv();
    const bytes = await readBytes(takeBackup(app.services));
    const start = () => bootstrap({ ...ENV, CFBE_KV: file }, { write: () => {} });
    const dying = async () => {
      const replaces = await openDenoKv(file);
      const options = { replaces, replace: true };
      await assert.rejects(restoreInto(app, dyingKv(beside.kv, 1), bytes, options), /killed/);
      replaces.close();
    };
    await dying();
    await assert.rejects(start, /restore of this database was interrupted/);
    const old = await openDenoKv(file);
    await restoreInto(app, old, bytes);
    await old.delete(keys.signup("ben@example.com", LIST));
    const before = await rowsOf(old);
    old.close();
    await dying();
    const after = await openDenoKv(file);
    assert.deepEqual(await rowsOf(after), before);
    after.close();
    await (await start()).close(0);
  }));

Deno.test("a signup made while the backup is read is restored completely or not at all", async () => {
  await using app = await harness();
  await using other = await tempKv();
  for (const name of ["ann", "ben"]) await (await app.post({ email: `${name}@example.com` })).body?.cancel();
  // As if ann's job had finished and ben's record had been written after the records were read.
  for await (const { key } of app.kv.list({ prefix: keys.family("job") })) await app.kv.delete(key);
  await app.kv.delete(keys.signup("ben@example.com", LIST));
  const { delivered } = await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  assert.equal(delivered, 1);
  assert.doesNotMatch([...(await rowsOf(other.kv)).keys()].join("\n"), /ben@/);
});

Deno.test("a queued order email counts as sent after a restore, because it may have been sent since the backup", async () => {
  const modules = { orderEmails: true };
  await using app = await harness({
    settings: { general: { modules }, orders: { templates: { processing: "t" } } },
  });
  await using other = await tempKv();
  const order = { id: "1", status: "processing", email: "ann@example.com", total: 1 };
  await app.services.orders.accept(OrderSchema.parse(order));
  await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  const markers = createMarkers(app.services.keyring);
  assert.ok((await other.kv.get(markers.orderMailed(markers.order("1"), "processing"))).value);
  assert.deepEqual(await Array.fromAsync(other.kv.list({ prefix: keys.family("job") })), []);
});

Deno.test("a restored database does not contain the job that made the backup", async () => {
  await using app = await harness();
  await using other = await tempKv();
  const slot = { name: BACKUP_JOB.id, everyMs: 1, now: app.clock.now() };
  await startSlot(app.services, slot, BACKUP_JOB);
  const [running] = await app.queue.claim(1);
  assert.equal(running?.row.id, BACKUP_JOB.id);
  await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  for (const prefix of [keys.family("job"), keys.dueAll()]) {
    assert.deepEqual(await Array.fromAsync(other.kv.list({ prefix })), []);
  }
});

Deno.test("restored carts have their index entries and count as reminded, because the email may have been sent since", async () => {
  await using app = await harness({ settings: { general: { modules: { carts: true } } } });
  await using other = await tempKv();
  const session = "x".repeat(22);
  await app.services.carts.change(session, { email: "ann@example.com" });
  await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  const id = createMarkers(app.services.keyring).cartOf(session);
  const [before, after] = await Promise.all(
    [app.kv, other.kv].map(async (kv) => (await kv.get<CartRow>(keys.cart(id))).value),
  );
  assert.deepEqual(after, { ...before, mail: { at: app.clock.now(), state: "unknown" } });
  assert.ok((await other.kv.get(keys.cartOf("ann@example.com", id))).versionstamp);
  assert.deepEqual((await other.kv.get(keys.cartBytes())).value, (await app.kv.get(keys.cartBytes())).value);
});

Deno.test("a complete file with an invalid row is rejected before anything is deleted", async () => {
  await using app = await usedService();
  const before = await rowsOf(app.kv);
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const [job] = await Array.fromAsync(app.kv.list<JobRow>({ prefix: keys.family("job") }, { limit: 1 }));
  const invalidRows: [KvKey, unknown][] = [
    [job!.key, { ...job!.value, payload: cycle }],
    [[...keys.all(), "signup", "eve@example.com", LIST], { v: 2 }],
    [[...keys.all(), "job", "x"], { v: 1, id: "x", state: "dead" }],
    [["s", "another site", "mark", "x", "y"], 1],
    [[...keys.all(), "mark", { not: "a part" } as unknown as string], 1],
  ];
  for (const [key, value] of invalidRows) {
    const file = writeBackup(
      newHeader(app.services.keyring, 1),
      (async function* () {
        yield* [{ key, value }];
      })(),
    );
    await assert.rejects(
      restoreInto(app, app.kv, await readBytes(file), { replace: true }),
      BadBackup,
      Deno.inspect(key),
    );
    assert.deepEqual(await rowsOf(app.kv), before);
  }
});
