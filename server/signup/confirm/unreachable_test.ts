import { runAction } from "../../admin/action_table.ts";
import assert from "node:assert/strict";
import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import { LOCAL } from "../../admin/auth/actor.ts";
import { readProblems } from "../../operations/checks/registry.ts";
import { beforeCommits } from "../../../dev/testing/around_commits.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { putRecord } from "../record/record.ts";
import type { SignupRecord } from "../record/row.ts";
import { move } from "../record/states.ts";
import { addPending, emailOf } from "./testing/polls.ts";
import { countUnreachable, endUnreachable } from "./unreachable.ts";
import { ADA, choose, NEW_LIST, signUp, type Switching, switching } from "./testing/switching.ts";

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

/** Starts with an open confirmation of Ada at the old provider, whose key is removed after the switch. */
async function withoutKey(): Promise<Switching> {
  const world = await switching();
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  await signUp(world, "bea@example.com");
  await world.app.services.settings.save("general", { apiKey: "" });
  world.old.calls.length = 0;
  return world;
}

const problemOf = async ({ app }: Switching) =>
  (await readProblems(app.services, ({ overview }) => overview)).find(({ id }) =>
    id === "confirmations.unreachable"
  );

Deno.test("a provider without a key is not polled, its open confirmations expire in time, and the poll has no trouble", async () => {
  await using world = await withoutKey();
  const { app, old } = world;
  const early = await app.services.poll.run();
  assert.deepEqual([early.trouble, early.expired, (await app.record(ADA))!.status], [
    undefined,
    0,
    "pending",
  ]);
  await app.clock.advance(PENDING_MAX_AGE_MS);
  const late = await app.services.poll.run();
  assert.deepEqual([late.trouble, late.expired], [undefined, 2]);
  assert.equal((await app.record(ADA))!.status, "expired");
  assert.deepEqual(old.calls, []);
});

Deno.test("open confirmations at a provider without a key are a problem, until the key is entered again", async () => {
  await using world = await withoutKey();
  assert.equal(
    (await problemOf(world))!.what,
    "1 confirmation is open at BlueFox Email, which has no API key any more.",
  );
  await world.app.services.settings.save("general", { apiKey: "bluefox-key" });
  assert.equal(await problemOf(world), undefined);
});

Deno.test("an admin can end the open confirmations at a provider without a key, and only those", async () => {
  await using world = await withoutKey();
  const { app } = world;
  const outcome = await runAction(app.services, LOCAL, "cfbe_end_confirmations", {});
  assert.ok(outcome.ok && outcome.message === "Ended 1 open confirmation.");
  assert.equal((await app.record(ADA))!.status, "expired");
  assert.equal((await app.record("bea@example.com", NEW_LIST))!.status, "pending");
  assert.equal(await problemOf(world), undefined);
});

Deno.test("open confirmations at the sandbox are not a problem, because it emails nobody", async () => {
  await using world = await switching();
  await choose(world, "sandbox", LIST);
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  assert.equal(await problemOf(world), undefined);
  await world.app.clock.advance(PENDING_MAX_AGE_MS);
  assert.equal((await world.app.services.poll.run()).expired, 1);
});

Deno.test("a delivery to a provider without a key is retried, and says why", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  await app.post({ email: ADA });
  await choose(world, "mailerlite");
  await app.services.settings.save("general", { apiKey: "" });
  await app.work();
  const { status, history } = (await app.record(ADA))!;
  assert.equal(status, "queued");
  assert.match(JSON.stringify(history), /belongs to bluefox, whose API key is no longer set/);
  await choose(world, "mailerlite");
  await app.services.settings.save("general", { apiKey: "bluefox-key" });
  await app.clock.advance(10 * MINUTE);
  await app.work();
  assert.equal((await app.record(ADA))!.status, "pending");
  assert.deepEqual([old.mails, fresh.calls], [[ADA], []]);
});

Deno.test("if the old provider only refuses, its open confirmations expire a day late; those of the chosen one wait", async () => {
  await using world = await switching();
  const { app, old, fresh } = world;
  await signUp(world, ADA);
  await choose(world, "mailerlite");
  await signUp(world, "bea@example.com");
  const refuse = () => Promise.resolve(stubTrouble({ code: "forbidden", reason: "HTTP 403" }));
  for (const provider of [old, fresh]) Object.assign(provider, { status: refuse, changed: refuse });
  await app.clock.advance(PENDING_MAX_AGE_MS);
  assert.equal((await app.services.poll.run()).expired, 0);
  await app.clock.advance(2 * DAY);
  assert.equal((await app.services.poll.run()).expired, 1);
  assert.deepEqual(
    [(await app.record(ADA))!.status, (await app.record("bea@example.com", NEW_LIST))!.status],
    [
      "expired",
      "pending",
    ],
  );
});

/** What `countUnreachable` needs, with open confirmations at a provider that can't be asked. */
function unreachableDeps({ services }: Harness) {
  const nameOf = ({ provider = "bluefox" }: { provider?: string | undefined }) => provider;
  const signupProviders = { ...services.signupProviders, nameOf, named: () => undefined };
  return { ...services, providerHistory: { names: () => ["bluefox"] }, signupProviders };
}

Deno.test("open confirmations are counted up to a maximum, and ended for twenty seconds at a time", async () => {
  await using app = await harness();
  await addPending(app, 5);
  const deps = unreachableDeps(app);
  assert.deepEqual((await countUnreachable(deps, 4)).map(({ count }) => count), [4]);
  assert.deepEqual((await countUnreachable(deps, 6)).map(({ count }) => count), [5]);
  const kv = beforeCommits(app.kv, () => app.clock.advance(10_000));
  assert.equal(await endUnreachable({ ...deps, kv }), 3);
  assert.equal(await endUnreachable({ ...deps, kv }), 2);
});

Deno.test("a signup that is confirmed, or sent to another provider, while the open ones are ended is kept", async () => {
  const changes: Record<string, (record: SignupRecord, now: number) => SignupRecord> = {
    active: (record, now) => move(record, "active", now),
    pending: (record) => ({ ...record, provider: "mailerlite" }),
  };
  for (const [status, change] of Object.entries(changes)) {
    await using app = await harness();
    await addPending(app, 1);
    const email = emailOf(0);
    let before = await app.record(email);
    const kv = beforeCommits(app.kv, async () => {
      if (before) await putRecord(app.kv.atomic(), before, change(before, app.clock.now())).commit();
      before = null;
    });
    assert.equal(await endUnreachable({ ...unreachableDeps(app), kv }), 0);
    assert.equal((await app.record(email))?.status, status);
  }
});
