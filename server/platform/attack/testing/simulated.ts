import { seededRandom } from "../../../../dev/testing/seeded_random.ts";
import { SUBSCRIBE_PER_SITE } from "../../../../shared/limits.ts";
import { createAttackMode, type UsualDays } from "../attack_mode.ts";
import type { Thresholds } from "../decide.ts";
import type { Kv } from "../../kv/port.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const THRESHOLDS: Thresholds = {
  mode: "auto",
  networkSignups: 80,
  tokenSignups: 60,
  signups: 40,
  calmMinutes: 30,
};

/** A signup that reaches the service. Times are milliseconds since the begin. */
export interface Arrival {
  at: number;
  ip: string;
  form?: string;
  /** When its token was issued; 20 s earlier by default. */
  tokenAt?: number;
  /** A visitor who confirms does so after these milliseconds; one who does not never. */
  confirms?: number;
  /** A bot does not solve challenges. */
  bot?: true;
}

export interface Simulated {
  /** When attack mode began and ended; `ended` is absent while it lasts. */
  attacks: { began: number; ended?: number; reasons: readonly string[] }[];
  bots: { acceptedBefore: number; acceptedDuring: number; refused: number };
  visitors: { accepted: number; limited: number; refused: number };
  /** The longest that the confirmation email of a visitor was held, in milliseconds. */
  heldMs: number;
}

/** Decides nothing about stored rows: a simulation has one process. */
const noKv = {
  get: () => Promise.resolve({ value: null, versionstamp: null }),
  set: () => Promise.resolve(),
  delete: () => Promise.resolve(),
} as unknown as Kv;
const noLog = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Runs attack mode over arrivals, without a database and in no time. The site's limit applies; the other limits do not.
 *
 * @param arrivals in the order of their times
 * @param options.untilMs how long to go on after the last arrival
 */
export async function simulate(
  arrivals: Iterable<Arrival>,
  {
    usual,
    thresholds = THRESHOLDS,
    untilMs = 3 * HOUR,
    siteLimit = SUBSCRIBE_PER_SITE.max,
    reportsAfterMs = 0,
    holds = false,
  }: {
    usual?: UsualDays;
    thresholds?: Thresholds;
    untilMs?: number;
    siteLimit?: number;
    /** How late the provider reports a confirmation: up to 15 minutes where only the poll does, unless it is asked. */
    reportsAfterMs?: number;
    /** Whether confirmation emails wait during an attack. */
    holds?: boolean;
  } = {},
): Promise<Simulated> {
  const START = Date.UTC(2026, 0, 5, 8, 0, 20);
  let now = START;
  let unreported: { at: number; form: string }[] = [];
  let held: { at: number; form: string; confirms: number | undefined }[] = [];
  const mode = createAttackMode({
    kv: noKv,
    clock: { now: () => now, sleep: () => Promise.reject(new Error("a simulation does not sleep")) },
    log: noLog as never,
    thresholds: () => thresholds,
    holdsDeliveries: () => holds,
    usual: () => Promise.resolve(usual ?? { forms: new Map() }),
    askForConfirmations: () => Promise.resolve(report(now)),
  });
  /** Notes those who have confirmed by a time. */
  function report(until: number) {
    for (const { form } of unreported.filter(({ at }) => at <= until)) mode.noteConfirmed(form);
    unreported = unreported.filter(({ at }) => at > until);
  }
  const result: Simulated = {
    attacks: [],
    bots: { acceptedBefore: 0, acceptedDuring: 0, refused: 0 },
    visitors: { accepted: 0, limited: 0, refused: 0 },
    heldMs: 0,
  };
  /** Sends the confirmation emails that need not wait. */
  function send() {
    const wait = held.filter(({ at }) => mode.holds([{ source: "shortcode", at }]));
    for (const { at, form, confirms } of held.filter((each) => !wait.includes(each))) {
      result.heldMs = Math.max(result.heldMs, now - at);
      if (confirms !== undefined) unreported.push({ at: now + confirms, form });
    }
    held = wait;
  }
  function note() {
    const [attack, last] = [mode.current(), result.attacks.at(-1)];
    if (attack && (!last || last.ended !== undefined)) {
      result.attacks.push({ began: now - START, reasons: attack.reasons });
    } else if (attack) last!.reasons = attack.reasons;
    else if (last && last.ended === undefined) last.ended = now - START;
  }
  let nextTick = START;
  async function passUntil(at: number) {
    for (; nextTick <= at; nextTick += MINUTE) {
      now = nextTick;
      report(now - reportsAfterMs);
      await mode.tick();
      note();
      send();
    }
    now = at;
    report(now - reportsAfterMs);
  }
  let inMinute: number[] = [];
  let last = START;
  for (const { at, ip, form = "footer", tokenAt = at - 20_000, confirms, bot } of arrivals) {
    await passUntil(last = START + at);
    const of = bot ? result.bots : result.visitors;
    const visitor = { ip, token: `${START + tokenAt}.x`, form };
    const attack = mode.current();
    // A visitor's browser solves the task.
    if (bot && mode.asksProof(visitor)) {
      of.refused++;
      mode.noteSignup({ ...visitor, refused: true });
      note();
      continue;
    }
    inMinute = inMinute.filter((admitted) => admitted > now - MINUTE);
    if (siteLimit > 0 && inMinute.length >= siteLimit) {
      if (!bot) result.visitors.limited++;
      continue;
    }
    inMinute.push(now);
    if (!bot) result.visitors.accepted++;
    else if (attack) result.bots.acceptedDuring++;
    else result.bots.acceptedBefore++;
    mode.noteSignup(visitor);
    note();
    if (mode.holds([{ source: "shortcode", at: now }])) held.push({ at: now, form, confirms });
    else if (confirms !== undefined) unreported.push({ at: now + confirms, form });
  }
  await passUntil(last + untilMs);
  return result;
}

export type Draw = ReturnType<typeof drawsOf>;

/** Returns random values that depend on a seed alone. */
export function drawsOf(seed: number) {
  const random = seededRandom(seed);
  /** At least 1e-9, so that it has a logarithm. */
  const float = () => Math.max(1e-9, random.float());
  return {
    float,
    below: (most: number) => Math.floor(float() * most),
    /** Milliseconds until the next of events that come at random, so many an hour. */
    wait: (perHour: number) => -Math.log(float()) * HOUR / perHour,
    /** How long people take to confirm: half of them four minutes, and a few many hours. */
    confirms: () =>
      4 * MINUTE * Math.exp(1.4 * Math.sqrt(-2 * Math.log(float())) * Math.cos(2 * Math.PI * float())),
  };
}

/**
 * Returns honest visitors, who come at random.
 *
 * @param perHour how many come at a time since the begin, in milliseconds; at least one in ten days
 * @param rate which part confirms
 */
export function* honest(
  draw: Draw,
  { perHour, rate, untilMs, form, mostPerHour }: {
    perHour: (at: number) => number;
    rate: number;
    untilMs: number;
    form?: string;
    /** The most that `perHour` returns. */
    mostPerHour: number;
  },
): Generator<Arrival> {
  for (let at = draw.wait(mostPerHour); at < untilMs; at += draw.wait(mostPerHour)) {
    if (draw.float() > perHour(at) / mostPerHour) continue;
    yield {
      at,
      ip: `${11 + draw.below(90)}.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`,
      // The widget waits until a token is three seconds old, so many are just that.
      tokenAt: at - (draw.float() < 0.3 ? 3_050 : 3_000 + draw.float() * 120_000),
      ...form !== undefined && { form },
      ...draw.float() < rate && { confirms: draw.confirms() },
    };
  }
}

/** Returns bots at equal distances, each from another address. */
export function* bots(
  { from, count, perHour, ipOf, form, tokenAgeOf = () => 20_000 }: {
    from: number;
    count: number;
    perHour: number;
    ipOf: (n: number) => string;
    form?: string;
    tokenAgeOf?: (n: number) => number;
  },
): Generator<Arrival> {
  for (let n = 0; n < count; n++) {
    const at = from + n * HOUR / perHour;
    yield { at, ip: ipOf(n), tokenAt: at - tokenAgeOf(n), bot: true, ...form !== undefined && { form } };
  }
}

/** Merges arrivals by their times. */
export function* merged(...sources: Iterable<Arrival>[]): Generator<Arrival> {
  const iterators = sources.map((source) => source[Symbol.iterator]());
  const heads = iterators.map((iterator) => iterator.next());
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      if (!head.done && (first < 0 || head.value.at < heads[first]!.value!.at)) first = i;
    }
    if (first < 0) return;
    yield heads[first]!.value!;
    heads[first] = iterators[first]!.next();
  }
}
