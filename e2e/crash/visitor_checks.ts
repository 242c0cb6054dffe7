/** Checks of what visitors got, and of the request counters. */
import type { RemoteProvider } from "../providers/remote_provider.ts";
import { answered, type Crowd } from "./crowd.ts";
import type { Observer } from "./observer.ts";
import { isShown, mostMails, waitsForMailBudget } from "./promises.ts";

/**
 * Compares what visitors experienced with what the server and the provider report.
 *
 * @returns one message per problem
 */
export async function visitorProblems(
  provider: RemoteProvider,
  observer: Observer,
  crowd: Crowd,
): Promise<string[]> {
  const { capabilities } = provider;
  const [mailCounts, subscribers] = [await provider.mailCounts(), await provider.subscribers()];
  const problems: string[] = [];

  for (const visitor of crowd.visitors.values()) {
    const { email, signups } = visitor;
    const accepted = answered(visitor);
    const statuses = subscribers.get(email) ?? [];
    const mailed = mailCounts.get(email) ?? 0;
    const found = await observer.status(email);
    // Nobody but the provider knows whether a click without a response took effect.
    const confirmed = visitor.confirmed === "unanswered" ? statuses.includes("active") : visitor.confirmed;
    const waits = waitsForMailBudget(capabilities, found);
    const most = mostMails(capabilities, found);
    const shown = isShown(capabilities, confirmed) ? found.length : 0;
    const report = (what: string) =>
      problems.push(`${email} ${what}: ${JSON.stringify({ visitor, statuses, mailed, found })}`);

    if (accepted > 0 && found.length !== 1) report("was answered, but does not have exactly one record");
    if (accepted > 0 && mailed === 0 && !waits) report("was answered, but did not get an email");
    if (mailed > most) report(`got more than ${most} emails`);
    if (mailed > 0 && found.length === 0) report("got an email, but has no record");
    if (statuses.length !== shown) {
      report(`has ${statuses.length} subscriptions at the provider instead of ${shown}`);
    }
    for (const { record, consents, jobs } of found) {
      const expected = confirmed ? "active" : waits && record.status === "queued" ? "queued" : "pending";
      if (record.status !== expected) report(`should be ${expected}`);
      if (jobs.length > 0 && !waits) report("still has jobs");
      if (consents.length < accepted) report("has fewer consents on record than answered signups");
      if (consents.length > signups.length) report("has more consents on record than signups");
    }
  }
  for (const email of new Set([...mailCounts.keys(), ...subscribers.keys()])) {
    if (!crowd.visitors.has(email)) problems.push(`${email} is at the provider but never signed up`);
  }
  return problems;
}

/** Returns the addresses whose deliveries wait for the mail budget. */
export async function waitingVisitors(
  { capabilities }: RemoteProvider,
  observer: Observer,
  crowd: Crowd,
): Promise<Set<string>> {
  const waiting = new Set<string>();
  for (const email of crowd.visitors.keys()) {
    if (waitsForMailBudget(capabilities, await observer.status(email))) waiting.add(email);
  }
  return waiting;
}

type Counts = Record<string, number>;

/**
 * Checks the request counters: every request must be counted exactly once (contract 4.20).
 *
 * @param counters the counters now
 * @param before the counters before the expected requests
 * @param expected by how much each entry must have increased since
 * @returns one message per problem
 */
export function counterProblems(counters: Counts, before: Counts, expected: Counts): string[] {
  const problems: string[] = [];
  const report = (what: string) =>
    problems.push(`${what}: ${JSON.stringify({ counters, before, expected })}`);
  const outcomes = Object.entries(counters).filter(([entry]) =>
    entry === "accepted" || /^(invalid|rate_limited|dropped|rejected)\./.test(entry)
  );
  const sum = outcomes.reduce((total, [, count]) => total + count, 0);
  if (counters["requests"] !== sum) {
    report(`the counters add up to ${sum}, not to ${counters["requests"]} requests`);
  }
  for (const [entry, count] of Object.entries(expected)) {
    if ((counters[entry] ?? 0) - (before[entry] ?? 0) !== count) {
      report(`${entry} should have increased by ${count}`);
    }
  }
  return problems;
}
