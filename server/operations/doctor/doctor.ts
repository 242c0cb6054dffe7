import type { Fetch, Log } from "../../platform/deps.ts";
import { LATE, within } from "../../platform/time/within.ts";
import { DOCTOR_LINES, isSkipped, type Problem, type Reading, readingOf, run } from "../checks/check.ts";
import { checksIn } from "../checks/registry.ts";
import type { Skipped } from "../checks/values.ts";
import type { ConnectionDeps, ConnectionReport } from "../provider/connection.ts";
import { type Finding, finding } from "./finding.ts";
import { DOCTOR_READERS, type DoctorDeps, PROVIDER_READERS } from "./outside.ts";

export interface Diagnosis {
  /** False if there is an error. Warnings leave it true. */
  ok: boolean;
  findings: Finding[];
  /** Names of the checks that passed, and of those that could not run. */
  passed: string[];
  skipped: string[];
  /** Why each of the skipped checks could not run, and what to do, by its name. */
  reasons: Record<string, string>;
}

/** A check that hangs must not delay the other findings. */
const CHECK_MS = 25_000;

/** Runs all checks concurrently. Changes nothing, except for a row of its own that it deletes. */
export async function diagnose(
  app: Omit<DoctorDeps, "fetch"> & { log: Log },
  { fetch }: { fetch: Fetch },
): Promise<Diagnosis> {
  const diagnosis: Diagnosis = { ok: true, findings: [], passed: [], skipped: [], reasons: {} };
  const read = readingOf({ ...app, fetch }, DOCTOR_READERS);
  const results = await Promise.all(
    DOCTOR_LINES.map(async (line) => [line, await findingsOf(line, read, app)] as const),
  );
  for (const [line, found] of results) {
    if (isSkipped(found)) {
      diagnosis.skipped.push(line);
      diagnosis.reasons[line] = found.skipped;
    } else if (found.length === 0) diagnosis.passed.push(line);
    else diagnosis.findings.push(...found);
  }
  diagnosis.findings.sort((a, b) => a.level.localeCompare(b.level));
  diagnosis.ok = diagnosis.findings.every(({ level }) => level !== "error");
  return diagnosis;
}

/** Returns what the checks of one line find, or why one of them could not run if the others find nothing. */
async function findingsOf(
  line: string,
  read: Reading,
  { clock, log }: Pick<DoctorDeps, "clock"> & { log: Log },
): Promise<Finding[] | Skipped> {
  const checks = checksIn(({ doctor }) => doctor === line);
  const found = await within(CHECK_MS, clock, Promise.all(checks.map((check) => run(check, read))))
    .catch((error): Problem[][] => {
      log.error("doctor.check_failed", { check: line, error });
      return [[{
        id: "doctor.failed",
        tone: "bad",
        what: `The check “${line}” failed: ${error instanceof Error ? error.message : error}`,
        why: "Its result is unknown.",
        todo: "See the log for details.",
      }]];
    });
  const results: (Problem[] | Skipped)[] = found === LATE ? [[lateProblem(line)]] : found;
  const problems = results.flatMap((result) => isSkipped(result) ? [] : result);
  return problems.length > 0 ? problems.map(finding) : results.find(isSkipped) ?? [];
}

const lateProblem = (line: string): Problem => ({
  id: "doctor.late",
  tone: "warn",
  what: `The check “${line}” took longer than ${CHECK_MS / 1000} s.`,
  why: "Its result is unknown.",
  todo: "Run the doctor again. If it happens again, check the network.",
});

/** The result of a connection test, and what is wrong with the setup at the provider, as far as it can be read there. */
export type TestedConnection = ConnectionReport & { setup: Finding[] };

/** Checks whether the API key gives access to the project, and what is set up there. */
export async function testConnection(app: ConnectionDeps): Promise<TestedConnection> {
  const read = readingOf(app, PROVIDER_READERS);
  const report = await read("connection") as ConnectionReport;
  const checks = checksIn(({ connection }) => connection)
    .filter(({ reads }) => report.ok || reads.every((name) => name === "connection"));
  const results = await Promise.all(checks.map((check) => run(check, read)));
  return { ...report, setup: results.flatMap((result) => isSkipped(result) ? [] : result.map(finding)) };
}
