/** Tests every way in which sending a once-only email can end. */
import assert from "node:assert/strict";
import { createHooks } from "../hooks/hooks.ts";
import { fenceOf, LeaseLost, type RunningJob } from "../jobs/handler.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { memoryLog } from "../testing/memory_log.ts";
import { queueHarness } from "../testing/queue_harness.ts";
import { stubProvider, stubTrouble } from "../testing/stub_provider.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { createOnceMail, type OnceRow } from "./once_mail.ts";
import { SEND_WINDOW_MS, SEND_WITHIN_MS } from "./sending.ts";

const ADA = "ada@example.com";
const marker: Key<OnceRow> = typed(["test", "marker"]);
const cancelledKey: Key<boolean> = typed(["test", "cancelled"]);
const mail = { template: "thanks", email: ADA, data: { order: 1 } };
const request = { marker, kind: "order", mail } as const;
const SENT_BEFORE = { kind: "cancel", reason: "It was already sent." };
const TOO_LATE = { kind: "retry", reason: "Too much time passed before sending." };

interface World {
  /** Called while the email's data is filtered, before the claim. */
  onFilter?: () => unknown;
  /** Milliseconds that pass in the commit of the claim. */
  commitMs?: number;
}

/** A job that holds its lease, and what it needs to send an email. */
async function world({ onFilter, commitMs = 0 }: World = {}) {
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
  const slow = new Proxy(temp.kv, {
    get(target, property) {
      if (property === "atomic") clock.set(clock.now() + commitMs);
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const send = createOnceMail({ kv: slow, clock, random, log, provider, hooks });
  return {
    kv: temp.kv,
    clock,
    provider,
    log,
    stop,
    contexts,
    queue,
    send: (more: Partial<Parameters<typeof send>[1]> = {}) => send(job, { ...request, ...more }),
    row: () => readRow(temp.kv, marker),
    events: () => log.entries.map(({ level, event, fields }) => [level, event, fields["reason"]]),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("an email is sent once, with filtered data, and the claim is kept as sent", async () => {
  await using w = await world();
  assert.deepEqual(await w.send(), { kind: "done" });
  assert.deepEqual(w.provider.transactional, [{ ...mail, data: { order: 1, filtered: true } }]);
  assert.deepEqual(w.contexts, [{ kind: "order", email: ADA, template: "thanks" }]);
  assert.deepEqual(await w.row(), { v: 1, at: w.clock.now(), state: "sent" });
  assert.deepEqual(await w.send(), SENT_BEFORE);
  assert.equal(w.provider.transactional.length, 1);
  assert.deepEqual(w.events(), [["info", "order_mail.sent", undefined]]);
});

Deno.test("an attempt waits for another attempt's claim to settle, and never sends the email itself", async () => {
  await using w = await world();
  const at = w.clock.now();
  await w.kv.set(marker, { v: 1, at, state: "sending" });
  const wait = {
    kind: "snooze",
    until: at + SEND_WINDOW_MS,
    reason: "An earlier attempt may be sending it.",
  };
  assert.deepEqual(await w.send(), wait);
  w.clock.set(at + SEND_WINDOW_MS);
  assert.deepEqual(await w.send(), { kind: "done" });
  assert.deepEqual(await w.row(), { v: 1, at, state: "unknown" });
  assert.deepEqual(w.events(), [["warn", "order_mail.unknown", "the attempt ended without a result"]]);
  assert.deepEqual(w.provider.calls, []);
});

Deno.test("a provider that is down is noticed before anything is claimed", async () => {
  await using w = await world();
  w.provider.contact = () => Promise.resolve(stubTrouble({ unknown: true }));
  const result = await w.send();
  assert.deepEqual(result, { kind: "retry", unknown: false, code: "unavailable", reason: "HTTP 503" });
  assert.equal(await w.row(), null);
});

Deno.test("a call that certainly had no effect is retried; one with an unknown result is not", async () => {
  await using w = await world();
  w.provider.nextResults.trigger.push(stubTrouble({ retryAfterMs: 5_000 }));
  assert.deepEqual(await w.send(), { kind: "retry", reason: "HTTP 503", retryAfterMs: 5_000 });
  assert.equal(await w.row(), null);
  w.provider.nextResults.trigger.push(stubTrouble({ unknown: true, reason: "timeout" }));
  assert.deepEqual(await w.send(), { kind: "done" });
  assert.equal((await w.row())?.state, "unknown");
  assert.deepEqual(await w.send(), SENT_BEFORE);
  assert.deepEqual(w.events(), [["warn", "order_mail.unknown", "timeout"]]);
});

Deno.test("an email that the provider refuses is not retried", async () => {
  await using w = await world();
  w.provider.nextResults.trigger.push({ kind: "refused", reason: "bounced" });
  assert.deepEqual(await w.send(), { kind: "done" });
  assert.equal((await w.row())?.state, "refused");
  assert.deepEqual(w.events(), [["warn", "order_mail.refused", "bounced"]]);
});

Deno.test("a condition on another row prevents the email, with its reason", async () => {
  await using w = await world();
  const reason = ({ value }: { value: boolean | null }) => value ? "The order was canceled." : undefined;
  const condition = { key: cancelledKey, reason } as never;
  await w.kv.set(cancelledKey, true);
  assert.deepEqual(await w.send({ condition }), {
    kind: "cancel",
    reason: "No email: The order was canceled.",
  });
  assert.equal(await w.row(), null);
  await w.kv.set(cancelledKey, false);
  assert.deepEqual(await w.send({ condition }), { kind: "done" });
});

Deno.test("an email that another attempt claims while the filter runs is not sent again", async () => {
  await using w = await world({ onFilter: () => w.kv.set(marker, { v: 1, at: 1, state: "sent" }) });
  assert.deepEqual(await w.send(), { kind: "cancel", reason: "No email: It was already sent." });
  assert.deepEqual(w.provider.transactional, []);
});

Deno.test("nothing is sent more than five seconds after the claim, or after the attempt was aborted", async () => {
  await using late = await world({ commitMs: SEND_WITHIN_MS + 1 });
  assert.deepEqual(await late.send(), TOO_LATE);
  await using aborted = await world({ onFilter: () => aborted.stop.abort() });
  assert.deepEqual(await aborted.send(), TOO_LATE);
  for (const w of [late, aborted]) assert.deepEqual([w.provider.transactional, await w.row()], [[], null]);
  await using justInTime = await world({ commitMs: SEND_WITHIN_MS });
  assert.deepEqual(await justInTime.send(), { kind: "done" });
});

Deno.test("a result is stored only in a claim of the same attempt that is still open", async () => {
  for (const row of [{ v: 1, at: 1, state: "sending" }, { v: 1, at: 0, state: "unknown" }] as const) {
    await using w = await world();
    const found = { ...row, at: row.at + w.clock.now() };
    w.provider.sendTransactional = async () => {
      await w.kv.set(marker, found);
      return { kind: "sent" };
    };
    assert.deepEqual(await w.send(), { kind: "done" });
    assert.deepEqual(await w.row(), found);
  }
});

Deno.test("an attempt that has lost its lease claims nothing", async () => {
  await using w = await world();
  await w.queue.cancel("a");
  await assert.rejects(w.send(), LeaseLost);
  assert.deepEqual([await w.row(), w.provider.transactional], [null, []]);
});
