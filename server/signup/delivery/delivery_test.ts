import assert from "node:assert/strict";
import type { SubscribedEvent } from "../../settings/hooks/hooks.ts";
import type { FaultMode } from "../../sandbox/account/faults.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";

/** Deliveries to the sandbox by the real adapter, in the real program over HTTP. */

async function withProgram(
  test: (program: TestProgram, events: SubscribedEvent[], clock: ManualClock) => Promise<void>,
) {
  const events: SubscribedEvent[] = [];
  const clock = new ManualClock();
  await using started = await startProgram({
    clock,
    file: { actions: { cfbe_subscribed: (event) => void events.push(event) } },
  });
  await test(started, events, clock);
}

async function recordOf(program: TestProgram, email: string) {
  return (await signupStatuses(program.services, email))?.[0]?.record;
}
async function setFault(program: TestProgram, mode: FaultMode) {
  const response = await fetch(`${program.baseUrl}/sandbox/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mode }),
  });
  assert.equal(response.status, 200, await response.text());
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
    withProgram(async (program, events) => {
      const response = await program.subscribe({ email });
      assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
      await program.runner.idle();
      assert.deepEqual(events.map((event) => event.outcome), [outcome]);
      assert.equal((await recordOf(program, email))?.status, status);
      assert.equal(await mailsTo(program, email), mails);
    }));
}

for (const listStatus of ["bounced", "suppressed"]) {
  Deno.test(`${listStatus}@example.com gets the list status ${listStatus} at the sandbox, with the reason`, () =>
    withProgram(async (program) => {
      await (await program.subscribe({ email: `${listStatus}@example.com` })).body?.cancel();
      await program.runner.idle();
      const { listStatus: seen, reason } = (await recordOf(program, `${listStatus}@example.com`))!;
      assert.equal(seen, listStatus);
      assert.match(
        reason!,
        listStatus === "bounced" ? /because emails to it bounced/ : /rejects the address/,
      );
    }));
}

for (const mode of ["429", "500", "503", "garbage", "reset", "403", "credits"] as const) {
  Deno.test(`with the fault ${mode} at the sandbox, the visitor sees a success and the signup is queued`, () =>
    withProgram(async (program, events) => {
      await setFault(program, mode);
      const response = await program.subscribe({ email: "ada@example.com" });
      assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
      await program.runner.idle();
      assert.deepEqual(events.map((event) => event.outcome), ["queued"]);
      const [status] = (await signupStatuses(program.services, "ada@example.com"))!;
      assert.deepEqual([status!.record.status, status!.jobs[0]?.state], ["queued", "waiting"]);
    }));
}

Deno.test("a request that took effect despite its error causes one email", () =>
  withProgram(async (program, events, clock) => {
    await setFault(program, "error-after");
    await (await program.subscribe({ email: "ada@example.com" })).body?.cancel();
    await program.runner.idle();
    assert.equal((await recordOf(program, "ada@example.com"))?.status, "queued");
    await setFault(program, "none");
    await clock.advance(60_000);
    await eventually(
      "pending",
      async () => (await recordOf(program, "ada@example.com"))?.status === "pending",
    );
    assert.equal(await mailsTo(program, "ada@example.com"), 1);
    assert.deepEqual(events.map((event) => event.outcome), ["queued"]);
  }));

Deno.test("a signup is active immediately on a single opt-in list, and after its webhook elsewhere", () =>
  withProgram(async (program, events) => {
    const lists = program.services.settings.current().general.knownLists;
    const single = lists.find(({ doubleOptIn }) => !doubleOptIn)!.id;
    const cfbe_cfg = signFormConfig(program.services.keyring, { list: single });
    await (await program.subscribe({ email: "ada@example.com", cfbe_cfg })).body?.cancel();
    await program.runner.idle();
    assert.equal(events[0]?.outcome, "active");
    await (await program.subscribe({ email: "auto@example.com" })).body?.cancel();
    await program.runner.idle();
    await eventually(
      "confirmed",
      async () => (await recordOf(program, "auto@example.com"))?.status === "active",
    );
    assert.equal((await recordOf(program, "auto@example.com"))?.confirmed !== undefined, true);
    await program.sandbox?.idle();
  }));
