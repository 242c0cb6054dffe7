import { compare, type Comparison, HOUR, type Traffic, type Window, WINDOWS } from "./traffic.ts";

/** Why signups look like an attack. `manual`: an admin has turned attack mode on. */
export type AttackReason = "manual" | "network" | "confirmations" | "timing" | "token";

/** A running attack. Times are Unix milliseconds. */
export interface Attack {
  since: number;
  /** When a reason last held, or many signups were refused. */
  seenAt: number;
  /** When a reason last held: accepted signups looked like an attack, or an admin had turned attack mode on. */
  acceptedAt: number;
  reasons: readonly AttackReason[];
  /** Forms whose own signups looked like an attack; absent if only those of all forms together did. */
  forms?: readonly string[];
}

/** What happened in the last hour, and day. */
export interface Signals {
  /** Of all forms together, and of those of which it is known what is usual. */
  traffic: readonly [Traffic, ...Traffic[]];
  /** Signups that were refused because they had not solved a challenge. */
  refused: number;
  /** Most accepted signups from one network: a /24 of IPv4, a /48 or a /56 of IPv6. */
  fromNetwork: number;
  /** Most accepted signups with one form token. */
  withToken: number;
  /** Accepted signups with a token that another one had before. */
  reusedTokens: number;
  /** Most accepted signups that were sent equally long after their token, to the second. */
  sameAge: number;
  /** Milliseconds since the provider was asked for new confirmations; absent if it was not. */
  askedMs?: number;
}

export interface Thresholds {
  mode: "auto" | "on" | "off";
  /** Signups per hour above which one network is an attack. */
  networkSignups: number;
  /** Signups per hour with one form token that may be an attack. */
  tokenSignups: number;
  /** Fewer signups more than usual, in an hour or a day, are no attack, whatever their confirmation rate. */
  signups: number;
  /** How long no reason has to hold before attack mode ends. */
  calmMinutes: number;
}

/** An attack goes on while the signals are above this part of the thresholds, so that it does not come and go. */
const STAYS = 0.5;
/** Signups rise if there are by so large a part more than usual. */
const RISE = 0.5;
/** The confirmation rate is low below this part of the expected one. */
const LOW = 0.25;
/** Refused signups prolong an attack while there are so many times as many in all as usual. */
const REFUSED_RISE = 1.5;
/** A rise in a day counts while the last hour has so many more than usual, as a part of `signups`. */
const RECENT = 0.125;
/**
 * So long after accepted signups looked like an attack, refused ones no longer prolong it, in milliseconds: they cost their
 * sender nothing, so that one address could keep it on forever.
 */
const REFUSED_MOST_MS = 24 * 60 * 60_000;
/** Signups are alike if so large a part of a rise is. */
const ALIKE = 0.8;
/** So many confirmations must be missing among signups that are alike. */
const MISSED_WHEN_ALIKE = 1;
/** How many signups with one token must be older than two minutes, and which part of all is hardly any. */
const TOKEN_SETTLED = { minutes: 2, least: 20, hardlyAny: 0.1 };
/**
 * Milliseconds: how long the provider takes to report confirmations, how long that counts, and how often to ask once there
 * may be an attack, and before one begins.
 */
const ASKED_MS = { least: 10_000, most: 180_000, atFirst: 60_000, again: 20_000 };

/**
 * How much must be known before hardly confirmed signups are an attack.
 *
 * - `signups`: how many more than usual, in multiples of the threshold
 * - `evidence`: squared missing confirmations per expected one; chance alone seldom makes it so large
 */
const CONFIRMATION_RULES = {
  known: [{ signups: 2, evidence: 1.2 }, { signups: 1.5, evidence: 2.5 }, { signups: 1, evidence: 4 }],
  /** There are no four weeks to compare with. */
  unknown: [{ signups: 2, evidence: 2.5 }, { signups: 1, evidence: 6 }],
} as const;

/**
 * Decides whether signups are an attack. An attack begins with any signal above its threshold, and ends once all signals
 * have been below half of it for `calmMinutes`. Signups that are refused meanwhile prolong it, for a day at most.
 *
 * - One network has made very many signups.
 * - Signups rise, of all forms or of one, and hardly anybody confirms them. Of a rise that a program makes, less needs to be
 *   known: its signups come equally long after their tokens, or use tokens again.
 * - One token was used very often, and hardly anybody confirms. A token alone proves nothing: visitors of the same
 *   millisecond share one, a cache may serve one to many people, and a script may reuse its own.
 *
 * Confirmations count only once the provider was asked for them.
 *
 * @param before the attack until now, if there is one
 * @param now Unix milliseconds
 */
export function decide(
  before: Attack | undefined,
  signals: Signals,
  thresholds: Thresholds,
  now: number,
): Attack | undefined {
  const { mode, calmMinutes } = thresholds;
  if (mode === "off") return undefined;
  const since = before?.since ?? now;
  const found = before || knowsConfirmations(signals)
    ? findReasons(signals, thresholds, before ? STAYS : 1, Math.round((signals.askedMs ?? 0) / 60_000))
    : { reasons: networkReason(signals, thresholds, 1), forms: [] };
  const earlier = before?.reasons.filter((reason) => reason !== "manual") ?? [];
  const reasons = [...new Set([...earlier, ...found.reasons])];
  const forms = [...new Set([...before?.forms ?? [], ...found.forms])];
  const isReason = mode === "on" || found.reasons.length > 0;
  const next = (seenAt: number, why: readonly AttackReason[]): Attack => ({
    since,
    seenAt,
    acceptedAt: isReason ? now : before?.acceptedAt ?? now,
    reasons: why,
    ...forms.length > 0 && { forms },
  });
  if (mode === "on") return next(now, ["manual", ...reasons]);
  if (reasons.length === 0) return undefined;
  const mayBeProlonged = before !== undefined && Math.abs(now - before.acceptedAt) < REFUSED_MOST_MS;
  if (isReason || mayBeProlonged && isStillRefused(signals, thresholds)) return next(now, reasons);
  const isOver = Math.abs(now - before!.seenAt) >= calmMinutes * 60_000;
  return isOver ? undefined : next(before!.seenAt, reasons);
}

/**
 * Returns how often to ask the provider for new confirmations, in milliseconds, because without them, there may be an
 * attack; undefined while that is not so.
 *
 * @param isRunning whether an attack lasts
 */
export function asksEvery(
  signals: Signals,
  thresholds: Thresholds,
  isRunning: boolean,
): number | undefined {
  if (thresholds.mode === "off") return undefined;
  const isFound = (part: number) =>
    findReasons(signals, thresholds, part, 0).reasons.some((reason) => reason !== "network");
  if (!isRunning && isFound(1)) return ASKED_MS.again;
  return isFound(STAYS) ? ASKED_MS.atFirst : undefined;
}

const knowsConfirmations = ({ askedMs = Infinity }: Signals) =>
  askedMs >= ASKED_MS.least && askedMs <= ASKED_MS.most;

/**
 * @param part of the thresholds that has to be reached
 * @param unknownMinutes how long ago the provider was asked for confirmations
 */
function findReasons(signals: Signals, thresholds: Thresholds, part: number, unknownMinutes: number) {
  const forms: string[] = [];
  const reasons = networkReason(signals, thresholds, part);
  for (const traffic of signals.traffic) {
    if (!isHardlyConfirmed(traffic, thresholds, part, unknownMinutes)) continue;
    reasons.push("confirmations");
    if (traffic.form !== undefined) forms.push(traffic.form);
  }
  const [all] = signals.traffic;
  const isAlike = alikeIn(all, thresholds, part, unknownMinutes);
  if (isAlike(signals.sameAge)) reasons.push("timing");
  const isOneToken = signals.withToken > thresholds.tokenSignups * part && hasFewSettled(all, part);
  if (isOneToken || isAlike(signals.reusedTokens)) reasons.push("token");
  return { reasons: [...new Set(reasons)], forms };
}

function networkReason({ fromNetwork }: Signals, { networkSignups }: Thresholds, part: number) {
  return fromNetwork > networkSignups * part ? ["network"] as AttackReason[] : [];
}

/** Returns whether so many more signups than usual came that they may be an attack. */
const rises = ({ extra, usual }: Comparison, least: number, part: number) =>
  extra >= least * part && extra >= usual * RISE * part;

const isLow = ({ confirmed, usualConfirmed, expected }: Comparison, part: number) =>
  confirmed < usualConfirmed + expected * LOW / part;

function isHardlyConfirmed(
  traffic: Traffic,
  { signups }: Thresholds,
  part: number,
  unknownMinutes: number,
): boolean {
  const rules = CONFIRMATION_RULES[traffic.usual ? "known" : "unknown"];
  const inHour = compare(traffic, HOUR, unknownMinutes);
  const goesOn = inHour.extra >= signups * RECENT * part && isLow(inHour, part);
  const isIn = (window: Window) => {
    if (window.of === "day" && !goesOn) return false;
    const found = compare(traffic, window, unknownMinutes);
    const { confirmed, usualConfirmed, expected } = found;
    const missing = usualConfirmed + expected - confirmed;
    return isLow(found, part) &&
      rules.some((rule) =>
        rises(found, signups * rule.signups, part) &&
        missing ** 2 >= rule.evidence * part * (usualConfirmed + expected)
      );
  };
  return WINDOWS.some(isIn);
}

/** Returns a function that says whether so many signups that are alike are a program's. */
function alikeIn(traffic: Traffic, { signups }: Thresholds, part: number, unknownMinutes: number) {
  const found = compare(traffic, HOUR, unknownMinutes);
  const isSuspect = rises(found, signups, part) && isLow(found, part) &&
    found.expected >= MISSED_WHEN_ALIKE * part;
  return (alike: number) => isSuspect && alike >= found.extra * ALIKE;
}

/** Returns whether hardly any of the signups have been confirmed that are old enough. */
function hasFewSettled({ hour: { accepted, confirmed } }: Traffic, part: number): boolean {
  const settled = sum(accepted.slice(TOKEN_SETTLED.minutes));
  return settled >= TOKEN_SETTLED.least * part && sum(confirmed) < settled * TOKEN_SETTLED.hardlyAny;
}

/**
 * Returns whether many signups are still refused. Those of a script that does not know challenges are no sign: with them,
 * there are as many in all as usual.
 */
function isStillRefused({ refused, traffic: [{ usual, hour }] }: Signals, { signups }: Thresholds): boolean {
  return refused >= signups * STAYS &&
    refused + sum(hour.accepted) >= REFUSED_RISE * (usual?.signupsPerHour ?? 0);
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
