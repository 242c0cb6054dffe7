import type { AuditRow } from "../../platform/audit/row.ts";
import { type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { DAY_MS } from "../../platform/observe/counters.ts";

const ROWS_PER_COMMIT = 400;
const FORMS = ["-", "footer", "sidebar", "landing", "popup"];
const ENTRIES = [
  "requests",
  "accepted",
  "invalid.fields",
  "rate_limited.subscribe_ip",
  "dropped.honeypot",
  "dropped.token_old",
  "note.seen",
  "note.invalid.email",
  "note.confirmed.webhook",
  "note.confirmed.poll",
];

/** How much to insert. */
export interface OperationSize {
  /** Days of counters, for five forms with ten entries each. */
  days: number;
  /** Jobs in each of the states waiting, dead and parked. */
  jobs: number;
  /** Entries of the audit log, the newest a minute old. */
  auditEntries: number;
}

/** Inserts what accumulates in addition to signups while a service runs. */
export async function insertSampleOperation(kv: Kv, now: number, size: OperationSize): Promise<void> {
  await inCommits(kv, [
    ...counters(now, size.days),
    ...jobs(now, size.jobs),
    ...audit(now, size.auditEntries),
  ]);
}

type Write = (tx: AtomicOperation) => void;

async function inCommits(kv: Kv, writes: readonly Write[]): Promise<void> {
  const commits: Promise<unknown>[] = [];
  for (let from = 0; from < writes.length; from += ROWS_PER_COMMIT) {
    const tx = kv.atomic();
    for (const write of writes.slice(from, from + ROWS_PER_COMMIT)) write(tx);
    commits.push(tx.commit());
  }
  await Promise.all(commits);
}

function* counters(now: number, days: number): Generator<Write> {
  const today = Math.floor(now / DAY_MS);
  for (let day = today - days + 1; day <= today; day++) {
    for (const form of FORMS) {
      for (const entry of ENTRIES) yield (tx) => void tx.sum(keys.countersDay(day, form, entry), 10n);
    }
  }
}

function* jobs(now: number, count: number): Generator<Write> {
  for (const state of ["waiting", "dead", "parked"] as const) {
    for (let i = 0; i < count; i++) {
      const at = now + (state === "waiting" ? 1 : -1) * (i + 1) * 60_000;
      const row: JobRow = {
        v: 1,
        id: `sample ${state} ${i}`,
        name: "cfbe_deliver",
        payload: { email: `p${i}@sample.example`, list: "news" },
        state,
        attempts: 1,
        failures: 1,
        createdAt: now,
        since: now,
        due: at,
        unknown: false,
        history: [{ at: now, note: "the provider did not respond" }],
      };
      yield (tx) => writeRow(tx, null, row);
    }
  }
}

function* audit(now: number, count: number): Generator<Write> {
  for (let i = 0; i < count; i++) {
    const at = now - (i + 1) * 60_000;
    const row: AuditRow = { v: 1, at, who: "ann", action: "cfbe_save_general", result: "done" };
    yield (tx) => void tx.set(keys.audit(at, `sample ${i}`), row);
  }
}
