import assert from "node:assert/strict";
import type { SubscribedEvent } from "../../hooks/hooks.ts";
import type { FaultMode } from "../../sandbox/faults.ts";
import { eventually } from "../../testing/eventually.ts";
import { startProgram, type TestProgram } from "../../testing/program.ts";
import { ManualClock } from "../../testing/manual_clock.ts";
import { signFormConfig } from "../form/signed_config.ts";
import { signupStatuses } from "../../ops/signup_status.ts";

/** Deliveries by the real adapter to the sandbox, in the real program over HTTP. */

async function program(
  test: (program: TestProgram, told: SubscribedEvent[], clock: ManualClock) => Promise<void>,
) {
  const told: SubscribedEvent[] = [];
  const clock = new ManualClock();
  await using started = await startProgram({
    clock,
    file: { actions: { cfbe_subscribed: (event) => void told.push(event) } },
  });
  await test(started, told, clock);
}

async function record(program: TestProgram, email: string) {
  return (await signupStatuses(program.services, email))?.[0]?.record;
}
async function fault(program: TestProgram, mode: FaultMode) {
  const answer = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mode }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
async function mailsTo(program: TestProgram, email: string): Promise<number> {
  const rows = program.services.kv.list<{ to: string }>({ prefix: ["s", "main", "sandbox", "mail"] });
  return (await Array.fromAsync(rows)).filter(({ value }) => value.to === email).length;
}

const testAddresses = [
  ["ada@example.com", "pending", "pending", 1],
  ["bounced@example.com", "suppressed", "failed", 0],
  ["suppressed@example.com", "suppressed", "failed", 0],
  ["active@example.com", "already_active", "active", 0],
  ["unsubscribed@example.com", "failed", "failed", 0],
] as const;
for (const [email, outcome, status, mails] of testAddresses) {
  Deno.test(`${email} at the sandbox: ${outcome}, and the visitor sees the neutral success`, () =>
    program(async (program, told) => {
      const answer = await program.subscribe({ email });
      assert.deepEqual([answer.status, (await answer.json()).code], [200, "pending"]);
      await program.runner.idle();
      assert.deepEqual(told.map((event) => event.outcome), [outcome]);
      assert.equal((await record(program, email))?.status, status);
      assert.equal(await mailsTo(program, email), mails);
    }));
}

for (const listStatus of ["bounced", "suppressed"]) {
  Deno.test(`${listStatus}@example.com at the sandbox has the list status ${listStatus}, with the reason`, () =>
    program(async (program) => {
      await (await program.subscribe({ email: `${listStatus}@example.com` })).body?.cancel();
      await program.runner.idle();
      const { listStatus: seen, reason } = (await record(program, `${listStatus}@example.com`))!;
      assert.equal(seen, listStatus);
      assert.match(reason!, listStatus === "bounced" ? /flagged for bouncing/ : /suppression list/);
    }));
}

for (const mode of ["429", "500", "503", "garbage", "reset", "403", "credits"] as const) {
  Deno.test(`${mode} at the sandbox: the visitor notices nothing, the signup is queued`, () =>
    program(async (program, told) => {
      await fault(program, mode);
      const answer = await program.subscribe({ email: "ada@example.com" });
      assert.deepEqual([answer.status, (await answer.json()).code], [200, "pending"]);
      await program.runner.idle();
      assert.deepEqual(told.map((event) => event.outcome), ["queued"]);
      const [status] = (await signupStatuses(program.services, "ada@example.com"))!;
      assert.deepEqual([status!.record.status, status!.jobs[0]?.state], ["queued", "waiting"]);
    }));
}

Deno.test("an error that took effect all the same ends in one mail", () =>
  program(async (program, told, clock) => {
    await fault(program, "error-after");
    await (await program.subscribe({ email: "ada@example.com" })).body?.cancel();
    await program.runner.idle();
    assert.equal((await record(program, "ada@example.com"))?.status, "queued");
    await fault(program, "none");
    await clock.advance(60_000);
    await eventually("pending", async () => (await record(program, "ada@example.com"))?.status === "pending");
    assert.equal(await mailsTo(program, "ada@example.com"), 1);
    assert.deepEqual(told.map((event) => event.outcome), ["queued"]);
  }));

Deno.test("a single opt-in list is active at once, a confirmed address by its webhook", () =>
  program(async (program, told) => {
    const lists = program.services.settings.current().general.knownLists;
    const single = lists.find(({ doubleOptIn }) => !doubleOptIn)!.id;
    const cfbe_cfg = signFormConfig(program.services.keyring, { list: single });
    await (await program.subscribe({ email: "ada@example.com", cfbe_cfg })).body?.cancel();
    await (await program.subscribe({ email: "auto@example.com" })).body?.cancel();
    await program.runner.idle();
    assert.equal(told[0]?.outcome, "active");
    await eventually(
      "confirmed",
      async () => (await record(program, "auto@example.com"))?.status === "active",
    );
    assert.equal((await record(program, "auto@example.com"))?.confirmed !== undefined, true);
    await program.sandbox?.idle();
  }));
