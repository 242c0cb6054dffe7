import assert from "node:assert/strict";
import { EventClock } from "../../../dev/testing/event_clock.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { createResponseTimer } from "./response_timer.ts";

/**
 * Simulated visitors: whether response times tell accepted from dropped requests, and how long a burst slows responses
 * down. One server accepts signups one after the other, as the database does.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const FLOOR_MS = 75;
const SLOWEST_WITH_FLOOR_MS = FLOOR_MS + 50;
/** How well response times may tell accepted from dropped requests; 0.5 is not at all. */
const MAX_AUC = 0.53;

interface Load {
  /** Seconds since the start. */
  from: number;
  to: number;
  acceptedPerSecond: number;
  droppedPerSecond: number;
}

interface Response {
  at: number;
  accepted: boolean;
  ms: number;
}

/** Returns the responses to all requests of the loads. `workMs` draws how long the server works on one signup. */
async function simulate(
  loads: readonly Load[],
  workMs: (float: () => number) => number,
): Promise<Response[]> {
  const clock = new EventClock();
  const random = seededRandom(11);
  const timer = createResponseTimer({ clock, random, floorMs: FLOOR_MS });
  const responses: Response[] = [];
  let idleFrom = 0;

  async function respond(accepted: boolean) {
    const at = clock.now();
    const request = timer.start();
    if (accepted) {
      idleFrom = Math.max(idleFrom, at) + workMs(random.float);
      await request.timeAccept(() => clock.sleep(idleFrom - at), () => true);
    }
    await request.waitUntilDue();
    responses.push({ at: at / SECOND, accepted, ms: clock.now() - at });
  }

  for (const { from, to, acceptedPerSecond, droppedPerSecond } of loads) {
    for (const [accepted, perSecond] of [[true, acceptedPerSecond], [false, droppedPerSecond]] as const) {
      const mean = SECOND / perSecond;
      for (
        let at = from * SECOND + random.float() * mean;
        at < to * SECOND;
        at += 2 * mean * random.float()
      ) {
        clock.at(at, () => void respond(accepted));
      }
    }
  }
  await clock.runAll();
  return responses;
}

/** Returns the probability that an accepted request took longer than a dropped one, or the reverse if that is larger. */
function auc(responses: readonly Response[]): number {
  const sorted = responses.toSorted((a, b) => a.ms - b.ms);
  let [dropped, pairs] = [0, 0];
  for (const { accepted } of sorted) {
    if (accepted) pairs += dropped;
    else dropped++;
  }
  const share = pairs / (dropped * (responses.length - dropped));
  return Math.max(share, 1 - share);
}

const between = (responses: readonly Response[], from: number, to: number) =>
  responses.filter(({ at }) => at >= from && at < to);
const slowest = (responses: readonly Response[]) => Math.max(...responses.map(({ ms }) => ms));

/** Twelve seconds with more signups than the server can accept, then ordinary traffic again. */
const BURST: Load[] = [
  { from: 60, to: 72, acceptedPerSecond: 140, droppedPerSecond: 200 },
  { from: 72, to: 240, acceptedPerSecond: 5, droppedPerSecond: 40 },
];
const BEFORE: Load = { from: 0, to: 60, acceptedPerSecond: 5, droppedPerSecond: 40 };
const onFastDisk = (float: () => number) => 4 + 8 * float();

Deno.test("before, during and after a burst, response times tell accepted from dropped requests no better than 0.53", async () => {
  const responses = await simulate([BEFORE, ...BURST], onFastDisk);
  assert.ok(slowest(between(responses, 60, 72)) > 10 * FLOOR_MS, "the burst slowed nothing");
  for (const [from, to] of [[0, 60], [60, 72], [72, 132], [132, 240]] as const) {
    const found = auc(between(responses, from, to));
    assert.ok(found <= MAX_AUC, `${found} from ${from} s to ${to} s`);
  }
});

for (
  const [name, loads] of Object.entries({
    "after ordinary traffic": [BEFORE, ...BURST],
    "right after a start": BURST,
  })
) {
  Deno.test(`a burst ${name} slows nobody a minute after the last slow signup`, async () => {
    const responses = await simulate(loads, onFastDisk);
    const lastSlow = responses.findLast(({ accepted, at, ms }) =>
      accepted && at < 72 && ms > SLOWEST_WITH_FLOOR_MS
    )!;
    const later = between(responses, 72 + lastSlow.ms / SECOND + MINUTE / SECOND, 240);
    assert.ok(slowest(later) <= SLOWEST_WITH_FLOOR_MS, `${slowest(later)} ms`);
  });
}

Deno.test("on a slow disk with a signup every five minutes, response times tell nothing apart", async () => {
  const onSlowDisk = (float: () => number) => 100 + 60 * (float() + float() + float());
  const perSecond = 1 / 300;
  const days = { from: 0, to: 1_500 * 300, acceptedPerSecond: perSecond, droppedPerSecond: perSecond };
  const responses = await simulate([days], onSlowDisk);
  assert.ok(auc(responses) <= MAX_AUC, String(auc(responses)));
});

for (const perSecond of [60, 110]) {
  Deno.test(`at ${perSecond} signups per second, response times tell accepted from dropped requests no better than 0.53`, async () => {
    const load = { from: 0, to: 60, acceptedPerSecond: perSecond, droppedPerSecond: perSecond };
    const responses = await simulate([load], onFastDisk);
    assert.ok(auc(responses) <= MAX_AUC, String(auc(responses)));
  });
}

/**
 * Simulates signups, each with a dropped request at the same instant, and returns how long both take without their
 * jitter, in milliseconds. What the two see of the server is the same, so their difference shows small means exactly.
 */
async function simulatePairs(
  load: { perSecond: number; signups: number },
  workMs: (float: () => number) => number,
): Promise<{ accepted: number[]; dropped: number[] }> {
  const clock = new EventClock();
  const random = seededRandom(5);
  const timer = createResponseTimer({ clock, random: { ...random, float: () => 0 }, floorMs: FLOOR_MS });
  const [accepted, dropped]: [number[], number[]] = [[], []];
  let idleFrom = 0;

  async function pair() {
    const at = clock.now();
    const [bot, visitor] = [timer.start(), timer.start()];
    const botIsDue = bot.waitUntilDue().then(() => clock.now() - at);
    idleFrom = Math.max(idleFrom, at) + workMs(random.float);
    await visitor.timeAccept(() => clock.sleep(idleFrom - at), () => true);
    await visitor.waitUntilDue();
    accepted.push(clock.now() - at);
    dropped.push(await botIsDue);
  }

  let at = 0;
  for (let i = 0; i < load.signups; i++) {
    clock.at(at, () => void pair());
    at -= SECOND / load.perSecond * Math.log(1 - random.float());
  }
  await clock.runAll();
  return { accepted, dropped };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) => {
  const of = mean(values);
  return mean(values.map((value) => (value - of) ** 2));
};
/** Of a uniform jitter from 0 to 50 ms. */
const JITTER_VARIANCE = 50 ** 2 / 12;
/** Two normal means this many standard deviations of their difference apart are told apart in 53% of pairs. */
const MAX_DISTANCE = 0.075;
const MEANS_OF = 64;

const onBusyDisk = (float: () => number) => 10 + 9 * float();
const loads = {
  "5 signups per second": { perSecond: 5, work: onFastDisk },
  "50 signups per second, where the load begins": { perSecond: 50, work: onBusyDisk },
  "110 signups per second": { perSecond: 110, work: onFastDisk },
  "120 signups per second, almost all that the server can accept": { perSecond: 120, work: onFastDisk },
};
for (const [name, { perSecond, work }] of Object.entries(loads)) {
  Deno.test(`at ${name}, means of 64 response times tell nothing apart`, async () => {
    const { accepted, dropped } = await simulatePairs({ perSecond, signups: 2_500 }, work);
    const differences = accepted.map((ms, i) => ms - dropped[i]!);
    const spread = Math.sqrt((variance(accepted) + variance(dropped) + 2 * JITTER_VARIANCE) / MEANS_OF);
    const error = Math.sqrt(variance(differences) / differences.length);
    const atMost = Math.abs(mean(differences)) + 1.645 * error;
    assert.ok(atMost / spread <= MAX_DISTANCE, `${mean(differences)} ± ${error} ms, spread ${spread} ms`);
  });
}
