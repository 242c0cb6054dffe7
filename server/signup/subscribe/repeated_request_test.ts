import assert from "node:assert/strict";
import { serveSandbox } from "../../sandbox/testing/serve.ts";
import { repeatWrites, startIntermediary } from "../../sandbox/testing/intermediary.ts";
import type { SubscribedEvent } from "../../settings/hooks/hooks.ts";
import { signupStatuses } from "../../operations/remote/signup_status.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram } from "../../../dev/testing/program.ts";

/** The real program and the real adapter over HTTP, behind a proxy that repeats requests. */

const ADA = "ada@example.com";
const HOUR = 60 * 60 * 1000;

interface Scenario {
  /** Whether the proxy repeats requests. */
  repeated: boolean;
  /** Clock of the provider. The program uses the system clock. */
  clock?: ManualClock;
  /** How long ago somebody else signed Ada up. */
  agoMs?: number;
}

/** Signs Ada up and returns the result. */
async function signUp({ repeated, clock, agoMs }: Scenario) {
  await using served = await serveSandbox(clock ? { clock } : {});
  await using proxy = startIntermediary(served.sandbox.apiUrl, repeatWrites);
  const { project, apiKey, list } = served.provisioned;
  const mails = async () =>
    (await served.json(`/sandbox/inbox.json?email=${encodeURIComponent(ADA)}`)).mails.length;
  if (agoMs !== undefined) {
    await served.provider().subscribe({ list, email: ADA }, { tags: [] });
    await clock?.advance(agoMs);
  }
  const mailsBefore = await mails();
  const events: SubscribedEvent[] = [];
  await using program = await startProgram({
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: repeated ? proxy.url : served.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
    },
    file: {
      settings: { general: { defaultList: list } },
      actions: { cfbe_subscribed: (event) => void events.push(event) },
    },
  });
  await (await program.subscribe({ email: ADA })).body?.cancel();
  await program.runner.idle();
  return {
    outcomes: events.map(({ outcome }) => outcome),
    status: (await signupStatuses(program.services, ADA))?.[0]?.record.status,
    mails: await mails() - mailsBefore,
  };
}

const NEW_SIGNUP = { outcomes: ["pending"], status: "pending", mails: 1 };

Deno.test("a subscribe request that a proxy repeats is one new signup with one email", async () => {
  assert.deepEqual(await signUp({ repeated: true }), NEW_SIGNUP);
});

Deno.test("after a signup by somebody else a moment ago, the confirmation is resent once", async () => {
  assert.deepEqual(await signUp({ repeated: false, agoMs: 0 }), {
    outcomes: ["resent"],
    status: "pending",
    mails: 1,
  });
});

for (const years of [-2, 2]) {
  Deno.test(`a repeated request is one new signup at a provider whose clock is off by ${years} years`, async () => {
    const clock = new ManualClock(Date.now() + years * 365 * 24 * HOUR);
    assert.deepEqual(await signUp({ repeated: true, clock }), NEW_SIGNUP);
  });
  Deno.test(`the confirmation of an hour-old signup is resent once at a provider whose clock is off by ${years} years`, async () => {
    const clock = new ManualClock(Date.now() + years * 365 * 24 * HOUR);
    assert.deepEqual(await signUp({ repeated: false, clock, agoMs: HOUR }), {
      outcomes: ["resent"],
      status: "pending",
      mails: 1,
    });
  });
}
