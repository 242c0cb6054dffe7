import { answered, type Crowd } from "./crowd.ts";
import type { Outside } from "./outside.ts";

/**
 * What must hold of every visitor, by what the two programs say of themselves.
 *
 * @returns a sentence for everything that does not
 */
export async function wrongWithVisitors(outside: Outside, crowd: Crowd): Promise<string[]> {
  const [mails, subscribers] = [await outside.mails(), await outside.subscribers()];
  const wrong: string[] = [];

  for (const visitor of crowd.visitors.values()) {
    const { email, signups, confirmed } = visitor;
    const accepted = answered(visitor);
    const there = subscribers.get(email) ?? [];
    const mailed = mails.get(email) ?? 0;
    const found = await outside.status(email);
    const says = (what: string) =>
      wrong.push(`${email} ${what}: ${JSON.stringify({ visitor, there, mailed, found })}`);

    if (accepted > 0 && there.length !== 1) says("was answered, and is not at the provider exactly once");
    if (there.length > 1) says("is at the provider more than once");
    if (accepted > 0 && mailed !== 1) says("was answered, and was not mailed exactly once");
    if (mailed > 1) says("was mailed more than once");
    if (accepted > 0 && found.length !== 1) says("was answered, and has not exactly one record");
    if (found.length !== there.length) says("is known here and at the provider unequally often");
    for (const { record, consents, jobs } of found) {
      const due = confirmed ? "active" : "pending";
      if (record.status !== due) says(`should be ${due}`);
      if (jobs.length > 0) says("still has jobs");
      if (consents.length < accepted) says("was answered more often than its consent is on record");
      if (consents.length > signups.length) says("has its consent on record more often than it signed up");
    }
  }
  for (const email of new Set([...mails.keys(), ...subscribers.keys()])) {
    if (!crowd.visitors.has(email)) wrong.push(`${email} is at the provider and never signed up`);
  }
  return wrong;
}

type Counts = Record<string, number>;

/**
 * @param books of which every request must be in one place (contract 4.20)
 * @param before what they held when `expected` was still to come
 * @returns a sentence for everything that is wrong with them
 */
export function wrongWithBooks(counters: Counts, before: Counts, expected: Counts): string[] {
  const wrong: string[] = [];
  const says = (what: string) => wrong.push(`${what}: ${JSON.stringify({ counters, before, expected })}`);
  const outcomes = Object.entries(counters).filter(([entry]) =>
    entry === "accepted" || /^(invalid|refused|dropped|rejected)\./.test(entry)
  );
  const sum = outcomes.reduce((total, [, count]) => total + count, 0);
  if (counters["requests"] !== sum) says(`the books do not balance, ${counters["requests"]} is not ${sum}`);
  for (const [entry, count] of Object.entries(expected)) {
    if ((counters[entry] ?? 0) - (before[entry] ?? 0) !== count) {
      says(`${entry} should have grown by ${count}`);
    }
  }
  return wrong;
}
