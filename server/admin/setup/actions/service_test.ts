import assert from "node:assert/strict";
import { LOCAL } from "../../auth/actor.ts";
import { runActionOf } from "../../frame/run_action.ts";
import { providerActions } from "./provider.ts";
import { serviceActions } from "./service.ts";
import { bulkRunKey, startBulk } from "../../../subscribers/bulk/run.ts";
import {
  migrationKey,
  migrationRun,
  sealedImporting,
  sealedPosition,
  startMigration,
} from "../../../subscribers/migration/run.ts";
import { BULK_JOB, MIGRATION_JOB } from "../../../subscribers/person/run_jobs.ts";
import { restoringKey } from "../../../operations/backup/restores.ts";
import { type Harness, harness, LIST } from "../../../../dev/testing/harness.ts";

const named = (name: string) => [...serviceActions, ...providerActions].find((each) => each.name === name);

const act = (app: Harness, name: string, input: unknown = {}) =>
  runActionOf(named, app.services, LOCAL, name, input);

async function withDeadJobs(count: number): Promise<Harness> {
  const app = await harness({ file: { filters: { cfbe_signup_site_limit: () => 0 } } });
  for (let n = 0; n < count; n++) {
    await (await app.post({ email: `p${n}@example.com` }, { peer: `192.0.2.${n}` })).body?.cancel();
  }
  for (let due = await app.queue.claim(8); due.length > 0; due = await app.queue.claim(8)) {
    for (const job of due) await app.queue.finish(job, { kind: "dead", reason: "of old age" });
  }
  return app;
}

Deno.test("one failed job is retried by its ID, and all of them at once", async () => {
  await using app = await withDeadJobs(3);
  const [first] = (await app.queue.list({ state: "dead" })).rows;
  assert.equal((await act(app, "cfbe_retry_job", { id: first!.id })).ok, true);
  assert.equal((await app.queue.list({ state: "dead" })).rows.length, 2);
  const again = await act(app, "cfbe_retry_job", { id: first!.id });
  assert.deepEqual([again.ok, again.status], [false, 404]);
  assert.equal((await act(app, "cfbe_retry_dead_jobs")).message, "2 jobs queued for another try.");
  await app.work();
  assert.equal(app.subscribedEvents.length, 3);
});

Deno.test("a canceled job is gone, and cannot be canceled twice", async () => {
  await using app = await withDeadJobs(1);
  const { id } = (await app.queue.list({ state: "dead" })).rows[0]!;
  assert.equal((await act(app, "cfbe_cancel_job", { id })).ok, true);
  assert.equal((await act(app, "cfbe_cancel_job", { id })).status, 404);
});

const ADA = { email: "ada@example.com", list: LIST };
const RUNS = [
  {
    what: "bulk action",
    job: BULK_JOB,
    key: bulkRunKey,
    async start({ services }: Harness) {
      const selection = { rows: [ADA] };
      await startBulk(services, {
        act: "resend",
        selection,
        preview: { total: 1, more: false },
        by: "grace",
      });
      return ["work"];
    },
  },
  {
    what: "move to another provider",
    job: MIGRATION_JOB,
    key: migrationKey,
    async start({ services, clock }: Harness) {
      const providers = { from: "kit", to: "brevo", lists: { [LIST]: "9" } };
      await startMigration(services, { ...providers, dryRun: false, by: "grace", total: 1 });
      const sealed = {
        position: await sealedPosition.seal(services, { ...ADA, since: 1 }),
        importing: await sealedImporting.seal(services, [{ ...ADA, createdAt: 1 }]),
      };
      await migrationRun.change(services, clock.now(), (run) => ({ ...run, ...sealed }));
      return ["position", "importing"];
    },
  },
];

for (const { what, job, key, start } of RUNS) {
  Deno.test(`a ${what} whose job is canceled on the Jobs page ends with it, and keeps no addresses`, async () => {
    await using app = await harness();
    const sealed = await start(app);
    const stored = async () => (await app.kv.get<object>(key)).value!;
    for (const name of sealed) assert.ok(name in await stored(), name);
    assert.equal((await act(app, "cfbe_cancel_job", { id: job.id })).ok, true);
    assert.equal(await app.queue.get(job.id), null);
    for (const name of sealed) assert.ok(!(name in await stored()), name);
    assert.equal((await act(app, "cfbe_cancel_job", { id: job.id })).status, 404);
  });
}

Deno.test("provider actions report their result as a sentence: lists, a foreign webhook, a new secret", async () => {
  await using app = await harness();
  assert.equal((await act(app, "cfbe_load_lists")).message, "0 lists loaded.");
  app.provider.registered = { url: "https://other.example/", events: [], missing: [], surplus: [] };
  const foreign = await act(app, "cfbe_register_webhook");
  assert.deepEqual([foreign.status, foreign.ok || foreign.fields], [409, {
    replace: "https://other.example/",
  }]);
  assert.match(
    (await act(app, "cfbe_register_webhook", { replace: true })).message,
    /replacing https:\/\/other/,
  );
  assert.match(
    (await act(app, "cfbe_new_webhook_secret", { keepOld: true })).message,
    /old secret is accepted until/,
  );
  assert.match((await act(app, "cfbe_new_webhook_secret")).message, /no longer accepted/);
  await app.services.settings.save("webhooks", { secret: "", previousSecret: "", previousUntil: 0 });
  const first = (await act(app, "cfbe_new_webhook_secret", { keepOld: true })).message;
  assert.equal(first, "Secret created. Add it to your automations as the header X-CFBE-Secret.");
});

Deno.test("a service whose database lacks rows of a backup is not activated before they are restored", async () => {
  await using app = await harness();
  await act(app, "cfbe_deactivate");
  await app.kv.set(restoringKey(), { v: 1, at: app.clock.now() });
  const refused = await act(app, "cfbe_activate");
  assert.deepEqual([refused.ok, refused.status, app.services.activation.isActive()], [false, 409, false]);
  assert.match(refused.message, /run `\S.* restore <file>` again/);
  await app.kv.delete(restoringKey());
  assert.equal((await act(app, "cfbe_activate")).ok, true);
  assert.equal(app.services.activation.isActive(), true);
});
