/**
 * An erasure concurrent with everything else that can run for its address: deliveries, checks, polls, webhooks, a
 * checkout signup, another erasure. In any order of their round trips, nothing comes back in cfbe or at the provider.
 */
import assert from "node:assert/strict";
import { replaceCommits } from "../../../dev/testing/around_commits.ts";
import fc from "fast-check";
import { addJob } from "../../platform/jobs/add.ts";
import { checkoutSignupJob } from "../../shops/orders/checkout_signup_job.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";

const ADA = "ada@example.com";
const CALLS = [
  "subscribe",
  "status",
  "resend",
  "changed",
  "unconfirmed",
  "erase",
  "contact",
  "saveContact",
] as const;

/** Makes every round trip to the database and the provider wait for its turn. @returns a function that undoes this */
function interleave(app: Harness, scheduler: fc.Scheduler): () => void {
  const turn = () => scheduler.schedule(Promise.resolve());
  const { kv, provider } = app;
  const { get, getMany, list } = kv;
  kv.get = async (...args: Parameters<typeof get>) => (await turn(), get.apply(kv, args)) as never;
  kv.getMany = async (...args: Parameters<typeof getMany>) =>
    (await turn(), getMany.apply(kv, args)) as never;
  kv.list = (...args: Parameters<typeof list>) => {
    const rows = list.apply(kv, args);
    const next = rows.next.bind(rows);
    rows.next = async () => (await turn(), await next());
    return rows as never;
  };
  const undoCommits = replaceCommits(kv, async (commit) => (await turn(), await commit()));
  const calls = Object.fromEntries(CALLS.map((name) => [name, provider[name]]));
  for (const name of CALLS) {
    const call = provider[name].bind(provider) as (...args: unknown[]) => Promise<never>;
    provider[name] = async (...args: unknown[]) => (await turn(), await call(...args));
  }
  return () => {
    Object.assign(kv, { get, getMany, list });
    undoCommits();
    Object.assign(provider, calls);
  };
}

const webhook = (type: string) => ({
  type,
  subscription: { email: ADA, status: "active", subscriberList: { _id: LIST } },
});

const ACTORS: Record<string, (app: Harness) => Promise<unknown>> = {
  work: (app) => app.work(),
  "more work": (app) => app.work(),
  poll: (app) => app.services.poll.run(),
  webhook: async (app) => (await app.hook(webhook("unsubscribe"))).body?.cancel(),
  automation: async (app) => (await app.hook({ automationId: "a", contact: { email: ADA } })).body?.cancel(),
  "another erasure": (app) => app.services.people.erase(ADA, { provider: true }),
};

/** Sets up a person with a signup (delivered or not), a checkout opt-in and a cart. */
async function arrange(app: Harness, delivered: boolean): Promise<void> {
  await (await app.post({ email: ADA })).body?.cancel();
  if (delivered) await app.work();
  await app.services.carts.change("s".repeat(22), { email: ADA });
  const job = checkoutSignupJob("order", { email: ADA, label: "" });
  const tx = app.kv.atomic();
  addJob(tx, await app.kv.get<never>(keys.job(job.id)), { ...job, due: app.clock.now() }, app.clock.now());
  await tx.commit();
}

Deno.test("in any order of an erasure's attempts, deliveries, checks and polls, a later signup stays here and at the provider", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.subarray(["work", "more work", "poll", "automation"], { minLength: 1 }),
      fc.nat(3),
      fc.constantFrom("never", "before it erases", "after it has erased"),
      async (scheduler, actors, failures, killed) => {
        await using app = await harness();
        await arrange(app, true);
        await app.clock.advance(1_000);
        const { people } = app.services;
        const { eraseLocally } = people;
        people.eraseLocally = async (...args) => {
          if (killed === "before it erases") throw new Error("killed");
          const result = await eraseLocally(...args);
          if (killed === "after it has erased") throw new Error("killed");
          return result;
        };
        for (let n = 0; n < failures; n++) app.provider.nextResults.erase.push(stubTrouble());
        await people.erase(ADA, { provider: true }).catch(() => {});
        people.eraseLocally = eraseLocally;
        await app.clock.advance(1_000);
        const signedUpAt = app.clock.now();
        const undo = interleave(app, scheduler);
        const signUp = async () => {
          const response = await app.post({ email: ADA });
          assert.equal(response.status, 200);
          await response.body?.cancel();
        };
        await scheduler.waitFor(
          Promise.all([signUp(), ...actors.map((name) => ACTORS[name]!(app))]),
        );
        undo();
        for (let minutes = 0; minutes < 90; minutes++) {
          await app.clock.advance(60_000);
          await app.work();
        }
        const record = await app.record(ADA);
        assert.equal(record?.status, "pending", JSON.stringify(record));
        assert.ok(record.createdAt >= signedUpAt);
        assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "found");
        assert.ok(app.provider.calls.includes(`erase ${ADA}`));
      },
    ),
    { numRuns: 25 },
  );
});

Deno.test("in any order of an erasure, deliveries, checks, polls and webhooks, the record never comes back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.subarray(Object.keys(ACTORS), { minLength: 1 }),
      fc.boolean(),
      async (scheduler, actors, delivered) => {
        await using app = await harness({
          settings: { general: { modules: { carts: true, checkout: true } } },
        });
        await arrange(app, delivered);
        const undo = interleave(app, scheduler);
        const all = [
          ...actors.map((name) => ACTORS[name]!),
          () => app.services.people.erase(ADA, { provider: true }),
        ];
        await scheduler.waitFor(Promise.all(all.map((act) => act(app))));
        undo();
        assert.deepEqual(await Array.fromAsync(app.kv.list({ prefix: keys.signupsOf(ADA) })), []);
        for (let minutes = 0; minutes < 6; minutes++) {
          await app.clock.advance(60_000);
          await app.work();
        }
        assert.equal((await app.dump()).includes(ADA), false, await app.dump());
        assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
      },
    ),
    { numRuns: 60 },
  );
});
