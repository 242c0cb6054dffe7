/**
 * A move between the doubles of two providers over real sockets, killed with SIGKILL and resumed. `deno task test:migration`
 * runs it with 50,000 people.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openKv } from "../../server/platform/kv/open.ts";
import {
  createListmonkDouble,
  TOKEN as LISTMONK_TOKEN,
} from "../../server/providers/adapters/listmonk/testing/double.ts";
import type { ProviderDouble } from "../../server/providers/testing/serve_double.ts";
import { createMailerliteDouble } from "../../server/providers/adapters/mailerlite/testing/double.ts";
import { putRecord } from "../../server/signup/record/record.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";
import { readMigration } from "../../server/subscribers/migration/run.ts";
import type { ProcessInput } from "./process.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const PEOPLE = testSize("CFBE_TEST_MIGRATION_PEOPLE", 120);
/** Well below the limit of mutations in one commit, including the indexes. */
const RECORDS_PER_COMMIT = 50;
const PROCESS = fileURLToPath(new URL("process.ts", import.meta.url));
const TOKEN = "a-token-for-mailerlite";

const emailOf = (n: number) => `reader-${n}@example.com`;
/** Every tenth person left at the old provider; cfbe does not know. */
const hasLeft = (n: number) => n % 10 === 9;

/** The answers of a person, without a field in the settings, such as after its form was deleted. */
const answersOf = (n: number) => ({ size: n % 2 === 0 ? "s" : "l", guests: n });

async function fill(database: string, list: string): Promise<void> {
  const { kv, close } = await openKv(database);
  const at = Date.UTC(2026, 0, 1);
  for (let first = 0; first < PEOPLE; first += RECORDS_PER_COMMIT) {
    const tx = kv.atomic();
    for (let n = first; n < Math.min(first + RECORDS_PER_COMMIT, PEOPLE); n++) {
      const record: SignupRecord = {
        ...{ v: 2, email: emailOf(n), list, status: "active", tags: [], source: "popup", since: at + n },
        ...{ confirmed: { at, by: "webhook" }, createdAt: at, updatedAt: at, fields: answersOf(n) },
      };
      putRecord(tx, null, record);
    }
    assert.ok((await tx.commit()).ok);
  }
  close();
}

/** Serves a double on a free port, and counts the requests. */
function serveCounting({ handle }: ProviderDouble) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    counting.calls++;
    return handle(request);
  });
  const counting = {
    url: `http://127.0.0.1:${server.addr.port}`,
    calls: 0,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return counting;
}

/**
 * Runs the process to its end, or kills it as soon as `isEnough`.
 *
 * @returns its last known time, Unix milliseconds, and whether it was killed
 */
async function runProcess(input: ProcessInput, isEnough: () => boolean) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--node-modules-dir=manual", PROCESS, JSON.stringify(input)],
    stdout: "piped",
    stderr: "inherit",
  });
  await using child = command.spawn();
  let { now } = input;
  const poll = setInterval(() => {
    if (!isEnough()) return;
    clearInterval(poll);
    child.kill("SIGKILL");
  }, 2);
  try {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      now = Number(text.trim().split("\n").at(-1)) || now;
    }
    const { success, signal } = await child.status;
    assert.ok(success || signal === "SIGKILL");
    return { now, killed: signal === "SIGKILL" };
  } finally {
    clearInterval(poll);
  }
}

Deno.test("a move that is killed twice moves everyone once with their answers, and mails nobody at either provider", async () => {
  const old = createMailerliteDouble(TOKEN);
  const group = old.account.newId();
  old.account.groups.set(group, "News");
  await using oldServer = serveCounting(old);
  const fresh = createListmonkDouble();
  await using freshServer = serveCounting(fresh);
  const list = fresh.addList("News", "double");
  for (let n = 0; n < PEOPLE; n++) {
    const status = hasLeft(n) ? "unsubscribed" : "active";
    old.account.add(emailOf(n), { status, groups: new Set([group]) });
  }
  const folder = await Deno.makeTempDir({ prefix: "cfbe-migration-" });
  try {
    const database = `${folder}/cfbe.kv`;
    await fill(database, group);
    const input: ProcessInput = {
      database,
      old: { url: `${oldServer.url}/api`, token: TOKEN, list: group },
      fresh: { url: `${freshServer.url}/lists.example`, token: LISTMONK_TOKEN, list },
      now: Date.UTC(2026, 5, 1),
    };
    let moveMs = 0;
    for (const share of [1 / 3, 2 / 3, Infinity]) {
      const { now, killed } = await runProcess(input, () => fresh.size() >= PEOPLE * share);
      assert.equal(killed, share < 1);
      moveMs += now - input.now;
      // The lease of the killed process has ended by then.
      input.now = now + 2 * 60_000;
    }
    const { kv, close } = await openKv(database);
    const run = (await readMigration(kv))!;
    close();
    const left = Array.from({ length: PEOPLE }, (_, n) => n).filter(hasLeft);
    assert.equal(run.ended?.how, "done");
    assert.equal(run.moved + run.active, PEOPLE - left.length);
    // A kill between an import and its commit is the only way to find somebody active.
    assert.ok(run.active <= 2, String(run.active));
    assert.deepEqual(run.skipped, { "The person has unsubscribed at the old provider.": left.length });
    assert.equal(fresh.size(), PEOPLE - left.length, "nobody is lost, and nobody who left is there");
    for (let n = 0; n < PEOPLE; n++) {
      const { size, guests } = fresh.attributesOf(emailOf(n)) ?? {};
      assert.deepEqual({ size, guests }, hasLeft(n) ? { size: undefined, guests: undefined } : answersOf(n));
    }
    assert.equal(run.values?.stored, run.moved * 2);
    const lost = Object.values(run.values.omitted).reduce((sum, count) => sum + count, 0);
    assert.equal(lost, run.active * 2, "counted as not moved, because cfbe cannot know who had moved them");
    assert.deepEqual([fresh.mails, old.account.mails], [[], []]);
    // One call for the lists, one for each person, and one more for each person whom a kill interrupted.
    assert.ok(oldServer.calls <= PEOPLE + 3, String(oldServer.calls));
    const minutes = Math.round(moveMs / 60_000);
    console.log(
      `${PEOPLE} people: ${minutes} minutes by the call budgets, ${oldServer.calls} calls to the old provider, ` +
        `${freshServer.calls} to the new one`,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
