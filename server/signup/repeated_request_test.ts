import assert from "node:assert/strict";
import { serveSandbox } from "../sandbox/testing/serve.ts";
import { repeatWrites, startIntermediary } from "../sandbox/testing/intermediary.ts";
import type { SubscribedEvent } from "../hooks/hooks.ts";
import { statusOf } from "../ops/signup_status.ts";
import { ManualClock } from "../testing/manual_clock.ts";
import { startProgram } from "../testing/program.ts";

/** The real program and the real adapter over HTTP, behind an intermediary that repeats requests. */

const ADA = "ada@example.com";
const HOUR = 60 * 60 * 1000;

interface Way {
  /** Whether requests pass the intermediary. */
  repeated: boolean;
  /** The provider's clock; the program's is the system's. */
  clock?: ManualClock;
  /** Ada was put on the list this long ago, by somebody else. */
  agoMs?: number;
}

/** Signs Ada up, and says what came of it. */
async function signUp({ repeated, clock, agoMs }: Way) {
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
  const seen: SubscribedEvent[] = [];
  await using program = await startProgram({
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: repeated ? proxy.url : served.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
    },
    file: {
      settings: { general: { defaultList: list } },
      actions: { cfbe_subscribed: (event) => void seen.push(event) },
    },
  });
  await (await program.subscribe({ email: ADA })).body?.cancel();
  await program.runner.idle();
  return {
    outcomes: seen.map(({ outcome }) => outcome),
    status: (await statusOf(program.services, ADA))?.[0]?.record.status,
    mails: await mails() - mailsBefore,
  };
}

const OWN = { outcomes: ["pending"], status: "pending", mails: 1 };

Deno.test("a subscribe that an intermediary repeats is our own success, and mails once", async () => {
  assert.deepEqual(await signUp({ repeated: true }), OWN);
});

Deno.test("a signup that somebody else made a moment ago is resent once", async () => {
  assert.deepEqual(await signUp({ repeated: false, agoMs: 0 }), {
    outcomes: ["resent"],
    status: "pending",
    mails: 1,
  });
});

for (const years of [-2, 2]) {
  Deno.test(`the same at a provider whose clock is off by ${years} years`, async () => {
    const clock = new ManualClock(Date.now() + years * 365 * 24 * HOUR);
    assert.deepEqual(await signUp({ repeated: true, clock }), OWN);
  });
  Deno.test(`an hour-old signup at a provider whose clock is off by ${years} years is resent once`, async () => {
    const clock = new ManualClock(Date.now() + years * 365 * 24 * HOUR);
    assert.deepEqual(await signUp({ repeated: false, clock, agoMs: HOUR }), {
      outcomes: ["resent"],
      status: "pending",
      mails: 1,
    });
  });
}
