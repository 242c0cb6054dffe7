import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import { systemClock } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import { openKv } from "../../platform/kv/open.ts";
import { API_KEY, harness, SECRET } from "../../../dev/testing/harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { KvU64 } from "../../platform/kv/port.ts";
import { readBackup } from "./file.ts";
import { readBytes, restoreInto, rowsOf, streamOf, usedService } from "./testing/backups.ts";
import { takeBackup } from "./snapshot.ts";

Deno.test("a restore preserves all kinds of values and keys: counters, numbers, long and unusual texts, unusual keys", async () => {
  await using app = await harness();
  const other = await openKv(":memory:");
  const values = {
    n: [-0.5, 1e300, null, true],
    text: "line\nbreak \u2028 </script> { \ud800 \0",
    again: [{ $: "u64" }, null],
    1: "a key that JSON sorts",
  };
  const key = [...keys.all(), "test", new Uint8Array([1, 2]), 1n, -0.5, true, "ä\u0000"];
  await app.kv.set(key, values);
  await app.kv.atomic().sum([...keys.all(), "sum"], 7n).commit();
  await app.kv.set([...keys.all(), "long"], "x".repeat(60_000));
  await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  assert.deepEqual((await other.kv.get(key)).value, values);
  const sum = (await other.kv.get<KvU64>([...keys.all(), "sum"])).value;
  assert.ok(sum instanceof KvU64 && sum.value === 7n);
  assert.deepEqual(await rowsOf(other.kv), await rowsOf(app.kv));
  other.close();
});

Deno.test("a restored database equals the original, except that all job results count as unknown", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const running = await app.queue.claim(1);
  assert.equal(running.length, 1);
  const result = await restoreInto(app, other.kv, await readBytes(takeBackup(app.services)));
  assert.equal(result.delivered, 0);
  const before = await rowsOf(app.kv);
  const after = await rowsOf(other.kv);
  const job = Deno.inspect(keys.job(running[0]!.row.id), { colors: false });
  // deno-lint-ignore no-explicit-any -- a row of any shape
  const restored = after.get(job) as any;
  assert.deepEqual([restored.unknown, restored.lease.token, restored.lease.until], [
    true,
    "",
    app.clock.now(),
  ]);
  for (const map of [before, after]) {
    for (const name of map.keys()) if (/"(job|due|flushed)"/.test(name)) map.delete(name);
  }
  assert.deepEqual(after, before);
});

Deno.test("a backup contains no salt and no plain secrets, and a changed or truncated one is rejected", async () => {
  await using app = await usedService();
  await using other = await tempKv();
  const bytes = await readBytes(takeBackup(app.services));
  const text = gunzipSync(bytes).toString();
  assert.ok(text.includes("ann@example.com"));
  for (const secret of ["saved-provider-key", API_KEY, SECRET, "a salt for tests"]) {
    assert.ok(!text.includes(secret), secret);
  }
  const invalid: [Buffer, RegExp][] = [
    [gzipSync(text.replace("ann@", "eve@")), /checksum/],
    [gzipSync(text.replace(/\[\[1.*\n/, "")), /checksum/],
    [gzipSync(text.slice(0, text.length / 2)), /truncated|invalid line/],
    [gzipSync(text.split("\n").slice(0, -2).join("\n") + "\n"), /truncated/],
    [gzipSync(text + text), /data after its last line/],
    [gzipSync(text.replace('"v":1', '"v":2')), /format version 2/],
    [gzipSync(""), /truncated/],
    [gzipSync('{"a":1}\n'), /not a cfbe backup/],
    [Buffer.from(bytes.slice(0, bytes.length / 2)), /truncated/],
    [Buffer.from("plain text"), /not a gzip file/],
  ];
  for (const [content, message] of invalid) {
    await assert.rejects(restoreInto(app, other.kv, new Uint8Array(content)), { name: "BadBackup", message });
  }
  assert.equal((await rowsOf(other.kv)).size, 0, "an invalid file is rejected before anything is written");
  assert.ok((await readBackup(streamOf(bytes))).rows > 10);
});

Deno.test("a backup reads only the rows that it contains, and one row of each kind to find the others", async () => {
  await using app = await usedService();
  const kinds = new Set<unknown>();
  for await (const { key } of app.kv.list({ prefix: keys.all() })) kinds.add(key[2]);
  app.reset();
  const { rows } = await readBackup(streamOf(await readBytes(takeBackup(app.services))));
  assert.ok(app.listed() <= rows + kinds.size, `${app.listed()} rows read for ${rows}`);
});

Deno.test("a backup over HTTP rests after each hundred rows, so that visitors are served meanwhile", async () => {
  const token = "a-token-for-the-backup-long-enough";
  await using app = await harness({ env: { CFBE_API_TOKEN: token } });
  for (let row = 0; row < 350; row++) await app.kv.set(keys.alertPast(row, "summary"), { v: 1 });
  const { sleep } = systemClock;
  let rests = 0;
  try {
    systemClock.sleep = () => {
      rests++;
      return Promise.resolve();
    };
    const response = await app.fetch("/ops/backup", { headers: { authorization: `Bearer ${token}` } });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  } finally {
    systemClock.sleep = sleep;
  }
  assert.ok(rests >= 3, `${rests} rests`);
});
