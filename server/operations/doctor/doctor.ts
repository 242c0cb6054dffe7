import type { Fetch } from "../../platform/deps.ts";
import type { Check, DoctorDeps, Finding, Skipped } from "./finding.ts";
import { hostChecks } from "./host.ts";
import { limitsCheck } from "./limits.ts";
import { originsCheck } from "./origins.ts";
import { providerChecks } from "./provider.ts";
import { shopCheck } from "./shop.ts";
import { trafficCheck } from "./traffic.ts";
import { workCheck } from "./work.ts";

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

const CHECKS: readonly Check[] = [
  ...hostChecks,
  ...providerChecks,
  shopCheck,
  trafficCheck,
  originsCheck,
  limitsCheck,
  workCheck,
];

/** A check that hangs must not delay the other findings. */
const CHECK_MS = 25_000;

/** Runs all checks concurrently. Changes nothing, except for a row of its own that it deletes. */
export async function diagnose(app: DoctorDeps, outside: { fetch: Fetch }): Promise<Diagnosis> {
  const diagnosis: Diagnosis = { ok: true, findings: [], passed: [], skipped: [], reasons: {} };
  const results = await Promise.all(CHECKS.map((check) => runCheck(check, app, outside)));
  for (const [index, found] of results.entries()) {
    const { name } = CHECKS[index]!;
    if ("skipped" in found) {
      diagnosis.skipped.push(name);
      diagnosis.reasons[name] = found.skipped;
    } else if (found.length === 0) diagnosis.passed.push(name);
    else diagnosis.findings.push(...found);
  }
  diagnosis.findings.sort((a, b) => a.level.localeCompare(b.level));
  diagnosis.ok = diagnosis.findings.every(({ level }) => level !== "error");
  return diagnosis;
}

async function runCheck(
  check: Check,
  app: DoctorDeps,
  outside: { fetch: Fetch },
): Promise<Finding[] | Skipped> {
  const ended = new AbortController();
  const late = app.clock.sleep(CHECK_MS, ended.signal).then((): Finding[] => [{
    id: "doctor.late",
    level: "warning",
    what: `The check “${check.name}” took longer than ${CHECK_MS / 1000} s.`,
    why: "Its result is unknown.",
    todo: "Run the doctor again. If it happens again, check the network.",
  }]);
  try {
    return await Promise.race([check.run(app, outside), late]);
  } catch (error) {
    app.log.error("doctor.check_failed", { check: check.name, error });
    return [{
      id: "doctor.failed",
      level: "error",
      what: `The check “${check.name}” failed: ${error instanceof Error ? error.message : error}`,
      why: "Its result is unknown.",
      todo: "See the log for details.",
    }];
  } finally {
    ended.abort("ended");
  }
}
