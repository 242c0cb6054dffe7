import assert from "node:assert/strict";
import { stubTrouble } from "../../testing/stub_provider.ts";
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
    await using app = await harness({ settings });
    if (status) app.provider.put(LIST, ADA, status);
    const answer = await app.post({ email: ADA });
    const body = await answer.json();
    assert.deepEqual([answer.status, body.code], [200, says]);
    if (says === "already_active") assert.deepEqual(body, ALREADY);
    assert.ok(await app.record(ADA), "the signup counts all the same");
  });
}

Deno.test("with the setting off nobody is asked, and the answer is pending", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "active");
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
  assert.deepEqual(app.provider.calls, []);
});

Deno.test("trouble at the provider means pending", async () => {
  await using app = await harness({ settings });
  app.provider.put(LIST, ADA, "active");
  app.provider.answers.status.push(stubTrouble({ reason: "HTTP 500" }));
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
});

Deno.test("a provider that does not answer is waited for two seconds, by a signal", async () => {
  await using app = await harness({ settings });
  using stack = new DisposableStack();
  const { timeout } = AbortSignal;
  stack.defer(() => AbortSignal.timeout = timeout);
  const over = new AbortController();
  const waits: number[] = [];
  AbortSignal.timeout = (ms) => (waits.push(ms), over.signal);
  app.provider.status = async (_target, signal) => {
    const aborted = new Promise((resolve) => signal!.addEventListener("abort", resolve));
    over.abort();
    await aborted;
    return { kind: "trouble", code: "cancelled", reason: "the caller stopped waiting", unknown: false };
  };
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
  assert.deepEqual(waits, [2_000]);
});

Deno.test("who is refused or dropped costs no call", async () => {
  await using app = await harness({ settings });
  app.provider.put(LIST, ADA, "active");
  for (const body of [{ cfbe_hp: "x" }, { cfbe_token: "x" }, { email: "no" }, { source: "x" }]) {
    await app.post({ email: ADA, ...body });
  }
  for (let i = 0; i < 9; i++) await app.post({ email: ADA });
  assert.equal(app.provider.calls.length, 3, "the mailbox's three");
});

Deno.test("the answer is not about the visitor's own signup a moment ago", async () => {
  await using app = await harness({ settings });
  const { subscribe } = app.provider;
  app.provider.subscribe = async (...args) => {
    const result = await subscribe(...args);
    app.provider.put(LIST, ADA, "active");
    return result;
  };
  const { status } = app.provider;
  app.provider.status = async (...args) => (await app.work(), status(...args));
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
  app.provider.status = status;
  await app.clock.advance(DELIVER_AFTER_MS);
  await app.work();
  assert.equal((await app.record(ADA))?.status, "active");
  assert.deepEqual(await (await app.post({ email: ADA })).json(), ALREADY);
});
