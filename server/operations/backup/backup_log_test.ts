import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { noted, readBackupLog } from "./backup_log.ts";

/** Takes backups of a text into a database's log. */
function backups(kv: Kv) {
  const clock = new ManualClock();
  const log = memoryLog();
  const deps = { kv, clock, random: seededRandom(1), log };
  const encoder = new TextEncoder();
  return {
    clock,
    log,
    start: (chunks: Iterable<string>) =>
      noted(
        ReadableStream.from(chunks).pipeThrough(
          new TransformStream<string, Uint8Array>({
            transform: (chunk, controller) => controller.enqueue(encoder.encode(chunk)),
          }),
        ),
        deps,
      ),
  };
}

const text = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();

Deno.test("a backup counts as complete once its last byte has been read, and the latest five are known", async () => {
  await using temp = await tempKv();
  const { clock, start } = backups(temp.kv);
  assert.deepEqual(await readBackupLog(temp.kv, clock.now()), { completedAt: [] });
  const ends: number[] = [];
  for (let day = 0; day < 7; day++) {
    const backup = start(["a", "b", "c"]);
    await clock.advance(1_000);
    assert.deepEqual((await readBackupLog(temp.kv, clock.now())).completedAt, ends.slice(-5));
    assert.equal(await text(backup), "abc");
    ends.push(clock.now());
    await clock.advance(86_400_000);
  }
  const { completedAt, failedAt } = await readBackupLog(temp.kv, clock.now());
  assert.deepEqual([completedAt, failedAt], [ends.slice(-5), undefined]);
});

Deno.test("a backup that is canceled before its start is noted has failed, and does not look as if it were under way", async () => {
  await using temp = await tempKv();
  let commits = 0;
  const { clock, start } = backups(beforeCommits(temp.kv, async () => {
    if (++commits > 1) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.set(clock.now() + 1_000);
  }));
  await start(["a"]).cancel("the client has gone");
  const seen = () => readBackupLog(temp.kv, clock.now());
  await eventually("both are noted", async () => (await seen()).startedAt !== undefined);
  const { startedAt, failedAt } = await seen();
  assert.ok(failedAt! >= startedAt!, `began at ${startedAt}, failed at ${failedAt}`);
});

Deno.test("a backup that is canceled or can't be read is noted as failed", async () => {
  await using temp = await tempKv();
  const { clock, start } = backups(temp.kv);
  const reader = start(["a", "b", "c", "d", "e", "f"]).getReader();
  await reader.read();
  await reader.cancel("the client has gone");
  assert.equal((await readBackupLog(temp.kv, clock.now())).failedAt, clock.now());

  await clock.advance(1_000);
  const broken = start(function* () {
    yield "a";
    throw new Error("the database is unavailable");
  }());
  await assert.rejects(text(broken), /unavailable/);
  assert.equal((await readBackupLog(temp.kv, clock.now())).failedAt, clock.now());
});

Deno.test("a database that accepts no writes can still be backed up", async () => {
  await using temp = await tempKv();
  const readOnly = aroundCommits(temp.kv, () => Promise.reject(new Error("the disk is full")));
  const { start, log } = backups(readOnly);
  assert.equal(await text(start(["a", "b"])), "ab");
  assert.equal(log.of("backup.not_noted").length, 2);
});
