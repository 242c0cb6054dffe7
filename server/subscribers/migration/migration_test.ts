import { runAction } from "../../admin/action_table.ts";
import assert from "node:assert/strict";
import type { ClaimedJob } from "../../platform/jobs/claim.ts";
import { fenceOf } from "../../platform/jobs/handler.ts";
import { keys } from "../../platform/kv/keys.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { putRecord } from "../../signup/record/record.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { PEOPLE_PER_ATTEMPT } from "./job.ts";
import {
  addSignup,
  finishMove,
  importsOf,
  type MigrationWorld,
  migrationWorld,
  NEW,
  notMoved,
  OLD,
  people,
  startMove,
  whileTimePasses,
} from "./testing/world.ts";

Deno.test("a move takes confirmed people with their proof to the new provider, and mails nobody on either side", async () => {
  await using w = await migrationWorld();
  const proofs: unknown[] = [];
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = (target, person) => {
    proofs.push(person);
    return importConfirmed(target, person);
  };
  await addSignup(w, "ada@example.com", "active", { name: "Ada" });
  const { confirmed } = (await w.app.record("ada@example.com"))!;
  await startMove(w);
  const run = await finishMove(w);
  assert.deepEqual([run.ended?.how, run.moved, run.active, run.skipped], ["done", 1, 0, {}]);
  assert.deepEqual(proofs, [{ name: "Ada", tags: ["news"], confirmedAt: confirmed!.at, ip: "192.0.2.7" }]);
  assert.deepEqual([w.fresh.mails, w.old.mails], [[], []]);
  const added = (await w.app.record("ada@example.com", NEW))!;
  assert.deepEqual([added.status, added.listStatus], ["active", "active"]);
  assert.equal((await w.app.consents("ada@example.com", NEW))[0]?.ip, "192.0.2.7");
});

Deno.test("nobody who left, is suppressed, bounced, paused or pending on either side is moved, and the report says why", async () => {
  await using w = await migrationWorld();
  const kept = ["unsubscribed", "suppressed", "bounced", "paused", "pending"] as const;
  for (const status of kept) {
    await addSignup(w, `old-${status}@example.com`, status);
    await addSignup(w, `new-${status}@example.com`);
    w.fresh.put(NEW, `new-${status}@example.com`, status);
  }
  await addSignup(w, "known@example.com", "active", { listStatus: "unsubscribed" });
  await addSignup(w, "removed@example.com", "absent");
  await addSignup(w, "unproven@example.com");
  const { confirmed: _, ...unproven } = (await w.app.record("unproven@example.com"))!;
  await putRecord(w.app.kv.atomic(), unproven, unproven).commit();
  await startMove(w);
  const run = await finishMove(w);
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
  await using w = await migrationWorld();
  for (const status of ["queued", "pending", "failed", "expired"] as const) {
    await addSignup(w, `${status}@example.com`, "active", { status });
  }
  await startMove(w);
  assert.equal((await finishMove(w)).moved, 0);
  assert.deepEqual(w.fresh.calls, []);
});

Deno.test("a dry run counts what a move would do, and changes nothing", async () => {
  await using w = await migrationWorld();
  await addSignup(w, "ada@example.com");
  await addSignup(w, "left@example.com", "unsubscribed");
  await addSignup(w, "there@example.com");
  w.fresh.put(NEW, "there@example.com", "active");
  await startMove(w, true);
  const run = await finishMove(w);
  assert.deepEqual([run.moved, run.active, Object.values(run.skipped)], [1, 1, [1]]);
  assert.equal(importsOf(w, "ada@example.com"), 0);
  assert.equal(await w.app.record("ada@example.com", NEW), null);
  assert.equal((await w.app.record("left@example.com"))!.migration, undefined);
});

/** Runs the handler of the due job only, as a process does that crashes before it settles the job. */
async function handleAndCrash({ app }: MigrationWorld): Promise<void> {
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
    await using w = await migrationWorld();
    const emails = people(8);
    for (const email of emails) await addSignup(w, email, "active", { fields: { size: "l" } });
    await startMove(w);
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
    const run = await finishMove(w);
    assert.equal(run.moved + run.active, emails.length);
    assert.equal(run.values!.stored, run.moved, "the answers are counted once");
    for (const [index, email] of emails.entries()) {
      assert.equal(importsOf(w, email), index === 3 && !isBefore ? 2 : 1, email);
      assert.equal((await w.app.record(email, NEW))!.status, "active");
    }
    assert.deepEqual([w.fresh.mails, w.old.mails], [[], []]);
  });
}

Deno.test("a move of more people than one attempt takes moves each once, and a repeat moves nobody again", async () => {
  await using w = await migrationWorld();
  const emails = people(PEOPLE_PER_ATTEMPT + 3);
  for (const email of emails) await addSignup(w, email);
  await startMove(w);
  assert.equal((await finishMove(w)).moved, emails.length);
  for (const email of emails) assert.equal(importsOf(w, email), 1, email);
  await startMove(w);
  const again = await finishMove(w);
  assert.deepEqual([again.moved, again.active], [0, emails.length]);
});

Deno.test("trouble at a provider stops a move, and it goes on after the time that the provider asks for", async () => {
  await using w = await migrationWorld();
  await addSignup(w, "ada@example.com");
  w.fresh.nextResults.import.push(stubTrouble({ code: "rate_limited", retryAfterMs: 120_000 }));
  await startMove(w);
  await w.app.work();
  assert.equal(importsOf(w, "ada@example.com"), 1);
  await w.app.work();
  assert.equal(importsOf(w, "ada@example.com"), 1, "not before that time");
  assert.equal((await finishMove(w)).moved, 1);
});

Deno.test("somebody who is erased during their import is erased at the new provider too", async () => {
  await using w = await migrationWorld();
  await addSignup(w, "ada@example.com");
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = async (...args) => {
    await w.app.services.people.eraseLocally("ada@example.com", w.app.clock.now());
    return await importConfirmed(...args);
  };
  await startMove(w);
  await finishMove(w);
  assert.deepEqual(await w.fresh.status({ list: NEW, email: "ada@example.com" }), { kind: "absent" });
  assert.ok(!(await w.app.dump()).includes("ada@example.com"));
});

Deno.test("a move needs another provider as source, lists that exist, and a provider that can import", async () => {
  await using w = await migrationWorld();
  const refusal = async (input: Record<string, unknown>) => {
    const outcome = await runAction(w.app.services, LOCAL, "cfbe_migrate_provider", {
      from: OLD,
      lists: { [LIST]: NEW },
      ...input,
    });
    return outcome.ok ? undefined : outcome.message;
  };
  assert.match((await refusal({ from: "nobody" }))!, /must be the old provider/);
  assert.match((await refusal({ from: "sandbox" }))!, /sandbox are test data: they can't be moved/);
  assert.match((await refusal({ lists: { other: NEW } }))!, /old provider has no list other/);
  assert.match((await refusal({ lists: { [LIST]: "other" } }))!, /new provider has no list other/);
  w.fresh.capabilities.imports = false;
  assert.match((await refusal({}))!, /cannot move subscribers/);
});

Deno.test("a canceled move stops, and its row contains no address", async () => {
  await using w = await migrationWorld();
  for (const email of people(PEOPLE_PER_ATTEMPT * 2)) await addSignup(w, email);
  await startMove(w);
  assert.ok((await runAction(w.app.services, LOCAL, "cfbe_cancel_migration", {})).ok);
  const run = await finishMove(w);
  assert.deepEqual([run.ended?.how, run.moved], ["canceled", 0]);
  assert.ok(!JSON.stringify(run).includes("@example.com"));
});

for (const trouble of [1, 0]) {
  Deno.test(
    `somebody who is erased during their import is erased at the new provider, ${
      trouble ? "also after trouble there" : "also if the process is killed"
    }`,
    async () => {
      await using w = await migrationWorld();
      const ada = "ada@example.com";
      await addSignup(w, ada);
      const { importConfirmed } = w.fresh;
      w.fresh.importConfirmed = async (...args) => {
        w.fresh.importConfirmed = importConfirmed;
        await w.app.services.people.erase(ada);
        const result = await importConfirmed(...args);
        if (!trouble) throw new Error("killed");
        return result;
      };
      w.fresh.nextResults.erase.push(
        ...Array.from({ length: trouble }, () => stubTrouble({ unknown: true })),
      );
      await startMove(w);
      await finishMove(w);
      for (let hours = 0; hours < 3; hours++) {
        await w.app.clock.advance(3_600_000);
        await whileTimePasses(w.app, w.app.work());
      }
      assert.equal((await w.fresh.status({ list: NEW, email: ada })).kind, "absent");
      assert.ok(!(await w.app.dump()).includes(ada));
    },
  );
}

Deno.test("somebody who unsubscribes at the old provider during their import is not moved, and not left at the new one", async () => {
  await using w = await migrationWorld();
  const ada = "ada@example.com";
  await addSignup(w, ada);
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = async (...args) => {
    const record = (await w.app.record(ada))!;
    const at = w.app.clock.now();
    await putRecord(w.app.kv.atomic(), record, { ...record, listStatus: "unsubscribed", listStatusAt: at })
      .commit();
    return await importConfirmed(...args);
  };
  await startMove(w);
  const run = await finishMove(w);
  await whileTimePasses(w.app, w.app.work());
  const reason = "The person has unsubscribed at the old provider.";
  assert.deepEqual([run.moved, run.skipped], [0, { [reason]: 1 }]);
  assert.equal(await w.app.record(ada, NEW), null);
  assert.equal((await w.fresh.status({ list: NEW, email: ada })).kind, "absent");
  assert.equal((await w.app.record(ada))?.listStatus, "unsubscribed");
});

Deno.test("somebody who signs up again during their import, after an erasure, is not moved, and their signup stays", async () => {
  await using w = await migrationWorld();
  const ada = "ada@example.com";
  await addSignup(w, ada);
  const { importConfirmed } = w.fresh;
  w.fresh.importConfirmed = async (...args) => {
    await w.app.services.people.erase(ada);
    await w.app.clock.advance(1_000);
    await (await w.app.post({ email: ada })).body?.cancel();
    return await importConfirmed(...args);
  };
  await startMove(w);
  await finishMove(w);
  for (let minutes = 0; minutes < 10; minutes++) {
    await w.app.clock.advance(60_000);
    await whileTimePasses(w.app, w.app.work());
  }
  const record = await w.app.record(ada);
  assert.deepEqual([record?.status, record?.migration], ["pending", undefined]);
  assert.equal((await w.fresh.status({ list: NEW, email: ada })).kind, "absent");
  assert.equal((await w.fresh.status({ list: LIST, email: ada })).kind, "found");
});

/** Makes the new provider fail for these addresses, and counts the calls. */
function failFor({ fresh }: MigrationWorld, emails: readonly string[]): { calls: number } {
  const { importConfirmed } = fresh;
  const count = { calls: 0 };
  fresh.importConfirmed = (target, person, signal) => {
    if (!emails.includes(target.email)) return importConfirmed(target, person, signal);
    count.calls++;
    return Promise.resolve(stubTrouble({ code: "unexpected", reason: "HTTP 500" }));
  };
  return count;
}

Deno.test("an address that the new provider fails for is tried three times, then skipped and named in the report", async () => {
  await using w = await migrationWorld();
  const emails = people(20);
  for (const email of emails) await addSignup(w, email);
  const bad = [emails[3]!, emails[4]!, emails[19]!];
  failFor(w, bad);
  await startMove(w);
  const run = await finishMove(w);
  assert.deepEqual([run.ended?.how, run.moved], ["done", 17]);
  assert.deepEqual((await notMoved(w)).map(({ email }) => email), bad);
  for (const { reason } of await notMoved(w)) {
    assert.equal(reason, "A provider has trouble with the address: HTTP 500.");
  }
});

Deno.test("an outage of the new provider skips nobody", async () => {
  await using w = await migrationWorld();
  const emails = people(10);
  for (const email of emails) await addSignup(w, email);
  const { importConfirmed } = w.fresh;
  failFor(w, emails);
  await startMove(w);
  for (let hours = 0; hours < 6; hours++) {
    await whileTimePasses(w.app, w.app.work());
    await w.app.clock.advance(3_600_000);
  }
  w.fresh.importConfirmed = importConfirmed;
  for (let tries = 0; tries < 20; tries++) {
    await w.app.clock.advance(3_600_000);
    await whileTimePasses(w.app, w.app.work());
  }
  const run = await finishMove(w);
  assert.deepEqual([run.ended?.how, run.moved, run.skipped], ["done", 10, {}]);
});

Deno.test("a signup that can't be read does not keep the others from being moved, and is counted", async () => {
  await using w = await migrationWorld();
  for (const name of ["a", "b", "c"]) await addSignup(w, `${name}@example.com`);
  await w.app.engine.set(keys.signup("b@example.com", LIST), new TextEncoder().encode("{no json"));
  await startMove(w);
  const run = await finishMove(w);
  assert.deepEqual([run.ended?.how, run.moved], ["done", 2]);
  assert.deepEqual(run.skipped, { "cfbe can't read the signup in its database.": 1 });
});
