import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { type Hash, hashOfEntry, linkAfter, NO_LINK, sealOf } from "./chain.ts";
import { type AuditRow, chainHeadKey, type Link } from "./row.ts";

/** Something that is wrong with the log. */
export interface ChainProblem {
  /**
   * - `changed`: an entry, or its result, is not what was written.
   * - `missing`: entries were removed. A backup that was made while entries were written can lack some too.
   * - `added`: an entry was not written by this chain: by hand, or by a version of cfbe from before the chain.
   * - `other_chain`: the log does not contain the link that was expected, so it was computed again or replaced.
   */
  kind: "changed" | "missing" | "added" | "other_chain";
  /** Positions in the chain, both included; absent for an entry that has none. */
  from?: number;
  to?: number;
  /** When the entry was written, in Unix milliseconds. */
  at?: number;
}

export interface ChainReport {
  /** Entries in the chain. */
  entries: number;
  /** Entries from before the chain began, and rows that count an hour's actions, which change: both are not verified. */
  earlier: number;
  counting: number;
  /** The newest link: note it elsewhere, and expect it the next time. */
  newest?: Link;
  /** The first of them. */
  problems: ChainProblem[];
  /** How many there are. */
  found: number;
}

const MOST_PROBLEMS = 20;
const BATCH = 500;

interface Linked {
  link: Link;
  entry: string;
  at: number;
}

/**
 * Reads the whole log and verifies each hash. Needs about 300 bytes of memory per entry.
 *
 * @param expected a link that was noted before
 */
export async function verifyChain(
  { kv, hash }: { kv: Kv; hash: Hash },
  expected?: Link,
): Promise<ChainReport> {
  // First, because entries are added meanwhile.
  const head = (await kv.get<Link>(chainHeadKey())).value;
  const report: ChainReport = { entries: 0, earlier: 0, counting: 0, problems: [], found: 0 };
  const add = (problem: ChainProblem) => {
    if (report.found++ < MOST_PROBLEMS) report.problems.push(problem);
  };
  const linked: Linked[] = [];
  const unlinked: number[] = [];
  const rows = kv.list<AuditRow>({ prefix: keys.auditAll() }, { batchSize: BATCH });
  for await (const { key, value } of rows) {
    const { chain, seal, result, at, count } = value;
    if (!chain) {
      if (count === undefined) unlinked.push(at);
      else report.counting++;
      continue;
    }
    const entry = hashOfEntry(hash, { ...value, id: String(key.at(-1)), at: Number(key.at(-2)) });
    linked.push({ link: chain, entry, at });
    const isSealed = result === "started" ? seal === undefined : seal === sealOf(hash, chain, value);
    if (!isSealed) add({ kind: "changed", from: chain.n, to: chain.n, at });
  }
  linked.sort((a, b) => a.link.n - b.link.n);
  report.entries = linked.length;
  const began = Math.min(...linked.slice(0, 1).map(({ at }) => at));
  for (const at of unlinked) {
    if (linked.length > 0 && at > began) add({ kind: "added", at });
    else report.earlier++;
  }

  let before = NO_LINK;
  for (const { link, entry, at } of linked) {
    if (link.n === before.n) add({ kind: "added", from: link.n, to: link.n, at });
    else if (link.n > before.n + 1) add({ kind: "missing", from: before.n + 1, to: link.n - 1 });
    else if (linkAfter(hash, before, entry).hash !== link.hash) {
      add({ kind: "changed", from: link.n, to: link.n, at });
    }
    if (expected && link.n === expected.n && link.hash !== expected.hash) {
      add({ kind: "other_chain", from: link.n, to: link.n });
    }
    before = link;
  }
  if (head && head.n > before.n) add({ kind: "missing", from: before.n + 1, to: head.n });
  if (expected && expected.n > before.n) add({ kind: "other_chain", from: expected.n, to: expected.n });
  if (before.n > 0) report.newest = { n: before.n, hash: before.hash };
  return report;
}

/** Returns the newest link of a log without a head: of a restored database, or before the first entry of a chain. */
export async function newestLink(kv: Kv): Promise<Link> {
  let newest = NO_LINK;
  for await (const { value } of kv.list<AuditRow>({ prefix: keys.auditAll() }, { batchSize: BATCH })) {
    if (value.chain && value.chain.n > newest.n) newest = value.chain;
  }
  return newest;
}
