/** Why signups look like an attack. `manual`: an admin has turned attack mode on. */
export type AttackReason = "manual" | "network" | "confirmations" | "token";

/** A running attack. Times are Unix milliseconds. */
export interface Attack {
  since: number;
  /** When a reason last held. */
  seenAt: number;
  reasons: readonly AttackReason[];
}

/** What happened in the last hour, except for `usual`. */
export interface Signals {
  /** Signups that were accepted, or refused because they had not solved a challenge. */
  signups: number;
  /** Those that were refused. */
  refused: number;
  /** Accepted signups that are so old that most people have confirmed by now. */
  settled: number;
  confirmed: number;
  /** Most signups from one network: a /24 of IPv4, a /48 or a /56 of IPv6. */
  fromNetwork: number;
  /** Most signups with one form token. */
  withToken: number;
  /** The four weeks before today; absent if they had too few signups to tell. */
  usual?: Usual;
}

export interface Usual {
  signupsPerHour: number;
  /** Confirmed signups per accepted one, from 0 to 1. */
  confirmationRate: number;
}

export interface Thresholds {
  mode: "auto" | "on" | "off";
  /** Signups per hour above which one network is an attack. */
  networkSignups: number;
  /** Signups per hour with one form token that may be an attack. */
  tokenSignups: number;
  /** Fewer signups per hour are no attack, whatever their confirmation rate. */
  signups: number;
  /** How long no reason has to hold before attack mode ends. */
  calmMinutes: number;
}

/** An attack goes on while the signals are above this part of the thresholds, so that it does not come and go. */
const STAYS = 0.5;
/** Signups rise if there are so many times as many as usual. */
const RISE = 3;
/** While an attack lasts, refused signups beyond so many times the usual number prolong it. */
const REFUSED_RISE = 1.5;
/** Fewer signups say nothing about their confirmation rate. */
const ENOUGH_SETTLED = 20;
/** The confirmation rate is low below this part of the usual one; where that is not known, below `HARDLY_ANY`. */
const LOW = 0.25;
const HARDLY_ANY = 0.1;

/**
 * Decides whether signups are an attack. An attack begins with any signal above its threshold, and ends once all signals
 * have been below half of it for `calmMinutes`.
 *
 * - One network has made very many signups.
 * - Signups rise, and hardly anybody confirms them.
 * - One token was used very often, and hardly anybody confirms. A token alone proves nothing: visitors of the same
 *   millisecond share one, a cache may serve one to many people, and a script may reuse its own.
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
  const found = reasonsIn(signals, thresholds, before !== undefined);
  const earlier = before?.reasons.filter((reason) => reason !== "manual") ?? [];
  const reasons = [...new Set([...earlier, ...found])];
  if (mode === "on") return { since, seenAt: now, reasons: ["manual", ...reasons] };
  if (reasons.length === 0) return undefined;
  if (found.length > 0 || isStillRefused(signals, thresholds)) return { since, seenAt: now, reasons };
  const isOver = Math.abs(now - before!.seenAt) >= calmMinutes * 60_000;
  return isOver ? undefined : { ...before!, reasons };
}

function reasonsIn(signals: Signals, thresholds: Thresholds, isRunning: boolean): AttackReason[] {
  const part = isRunning ? STAYS : 1;
  const { signups, settled, confirmed, fromNetwork, withToken, usual } = signals;
  const isKnown = settled >= ENOUGH_SETTLED * part;
  const below = (rate: number) => isKnown && confirmed < settled * rate;
  const rises = usual && signups >= part * Math.max(thresholds.signups, RISE * usual.signupsPerHour);
  const reasons: AttackReason[] = [];
  if (fromNetwork > thresholds.networkSignups * part) reasons.push("network");
  if (rises && below(usual.confirmationRate * LOW / part)) reasons.push("confirmations");
  if (withToken > thresholds.tokenSignups * part && below(HARDLY_ANY)) reasons.push("token");
  return reasons;
}

/** Returns whether many signups are still refused. As many as usual are no sign: a script may not know challenges. */
function isStillRefused({ refused, usual }: Signals, { signups }: Thresholds): boolean {
  return refused >= Math.max(signups * STAYS, REFUSED_RISE * (usual?.signupsPerHour ?? 0));
}
