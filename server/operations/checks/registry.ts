import type { AlertKind } from "../../settings/hooks/types.ts";
import { apiTokenChecks } from "./api_tokens.ts";
import { backupChecks } from "./backups.ts";
import { type Check, found, isSkipped, type Problem, readingOf, run } from "./check.ts";
import { confirmationChecks } from "./confirmations.ts";
import { databaseChecks } from "./database.ts";
import { listChecks } from "./lists.ts";
import { moduleChecks } from "./modules.ts";
import { processChecks } from "./processes.ts";
import { providerChecks } from "./provider.ts";
import { serviceChecks } from "./service.ts";
import { userChecks } from "./users.ts";
import { READERS, type ValueDeps, type Values } from "./values.ts";
import { visitorChecks } from "./visitors.ts";

/**
 * All checks. Overview, alerts, doctor, warnings at the start, connection test, notices, checklists and `/readyz` are
 * views of this table, in its order.
 */
export const CHECKS: readonly Check[] = [
  ...databaseChecks,
  ...serviceChecks,
  ...providerChecks,
  ...moduleChecks,
  ...visitorChecks,
  ...backupChecks,
  ...listChecks,
  ...confirmationChecks,
  ...processChecks,
  ...apiTokenChecks,
  ...userChecks,
];

type IsIn = (places: Check["in"]) => unknown;

/** Returns the checks of some places. */
export const checksIn = (isIn: IsIn): Check[] => CHECKS.filter((check) => isIn(check.in));

/** Reads what the checks of some places need, and returns the problems, `bad` before `warn`. */
export async function readProblems(app: ValueDeps, isIn: IsIn): Promise<Problem[]> {
  const read = readingOf(app, READERS);
  return worstFirst(await Promise.all(checksIn(isIn).map((check) => run(check, read))));
}

/** Returns the problems in these values, `bad` before `warn`. Checks that need other values are left out. */
export function problemsIn(values: Partial<Values>, isIn: IsIn): Problem[] {
  const possible = checksIn(isIn).filter(({ reads }) => reads.every((name) => Object.hasOwn(values, name)));
  return worstFirst(possible.map((check) => found(check, values)));
}

/** Returns the problems that a page of the admin shows, or a step of its checklist, such as `/provider#step-list`. */
export const problemsOn = (page: string, values: Partial<Values>): Problem[] =>
  problemsIn(values, ({ pages }) => pages?.includes(page));

function worstFirst(results: readonly ReturnType<typeof found>[]): Problem[] {
  return results.flatMap((result) => isSkipped(result) ? [] : result)
    .sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"));
}

/** Returns the kind of alert that a problem opens, by its ID; undefined if none. */
export const alertKindOf = (id: string): AlertKind | undefined =>
  CHECKS.find((check) => check.id === id)?.in.alert;
