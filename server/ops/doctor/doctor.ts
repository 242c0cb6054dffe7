import type { Fetch } from "../../deps.ts";
import type { Check, DoctorDeps, Finding } from "./finding.ts";
import { hostChecks } from "./host.ts";
import { providerChecks } from "./provider.ts";
import { shopCheck } from "./shop.ts";
import { trafficCheck } from "./traffic.ts";
import { workCheck } from "./work.ts";

export interface Diagnosis {
  /** Whether nothing is wrong; what may become wrong leaves it true. */
  ok: boolean;
  findings: Finding[];
  /** Names of what was looked at and is well, and of what could not be looked at. */
  well: string[];
  skipped: string[];
}

const CHECKS: readonly Check[] = [...hostChecks, ...providerChecks, shopCheck, trafficCheck, workCheck];

/** A check that hangs must not keep the others' findings back. */
const CHECK_MS = 25_000;

/** Look at everything that usually goes wrong. Changes nothing but a row of its own, which it deletes. */
export async function diagnose(app: DoctorDeps, outside: { fetch: Fetch }): Promise<Diagnosis> {
  const diagnosis: Diagnosis = { ok: true, findings: [], well: [], skipped: [] };
  const results = await Promise.all(CHECKS.map((check) => run(check, app, outside)));
  for (const [index, found] of results.entries()) {
    const { name } = CHECKS[index]!;
    if (found === "skipped") diagnosis.skipped.push(name);
    else if (found.length === 0) diagnosis.well.push(name);
    else diagnosis.findings.push(...found);
  }
  diagnosis.findings.sort((a, b) => a.level.localeCompare(b.level));
  diagnosis.ok = diagnosis.findings.every(({ level }) => level !== "error");
  return diagnosis;
}

async function run(check: Check, app: DoctorDeps, outside: { fetch: Fetch }): Promise<Finding[] | "skipped"> {
  const ended = new AbortController();
  const late = app.clock.sleep(CHECK_MS, ended.signal).then((): Finding[] => [{
    id: "doctor.late",
    level: "warning",
    what: `Looking at “${check.name}” took longer than ${CHECK_MS / 1000} s.`,
    why: "What it would have found is not known.",
    todo: "Run the doctor again; look at the network if it happens again.",
  }]);
  try {
    return await Promise.race([check.look(app, outside), late]);
  } catch (error) {
    app.log.error("doctor.check_failed", { check: check.name, error });
    return [{
      id: "doctor.failed",
      level: "error",
      what: `Looking at “${check.name}” failed: ${error instanceof Error ? error.message : error}`,
      why: "What it would have found is not known.",
      todo: "The log has the details.",
    }];
  } finally {
    ended.abort("ended");
  }
}
