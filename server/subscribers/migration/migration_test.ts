import assert from "node:assert/strict";
import type { ListStatus } from "../../../shared/outcomes.ts";
import type { ClaimedJob } from "../../jobs/claim.ts";
import { fenceOf } from "../../jobs/handler.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { runAction } from "../../admin/run_action.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { ConsentRow, SignupRecord } from "../../signup/record/row.ts";
import { type Harness, harness, LIST } from "../../testing/harness.ts";
import { ManualClock } from "../../testing/manual_clock.ts";
import { type StubProvider, stubProvider, stubTrouble } from "../../testing/stub_provider.ts";
import { PEOPLE_PER_ATTEMPT } from "./job.ts";
import { migrationReport } from "./report.ts";
import { readMigration } from "./run.ts";

const NEW = "new-list";
const OLD = "mailerlite";
const CONSENT: ConsentRow = {
  ...{ v: 1, id: "c1", at: 1, given: true, textHash: "hash", locale: "en", ip: "192.0.2.7", source: "popup" },
};

interface World extends AsyncDisposable {
  app: Harness;
  /** The new provider is the one of the harness. */
  fresh: StubProvider;
  old: StubProvider;
}

async function world(): Promise<World> {
  const old = stubProvider(new ManualClock());
  const app = await harness({ others: { [OLD]: old } });
  const lists = (id: string) => () =>
    Promise.resolve({ kind: "lists" as const, lists: [{ id, name: "News" }] });
  old.lists = lists(LIST);
  app.provider.lists = lists(NEW);
  return { app, fresh: app.provider, old, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Adds somebody who is active here, with a status at the old provider. */
async function add(
  { app, old }: World,
  email: string,
  atOld: ListStatus | "absent" = "active",
  more: Partial<SignupRecord> = {},
): Promise<void> {
  const at = app.clock.now() - 1_000;
  const record: SignupRecord = {
    ...{ v: 2, email, list: LIST, status: "active", tags: ["news"], source: "popup", since: at },
    ...{ confirmed: { at, by: "webhook" }, createdAt: at, updatedAt: at, consent: CONSENT, ...more },
  };
  await putRecord(app.kv.atomic(), null, record).commit();
  if (atOld !== "absent") old.put(LIST, email, atOld);
}
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(3, "0")}@example.com`);

async function start({ app }: World, dryRun = false): Promise<void> {
  const input = { from: OLD, lists: { [LIST]: NEW }, dryRun };
  const outcome = await runAction(app.services, LOCAL, "cfbe_migrate_provider", input);
  assert.ok(outcome.ok, JSON.stringify(outcome));
}

/** Waits for the work, whose calls wait for the call budget. */
async function whileTimePasses<T>({ clock }: Harness, work: Promise<T>): Promise<T> {
  let ended = false;
  const end = () => ended = true;
  work.then(end, end);
  while (!ended) {
    // A call waits at most a second; without that, time stands still, so that no lease ends on a slow machine.
    if (clock.wakesIn <= 1_000) await clock.advance(clock.wakesIn);
    else await new Promise((resolve) => setTimeout(resolve));
  }
  return await work;
}

async function finish({ app }: World) {
  for (let attempts = 0; attempts < 100; attempts++) {
    await whileTimePasses(app, app.work());
    const run = (await readMigration(app.kv))!;
    if (run.ended) return run;
    await app.clock.advance(60_000);
  }
  throw new Error("the move does not end");
}
const notMoved = async ({ app }: World) => (await migrationReport(app.kv, undefined)).records;
const importsOf = ({ fresh }: World, email: string) =>
  fresh.calls.filter((call) => call === `import ${email}`).length;

Deno.test("a move takes confirmed people with their proof to the new provider, and mails nobody on either side", async () => {
  await using w = await world();
  const proofs: unknown[] = [];
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = (target, person) => {
    proofs.push(person);
    return importConfirmed(target, person);
  };
  await add(w, "ada@example.com", "active", { name: "Ada" });
  const { confirmed } = (await w.app.record("ada@example.com"))!;
  await start(w);
  const run = await finish(w);
  assert.deepEqual([run.ended?.how, run.moved, run.active, run.skipped], ["done", 1, 0, {}]);
  assert.deepEqual(proofs, [{ name: "Ada", tags: ["news"], confirmedAt: confirmed!.at, ip: "192.0.2.7" }]);
  assert.deepEqual([w.fresh.mails, w.old.mails], [[], []]);
  const added = (await w.app.record("ada@example.com", NEW))!;
  assert.deepEqual([added.status, added.listStatus], ["active", "active"]);
  assert.equal((await w.app.consents("ada@example.com", NEW))[0]?.ip, "192.0.2.7");
});

Deno.test("nobody who left, is suppressed, bounced, paused or pending on either side is moved, and the report says why", async () => {
  await using w = await world();
  const kept = ["unsubscribed", "suppressed", "bounced", "paused", "pending"] as const;
  for (const status of kept) {
    await add(w, `old-${status}@example.com`, status);
    await add(w, `new-${status}@example.com`);
    w.fresh.put(NEW, `new-${status}@example.com`, status);
  }
  await add(w, "known@example.com", "active", { listStatus: "unsubscribed" });
  await add(w, "removed@example.com", "absent");
  await add(w, "unproven@example.com");
  const { confirmed: _, ...unproven } = (await w.app.record("unproven@example.com"))!;
  await putRecord(w.app.kv.atomic(), unproven, unproven).commit();
  await start(w);
  const run = await finish(w);
  assert.deepEqual([run.moved, run.active], [0, 0]);
  for (const status of kept) {
    assert.deepEqual(await w.fresh.status({ list: NEW, email: `old-${status}@example.com` }), {
      kind: "absent",
    });
    assert.deepEqual(await w.fresh.status({ list: NEW, email: `new-${status}@example.com` }), {
      kind: "found",
      status,
    });
  }
  const rows = await notMoved(w);
  assert.equal(rows.length, kept.length * 2 + 3);
  const reason = (email: string) => rows.find((row) => row.email === email)?.reason;
  assert.equal(
    reason("old-bounced@example.com"),
    "The person has an address that bounces at the old provider.",
  );
  assert.equal(reason("new-pending@example.com"), "The person has not confirmed at the new provider.");
  assert.equal(reason("known@example.com"), "The person has unsubscribed at the old provider.");
  assert.equal(reason("unproven@example.com"), "cfbe did not record a confirmation.");
  assert.equal(importsOf(w, "known@example.com"), 0);
});

Deno.test("signups that are not active are never asked about at the new provider", async () => {
  await using w = await world();
  for (const status of ["queued", "pending", "failed", "expired"] as const) {
    await add(w, `${status}@example.com`, "active", { status });
  }
  await start(w);
  assert.equal((await finish(w)).moved, 0);
  assert.deepEqual(w.fresh.calls, []);
});

Deno.test("a dry run counts what a move would do, and changes nothing", async () => {
  await using w = await world();
  await add(w, "ada@example.com");
  await add(w, "left@example.com", "unsubscribed");
  await add(w, "there@example.com");
  w.fresh.put(NEW, "there@example.com", "active");
  await start(w, true);
  const run = await finish(w);
  assert.deepEqual([run.moved, run.active, Object.values(run.skipped)], [1, 1, [1]]);
  assert.equal(importsOf(w, "ada@example.com"), 0);
  assert.equal(await w.app.record("ada@example.com", NEW), null);
  assert.equal((await w.app.record("left@example.com"))!.migration, undefined);
});

/** Runs the handler of the due job only, as a process does that crashes before it settles the job. */
async function handleAndCrash({ app }: World): Promise<void> {
  const [claimed] = await app.queue.claim(1);
  const { row, token } = claimed as ClaimedJob;
  const { id, name, payload, attempts, createdAt, unknown } = row;
  const definition = app.services.jobs.find((each) => each.name === name)!;
  const signal = new AbortController().signal;
  const job = { id, name, payload, attempt: attempts, createdAt, unknown, signal, fence: fenceOf(id, token) };
  await whileTimePasses(app, assert.rejects(definition.handle(job), /kill -9/));
  await app.clock.advance(60_000);
}

for (const [when, isBefore] of [["before", true], ["after", false]] as const) {
  Deno.test(`killed ${when} an import, a move goes on where it was: only that person is asked about again`, async () => {
    await using w = await world();
    const emails = people(8);
    for (const email of emails) await add(w, email);
    await start(w);
    const { importConfirmed } = w.fresh;
    let calls = 0;
    w.fresh.importConfirmed = async (...args) => {
      const isKilled = ++calls === 4;
      if (isKilled && isBefore) throw new Error("kill -9");
      const result = await importConfirmed(...args);
      if (isKilled) throw new Error("kill -9");
      return result;
    };
    await handleAndCrash(w);
    const run = await finish(w);
    assert.equal(run.moved + run.active, emails.length);
    for (const [index, email] of emails.entries()) {
      assert.equal(importsOf(w, email), index === 3 && !isBefore ? 2 : 1, email);
      assert.equal((await w.app.record(email, NEW))!.status, "active");
    }
    assert.deepEqual([w.fresh.mails, w.old.mails], [[], []]);
  });
}

Deno.test("a move of more people than one attempt takes moves each once, and a repeat moves nobody again", async () => {
  await using w = await world();
  const emails = people(PEOPLE_PER_ATTEMPT + 3);
  for (const email of emails) await add(w, email);
  await start(w);
  assert.equal((await finish(w)).moved, emails.length);
  for (const email of emails) assert.equal(importsOf(w, email), 1, email);
  await start(w);
  const again = await finish(w);
  assert.deepEqual([again.moved, again.active], [0, emails.length]);
});

Deno.test("trouble at a provider stops a move, and it goes on after the time that the provider asks for", async () => {
  await using w = await world();
  await add(w, "ada@example.com");
  w.fresh.nextResults.import.push(stubTrouble({ code: "rate_limited", retryAfterMs: 120_000 }));
  await start(w);
  await w.app.work();
  assert.equal(importsOf(w, "ada@example.com"), 1);
  await w.app.work();
  assert.equal(importsOf(w, "ada@example.com"), 1, "not before that time");
  assert.equal((await finish(w)).moved, 1);
});

Deno.test("somebody who is erased during their import is erased at the new provider too", async () => {
  await using w = await world();
  await add(w, "ada@example.com");
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = async (...args) => {
    await w.app.services.people.eraseLocally("ada@example.com");
    return await importConfirmed(...args);
  };
  await start(w);
  await finish(w);
  assert.deepEqual(await w.fresh.status({ list: NEW, email: "ada@example.com" }), { kind: "absent" });
  assert.ok(!(await w.app.dump()).includes("ada@example.com"));
});

Deno.test("a move needs another provider as source, lists that exist, and a provider that can import", async () => {
  await using w = await world();
  const refusal = async (input: Record<string, unknown>) => {
    const outcome = await runAction(w.app.services, LOCAL, "cfbe_migrate_provider", {
      from: OLD,
      lists: { [LIST]: NEW },
      ...input,
    });
    return outcome.ok ? undefined : outcome.message;
  };
  assert.match((await refusal({ from: "nobody" }))!, /must be the old provider/);
  assert.match((await refusal({ lists: { other: NEW } }))!, /old provider has no list other/);
  assert.match((await refusal({ lists: { [LIST]: "other" } }))!, /new provider has no list other/);
  w.fresh.capabilities.imports = false;
  assert.match((await refusal({}))!, /cannot move subscribers/);
});

Deno.test("a canceled move stops, and its row contains no address", async () => {
  await using w = await world();
  for (const email of people(PEOPLE_PER_ATTEMPT * 2)) await add(w, email);
  await start(w);
  assert.ok((await runAction(w.app.services, LOCAL, "cfbe_cancel_migration", {})).ok);
  const run = await finish(w);
  assert.deepEqual([run.ended?.how, run.moved], ["canceled", 0]);
  assert.ok(!JSON.stringify(run).includes("@example.com"));
});
