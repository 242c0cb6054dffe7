import type { MigrationRow } from "../../subscribers/migration/run.ts";

/** Returns the progress of a move, with the reasons why people or values of fields were not moved. */
export function migrationText(run: Omit<MigrationRow, "position">): string {
  const { total, moved, active, skipped, values } = run;
  const reasons = Object.entries(skipped);
  const done = moved + active + reasons.reduce((sum, [, count]) => sum + count, 0);
  const state = run.ended?.how ?? "running";
  return [
    `${run.dryRun ? "Dry run" : "Move"} from ${run.from} to ${run.to}: ${state}, ${done} of ${total}`,
    `  ${moved} ${run.dryRun ? "would be moved" : "moved"}, ${active} active there before`,
    ...reasons.map(([reason, count]) => `  ${count} not moved: ${reason}`),
    ...valuesText(values, run.dryRun),
  ].join("\n");
}

/** Returns what became of the answers; nothing if nobody gave any. */
function valuesText(values: MigrationRow["values"], dryRun: boolean): string[] {
  const { stored = 0, omitted = {} } = values ?? {};
  const lost = Object.entries(omitted);
  if (stored === 0 && lost.length === 0) return [];
  return [
    `  ${answers(stored)} ${dryRun ? "would be moved" : "moved"}`,
    ...lost.map(([reason, count]) => `  ${answers(count)} not moved: ${reason}`),
  ];
}

const answers = (count: number) => `${count} ${count === 1 ? "answer" : "answers"}`;
