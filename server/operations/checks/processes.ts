import { counted } from "../../platform/words/counted.ts";
import type { ProcessRow } from "../database/processes.ts";
import { check } from "./check.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Clocks that are closer have no effect, and measuring is not exact. */
const APART_MS = 1_000;
/** How long versions may be mixed, as they are while one process after the other is updated. */
const MIXED_MS = HOUR_MS;
const LINE = "the processes on the database agree";
const FOR_OTHERS = "Ask whoever runs cfbe to set all processes up alike.";

const nameOf = ({ host, pid }: ProcessRow) => `${host} (PID ${pid})`;
const namesOf = (processes: readonly ProcessRow[]) => new Intl.ListFormat("en").format(processes.map(nameOf));

/** Processes that share a database must be set up alike. With one process, none of these can be a problem. */
export const processChecks = [
  check("processes.salt", "bad", {
    in: { alert: "processes", overview: true, doctor: LINE, start: true },
    reads: ["processes"],
    find({ processes }) {
      const missing = (signer: ProcessRow) =>
        processes.filter(({ salts }) => !salts.includes(signer.salts[0]!));
      const signer = processes.find((process) => missing(process).length > 0);
      return signer && {
        what: `${namesOf(missing(signer))} can't verify what ${nameOf(signer)} signs: the salts differ.`,
        why:
          "Signups are dropped and users are signed out when their next request reaches the other process.",
        todo:
          "Set CFBE_SALT to the same value for all processes, and restart them. To change the salt, first list the new " +
          "one in CFBE_SALT_PREVIOUS of all of them.",
        todoForOthers: FOR_OTHERS,
        certain: true,
      };
    },
  }),
  check("processes.token", "bad", {
    in: { alert: "processes", overview: true, doctor: LINE, start: true },
    reads: ["processes"],
    find({ processes: [first, ...others] }) {
      // Not timing-sensitive: both are stored.
      const different = others.filter(({ token }) => token !== first!.token);
      return different.length > 0 && {
        what: `The API token of ${namesOf(different)} is another than that of ${nameOf(first!)}.`,
        why:
          "Requests of shops, scripts and the command line are rejected when they reach the other process.",
        todo: "Set CFBE_API_TOKEN to the same value for all processes, and restart them.",
        todoForOthers: FOR_OTHERS,
      };
    },
  }),
  check("processes.clock", "warn", {
    in: { alert: "processes", overview: true, doctor: LINE, start: true },
    reads: ["processes"],
    find({ processes }) {
      const [first, ...others] = processes.filter(({ aheadMs }) => aheadMs !== undefined)
        .toSorted((a, b) => a.aheadMs! - b.aheadMs!);
      const last = others.at(-1);
      if (!first || !last || last.aheadMs! - first.aheadMs! <= APART_MS) return undefined;
      const seconds = Math.round((last.aheadMs! - first.aheadMs!) / 1_000);
      return {
        what: `The clock of ${nameOf(last)} is ${counted(seconds, "second")} ahead of that of ${
          nameOf(first)
        }.`,
        why: "Limits, form tokens and retries depend on the time.",
        todo: "Let all machines set their clocks by NTP.",
        todoForOthers: FOR_OTHERS,
      };
    },
  }),
  check("processes.version", "warn", {
    in: { alert: "processes", overview: true, doctor: LINE },
    reads: ["processes", "now"],
    find({ processes, now }) {
      const [version, ...others] = new Set(processes.map(({ version }) => version));
      if (others.length === 0) return undefined;
      const latestStart = Math.max(...processes.map(({ startedAt }) => startedAt));
      return now - latestStart > MIXED_MS && {
        what: `Several versions of cfbe share the database: ${
          [version, ...others].toSorted().join(" and ")
        }.`,
        why: "An earlier version ignores what a later one has saved.",
        todo: `Update ${namesOf(processes.filter((process) => process.version !== newest(processes)))} to ${
          newest(processes)
        }.`,
        todoForOthers: "Ask whoever runs cfbe to update all processes.",
      };
    },
  }),
  check("processes.not_announced", "warn", {
    in: { doctor: LINE },
    reads: ["processes", "announced"],
    find: ({ processes, announced }) =>
      processes.length > 1 && announced === false && {
        what: "The server of the database passes no notifications on.",
        why: "A saved setting or a deactivation takes effect in the other processes up to 15 seconds later.",
        todo:
          "If a pooler such as PgBouncer is in between, set it to its mode session. For KV Connect, update the server. " +
          "CockroachDB has no notifications: if 15 seconds are fine, nothing needs to be done.",
      },
  }),
];

/** Returns the version of the process that was started last. */
function newest(processes: readonly ProcessRow[]): string {
  return processes.toSorted((a, b) => b.startedAt - a.startedAt)[0]!.version;
}
