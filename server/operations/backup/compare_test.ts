import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { openKv } from "../../platform/kv/open.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { type KvEntryMaybe, KvU64 } from "../../platform/kv/port.ts";
import { compareRestored } from "./compare.ts";
import { newHeader, writeBackup } from "./file.ts";
import { readBytes, restoreInto, streamOf } from "./testing/backups.ts";
import { LONG_LIST, longEmail, longestRows } from "./testing/longest_rows.ts";

/** Restores a backup, and returns the database and a comparison with the backup. */
async function restored(app: Harness) {
  const { kv, close } = await openKv(":memory:");
  const { keyring } = app.services;
  const bytes = await readBytes(writeBackup(newHeader(keyring, 1), longestRows(3)));
  await restoreInto(app, kv, bytes);
  const restoredAt = app.clock.now();
  const open = () => Promise.resolve(streamOf(bytes));
  const source = { open, kv, keyring, tombstones: new Map(), takenAt: 1, isKept: () => false };
  return {
    kv,
    compare: (version: string, shared = false) => compareRestored(source, { restoredAt, version, shared }),
    version: async () => (await kv.set(["version"], 1)).versionstamp,
    [Symbol.dispose]: close,
  };
}

Deno.test("a restored row that is missing or different is found, index entries and sums included", async () => {
  await using app = await harness();
  using made = await restored(app);
  const { kv, compare, version } = made;
  await compare(await version());
  const [entry] = await Array.fromAsync(kv.list({ prefix: keys.subscribersBy("all", "") }, { limit: 1 }));
  const record = await kv.get<object>(keys.signup(longEmail(1), LONG_LIST));
  const bytesOfCarts = await kv.get(keys.cartBytes());
  const changes: [KvEntryMaybe<unknown>, unknown][] = [
    [entry!, null],
    [record, { ...record.value, name: "another" }],
    [bytesOfCarts, new KvU64(1n)],
  ];
  for (const [{ key, value }, other] of changes) {
    await (other === null ? kv.delete(key) : kv.set(key, other));
    await assert.rejects(compare(await version()), { name: "RestoreDiffers", rows: 1 });
    await kv.set(key, value);
  }
  await compare(await version());
});

Deno.test("what other processes write to a shared database during a restore is no difference", async () => {
  await using app = await harness();
  using made = await restored(app);
  const { kv, compare } = made;
  const version = await made.version();
  for await (const { key } of kv.list({ prefix: keys.family("job") })) await kv.delete(key);
  await kv.set(keys.signup(longEmail(1), LONG_LIST), "changed since");
  await compare(version, true);
  await assert.rejects(compare(version), { name: "RestoreDiffers", rows: 3 });
  await kv.delete(keys.signup(longEmail(1), LONG_LIST));
  await assert.rejects(compare(version, true), { name: "RestoreDiffers", rows: 1 });
});
