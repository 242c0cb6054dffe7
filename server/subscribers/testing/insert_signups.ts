import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { putConsentText } from "../../forms/consent_texts.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { CONSENT_TEXT, putSampleSignup, sampleSignup, type SampleSpread } from "./sample_signups.ts";

/** How far a database is filled. It is not under the site's keys, so the program does not read it. */
interface Filled {
  v: 1;
  spread: SampleSpread;
  /** Signups stored so far. */
  stored: number;
}

const filledKey: Key<Filled> = typed(["bench", "filled"]);
/** A commit may have 80 KiB of keys. A signup has about ten rows with keys of 80 bytes. */
const SIGNUPS_PER_COMMIT = 60;
/** The database writes them to the disk together. */
const COMMITS_AT_ONCE = 40;

/**
 * Inserts sample signups, or the rest of them if an earlier run was interrupted. Does nothing if all are stored.
 *
 * @param progress called with the number of signups stored so far
 * @returns whether anything was inserted
 * @throws {Error} if the database was filled with another number of signups
 */
export async function insertSampleSignups(
  kv: Kv,
  wanted: SampleSpread,
  progress: (stored: number) => void = () => {},
): Promise<boolean> {
  const { spread, stored } = await readRow(kv, filledKey) ?? { spread: wanted, stored: 0 };
  if (spread.count !== wanted.count) {
    throw new Error(`The database is for ${spread.count} records, not ${wanted.count}. Use another file.`);
  }
  if (stored === 0) await putConsentText(kv.atomic(), CONSENT_TEXT).commit();
  const atOnce = SIGNUPS_PER_COMMIT * COMMITS_AT_ONCE;
  for (let from = stored; from < spread.count; from += atOnce) {
    const until = Math.min(spread.count, from + atOnce);
    await Promise.all(commitsOf(kv, spread, from, until));
    await kv.set(filledKey, { v: 1, spread, stored: until } satisfies Filled);
    progress(until);
  }
  return stored < spread.count;
}

function commitsOf(kv: Kv, spread: SampleSpread, from: number, until: number): Promise<unknown>[] {
  const commits = [];
  for (let first = from; first < until; first += SIGNUPS_PER_COMMIT) {
    const tx = kv.atomic();
    const end = Math.min(until, first + SIGNUPS_PER_COMMIT);
    for (let index = first; index < end; index++) putSampleSignup(tx, sampleSignup(index, spread));
    commits.push(tx.commit());
  }
  return commits;
}
