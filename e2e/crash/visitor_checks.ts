/** Checks of what visitors got, and of the request counters. */
import { answered, type Crowd } from "./crowd.ts";
import type { Observer } from "./observer.ts";

/**
 * Compares what visitors experienced with what the two servers report.
 *
 * @returns one message per problem
 */
export async function visitorProblems(observer: Observer, crowd: Crowd): Promise<string[]> {
  const [mailCounts, subscribers] = [await observer.mailCounts(), await observer.subscribers()];
  const problems: string[] = [];

  for (const visitor of crowd.visitors.values()) {
    const { email, signups, confirmed } = visitor;
    const accepted = answered(visitor);
    const statuses = subscribers.get(email) ?? [];
    const mailed = mailCounts.get(email) ?? 0;
    const found = await observer.status(email);
    const report = (what: string) =>
      problems.push(`${email} ${what}: ${JSON.stringify({ visitor, statuses, mailed, found })}`);

    if (accepted > 0 && statuses.length !== 1) {
      report("was answered, but is not at the provider exactly once");
    }
    if (statuses.length > 1) report("is at the provider more than once");
    if (accepted > 0 && mailed !== 1) report("was answered, but did not get exactly one email");
    if (mailed > 1) report("got more than one email");
    if (accepted > 0 && found.length !== 1) report("was answered, but does not have exactly one record");
    if (found.length !== statuses.length) {
      report("has a different number of records than subscriptions at the provider");
    }
    for (const { record, consents, jobs } of found) {
      const expected = confirmed ? "active" : "pending";
      if (record.status !== expected) report(`should be ${expected}`);
      if (jobs.length > 0) report("still has jobs");
      if (consents.length < accepted) report("has fewer consents on record than answered signups");
      if (consents.length > signups.length) report("has more consents on record than signups");
    }
  }
  for (const email of new Set([...mailCounts.keys(), ...subscribers.keys()])) {
    if (!crowd.visitors.has(email)) problems.push(`${email} is at the provider but never signed up`);
  }
  return problems;
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
