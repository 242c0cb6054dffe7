import assert from "node:assert/strict";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";
import { en } from "../../../shared/texts/en.ts";
import { LIST_STATUSES } from "../../../shared/outcomes.ts";
import { DELIVER_AFTER_MS } from "./already_subscribed.ts";

/** The setting "Show the Already subscribed message", the only case in which a visitor waits for the provider. */

const ADA = "ada@example.com";
const settings = { form: { showAlreadySubscribed: true } };
const ALREADY = { success: true, code: "already_active", message: en.form.alreadySubscribed };

for (const status of [...LIST_STATUSES, undefined]) {
  const code = status === "active" || status === "paused" ? "already_active" : "pending";
  Deno.test(`with the setting on, the response for the list status ${status ?? "absent"} is ${code}`, async () => {
    await using app = await harness({ settings });
    if (status) app.provider.put(LIST, ADA, status);
    const response = await app.post({ email: ADA });
    const body = await response.json();
    assert.deepEqual([response.status, body.code], [200, code]);
    if (code === "already_active") assert.deepEqual(body, ALREADY);
    assert.ok(await app.record(ADA), "the signup is accepted anyway");
  });
}

Deno.test("with the setting off, the response is pending without a call to the provider", async () => {
  await using app = await harness();
  app.provider.put(LIST, ADA, "active");
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
  assert.deepEqual(app.provider.calls, []);
});

Deno.test("if the provider fails, the response is pending", async () => {
  await using app = await harness({ settings });
  app.provider.put(LIST, ADA, "active");
  app.provider.nextResults.status.push(stubTrouble({ reason: "HTTP 500" }));
  assert.equal((await (await app.post({ email: ADA })).json()).code, "pending");
});

Deno.test("a hanging provider call is aborted after two seconds", async () => {
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
  assert.ok(DELIVER_AFTER_MS > 2_000, "the delivery starts after the response");
});

Deno.test("a refused or dropped request makes no call to the provider", async () => {
  await using app = await harness({ settings });
  app.provider.put(LIST, ADA, "active");
  for (const body of [{ cfbe_hp: "x" }, { cfbe_token: "x" }, { email: "no" }, { source: "x" }]) {
    await app.post({ email: ADA, ...body });
  }
  for (let i = 0; i < 9; i++) await app.post({ email: ADA });
  assert.equal(
    app.provider.calls.length,
    3,
    "one for each of the three signups that the mailbox's limit allows",
  );
});

Deno.test("the response never reports the visitor's own new signup", async () => {
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
