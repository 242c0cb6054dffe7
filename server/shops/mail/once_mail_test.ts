/** Tests every way in which sending a once-only email can end. */
import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { createHooks } from "../../settings/hooks/hooks.ts";
import { fenceOf, LeaseLost, type RunningJob } from "../../platform/jobs/handler.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { fixedSettings } from "../../../dev/testing/process_world.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { stubProvider, stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createOnceMail, type OnceRow } from "./once_mail.ts";
import { SEND_WINDOW_MS, SEND_WITHIN_MS } from "./sending.ts";

const ADA = "ada@example.com";
const marker: Key<OnceRow> = typed(["test", "marker"]);
const cancelledKey: Key<boolean> = typed(["test", "cancelled"]);
const mail = { template: "thanks", email: ADA, data: { order: 1 } };
const request = { marker, kind: "order", mail } as const;
const SENT_BEFORE = { kind: "cancel", reason: "It was already sent." };
const TOO_LATE = { kind: "retry", reason: "Too much time passed before sending." };

interface JobOptions {
  /** Called while the email's data is filtered, before the claim. */
  onFilter?: () => unknown;
  /** Milliseconds that pass in the commit of the claim. */
  commitMs?: number;
}

/** Returns a job that holds its lease, with everything it needs to send an email. */
async function leasedJob({ onFilter, commitMs = 0 }: JobOptions = {}) {
  const temp = await tempKv();
  const { clock, random, queue, add } = queueHarness(temp.kv);
  const [log, provider, contexts] = [memoryLog(), stubProvider(clock), [] as unknown[]];
  const hooks = createHooks({
    filters: {
      cfbe_mail_data: async (data, context) => {
        contexts.push(context);
        await onFilter?.();
        return { ...data, filtered: true };
      },
    },
  }, { clock, log });
  await add({ id: "a" });
  const [claimed] = await queue.claim(1);
  const stop = new AbortController();
  const job = { signal: stop.signal, fence: fenceOf("a", claimed!.token) } as RunningJob<unknown>;
  const slow = aroundCommits(temp.kv, (commit) => {
    clock.set(clock.now() + commitMs);
    return commit();
  });
  const settings = fixedSettings(SettingsSchema.parse({}));
  const open: { due?: number } = {};
  const erasures = { openAt: () => Promise.resolve(open.due === undefined ? undefined : { due: open.due }) };
  const send = createOnceMail({ kv: slow, clock, random, log, provider, settings, erasures, hooks });
  return {
    kv: temp.kv,
    clock,
    provider,
    log,
    stop,
    open,
    contexts,
    queue,
    send: (more: Partial<Parameters<typeof send>[1]> = {}) => send(job, { ...request, ...more }),
    row: () => readRow(temp.kv, marker),
    events: () => log.entries.map(({ level, event, fields }) => [level, event, fields["reason"]]),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("an email is sent once, with filtered data, and the claim is kept as sent", async () => {
  await using world = await leasedJob();
  assert.deepEqual(await world.send(), { kind: "done" });
  assert.deepEqual(world.provider.transactional, [{ ...mail, data: { order: 1, filtered: true } }]);
  assert.deepEqual(world.contexts, [{ kind: "order", email: ADA, template: "thanks" }]);
  assert.deepEqual(await world.row(), { v: 1, at: world.clock.now(), state: "sent" });
  assert.deepEqual(await world.send(), SENT_BEFORE);
  assert.equal(world.provider.transactional.length, 1);
  assert.deepEqual(world.events(), [["info", "order_mail.sent", undefined]]);
});

Deno.test("an email waits for an open erasure of its address, and nothing is sent to the provider until then", async () => {
  await using world = await leasedJob();
  const due = world.clock.now() + 60_000;
  world.open.due = due;
  assert.deepEqual(await world.send(), {
    kind: "snooze",
    until: due + 5_000,
    reason: "An erasure of the address at the provider is not done yet.",
  });
  assert.deepEqual([world.provider.calls, await world.row()], [[], null]);
  delete world.open.due;
  assert.deepEqual(await world.send(), { kind: "done" });
});

Deno.test("an attempt waits for another attempt's claim to settle, and never sends the email itself", async () => {
  await using world = await leasedJob();
  const at = world.clock.now();
  await world.kv.set(marker, { v: 1, at, state: "sending" });
  const wait = {
    kind: "snooze",
    until: at + SEND_WINDOW_MS,
    reason: "An earlier attempt may be sending it.",
  };
  assert.deepEqual(await world.send(), wait);
  world.clock.set(at + SEND_WINDOW_MS);
  assert.deepEqual(await world.send(), { kind: "done" });
  assert.deepEqual(await world.row(), { v: 1, at, state: "unknown" });
  assert.deepEqual(world.events(), [["warn", "order_mail.unknown", "the attempt ended without a result"]]);
  assert.deepEqual(world.provider.calls, []);
});

Deno.test("a provider that is down is noticed before anything is claimed", async () => {
  await using world = await leasedJob();
  world.provider.contact = () => Promise.resolve(stubTrouble({ unknown: true }));
  const result = await world.send();
  assert.deepEqual(result, { kind: "retry", unknown: false, code: "unavailable", reason: "HTTP 503" });
  assert.equal(await world.row(), null);
});

Deno.test("a call that certainly had no effect is retried; one with an unknown result is not", async () => {
  await using world = await leasedJob();
  world.provider.nextResults.trigger.push(stubTrouble({ retryAfterMs: 5_000 }));
  assert.deepEqual(await world.send(), {
    ...{ kind: "retry", code: "unavailable", reason: "HTTP 503" },
    ...{ retryAfterMs: 5_000, unknown: false },
  });
  assert.equal(await world.row(), null);
  world.provider.nextResults.trigger.push(stubTrouble({ unknown: true, reason: "timeout" }));
  assert.deepEqual(await world.send(), { kind: "done" });
  assert.equal((await world.row())?.state, "unknown");
  assert.deepEqual(await world.send(), SENT_BEFORE);
  assert.deepEqual(world.events(), [["warn", "order_mail.unknown", "timeout"]]);
});

Deno.test("an email that the provider refuses is not retried", async () => {
  await using world = await leasedJob();
  world.provider.nextResults.trigger.push({ kind: "refused", reason: "bounced" });
  assert.deepEqual(await world.send(), { kind: "done" });
  assert.equal((await world.row())?.state, "refused");
  assert.deepEqual(world.events(), [["warn", "order_mail.refused", "bounced"]]);
});

Deno.test("a condition on another row prevents the email, with its reason", async () => {
  await using world = await leasedJob();
  const reason = ({ value }: { value: boolean | null }) => value ? "The order was canceled." : undefined;
  const condition = { key: cancelledKey, reason } as never;
  await world.kv.set(cancelledKey, true);
  assert.deepEqual(await world.send({ condition }), {
    kind: "cancel",
    reason: "No email: The order was canceled.",
  });
  assert.equal(await world.row(), null);
  await world.kv.set(cancelledKey, false);
  assert.deepEqual(await world.send({ condition }), { kind: "done" });
});

Deno.test("an email that another attempt claims while the filter runs is not sent again", async () => {
  await using world = await leasedJob({
    onFilter: () => world.kv.set(marker, { v: 1, at: 1, state: "sent" }),
  });
  assert.deepEqual(await world.send(), { kind: "cancel", reason: "No email: It was already sent." });
  assert.deepEqual(world.provider.transactional, []);
});

Deno.test("nothing is sent more than five seconds after the claim, or after the attempt was aborted", async () => {
  await using late = await leasedJob({ commitMs: SEND_WITHIN_MS + 1 });
  assert.deepEqual(await late.send(), TOO_LATE);
  await using aborted = await leasedJob({ onFilter: () => aborted.stop.abort() });
  assert.deepEqual(await aborted.send(), TOO_LATE);
  for (const world of [late, aborted]) {
    assert.deepEqual([world.provider.transactional, await world.row()], [[], null]);
  }
  await using justInTime = await leasedJob({ commitMs: SEND_WITHIN_MS });
  assert.deepEqual(await justInTime.send(), { kind: "done" });
});

Deno.test("a result is stored only in a claim of the same attempt that is still open", async () => {
  for (const row of [{ v: 1, at: 1, state: "sending" }, { v: 1, at: 0, state: "unknown" }] as const) {
    await using world = await leasedJob();
    const found = { ...row, at: row.at + world.clock.now() };
    world.provider.sendTransactional = async () => {
      await world.kv.set(marker, found);
      return { kind: "sent" };
    };
    assert.deepEqual(await world.send(), { kind: "done" });
    assert.deepEqual(await world.row(), found);
  }
});

Deno.test("an attempt that has lost its lease claims nothing", async () => {
  await using world = await leasedJob();
  await world.queue.cancel("a");
  await assert.rejects(world.send(), LeaseLost);
  assert.deepEqual([await world.row(), world.provider.transactional], [null, []]);
});
