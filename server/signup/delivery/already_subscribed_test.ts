import assert from "node:assert/strict";
import { harness, LIST } from "../../testing/harness.ts";
import { en } from "../../../shared/texts/en.ts";
import { LIST_STATUSES } from "../../../shared/outcomes.ts";
import { DELIVER_AFTER_MS } from "./already_subscribed.ts";

/** The setting "Show the Already subscribed message": the one call that a visitor waits for. */

const ADA = "ada@example.com";
const settings = { form: { showAlreadySubscribed: true } };
const ALREADY = { success: true, code: "already_active", message: en.alreadySubscribed };

for (const status of [...LIST_STATUSES, undefined]) {
  const says = status === "active" || status === "paused" ? "already_active" : "pending";
  Deno.test(`${status ?? "nobody"} at the list, with the setting on: ${says}`, async () => {
    await using b = await harness({ settings });
    if (status) b.provider.put(LIST, ADA, status);
    const answer = await b.post({ email: ADA });
    const body = await answer.json();
    assert.deepEqual([answer.status, body.code], [200, says]);
    if (says === "already_active") assert.deepEqual(body, ALREADY);
    assert.ok(await b.record(ADA), "the signup counts all the same");
  });
}

Deno.test("with the setting off nobody is asked, and the answer is pending", async () => {
  await using b = await harness();
  b.provider.put(LIST, ADA, "active");
  assert.equal((await (await b.post({ email: ADA })).json()).code, "pending");
  assert.deepEqual(b.provider.calls, []);
});

Deno.test("trouble at the provider means pending", async () => {
  await using b = await harness({ settings });
  b.provider.put(LIST, ADA, "active");
  b.provider.answers.status.push({
    kind: "trouble",
    code: "unavailable",
    reason: "HTTP 500",
    unknown: false,
  });
  assert.equal((await (await b.post({ email: ADA })).json()).code, "pending");
});

Deno.test("a provider that does not answer is waited for two seconds, by a signal", async () => {
  await using b = await harness({ settings });
  using stack = new DisposableStack();
  const { timeout } = AbortSignal;
  stack.defer(() => AbortSignal.timeout = timeout);
  const over = new AbortController();
  const waits: number[] = [];
  AbortSignal.timeout = (ms) => (waits.push(ms), over.signal);
  b.provider.status = async (_target, signal) => {
    const aborted = new Promise((resolve) => signal!.addEventListener("abort", resolve));
    over.abort();
    await aborted;
    return { kind: "trouble", code: "cancelled", reason: "the caller stopped waiting", unknown: false };
  };
  assert.equal((await (await b.post({ email: ADA })).json()).code, "pending");
  assert.deepEqual(waits, [2_000]);
});

Deno.test("who is refused or dropped costs no call", async () => {
  await using b = await harness({ settings });
  b.provider.put(LIST, ADA, "active");
  for (const body of [{ cfbe_hp: "x" }, { cfbe_token: "x" }, { email: "no" }, { source: "x" }]) {
    await b.post({ email: ADA, ...body });
  }
  for (let i = 0; i < 9; i++) await b.post({ email: ADA });
  assert.equal(b.provider.calls.length, 3, "the mailbox's three");
});

Deno.test("the answer is not about the visitor's own signup a moment ago", async () => {
  await using b = await harness({ settings });
  const { subscribe } = b.provider;
  b.provider.subscribe = async (...args) => {
    const result = await subscribe(...args);
    b.provider.put(LIST, ADA, "active");
    return result;
  };
  const { status } = b.provider;
  b.provider.status = async (...args) => (await b.work(), status(...args));
  assert.equal((await (await b.post({ email: ADA })).json()).code, "pending");
  b.provider.status = status;
  await b.clock.advance(DELIVER_AFTER_MS);
  await b.work();
  assert.equal((await b.record(ADA))?.status, "active");
  assert.deepEqual(await (await b.post({ email: ADA })).json(), ALREADY);
});
