/**
 * Prints how often experiments are decided wrongly, how often rightly, and with how many visitors:
 * `deno task simulate:experiments`. Each experiment is looked at after every batch of visitors, and ends when it is
 * decided. The numbers are the same in every run.
 */
import { seededRandom } from "../../../../dev/testing/seeded_random.ts";
import { decide } from "../decision.ts";
import { type Scenario, simulate } from "./simulation.ts";

const NULL_EXPERIMENTS = 10_000;
const EXPERIMENTS = 2_000;

const even = (rates: number[], batch: number, looks: number): Scenario => ({
  rates,
  batches: rates.map(() => batch),
  looks,
});

/** Experiments in which no variant differs. */
const WITHOUT_DIFFERENCE: [what: string, scenario: Scenario][] = [
  ["2 variants at 5 %, 200 looks", even([0.05, 0.05], 100, 200)],
  ["2 variants at 5 %, 1,000 looks", even([0.05, 0.05], 20, 1_000)],
  ["2 variants at 1 %, 200 looks", even([0.01, 0.01], 100, 200)],
  ["2 variants at 30 %, 200 looks", even([0.3, 0.3], 100, 200)],
  ["4 variants at 5 %, 200 looks", even([0.05, 0.05, 0.05, 0.05], 100, 200)],
  ["weights 90 to 10 at 5 %, 200 looks", { rates: [0.05, 0.05], batches: [180, 20], looks: 200 }],
];

/** Experiments with a variant that is better than the first one. */
const WITH_DIFFERENCE: [base: number, other: number][] = [
  [0.05, 0.055],
  [0.05, 0.06],
  [0.05, 0.075],
  [0.05, 0.1],
  [0.02, 0.03],
  [0.2, 0.24],
];

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
const line = (...cells: string[]) =>
  cells.map((cell, index) => cell.padEnd(index ? 18 : 40)).join("").trimEnd();
const rule = (look: Parameters<typeof decide>[0][number]) => decide([look]);

console.log(line(`No difference, ${NULL_EXPERIMENTS} experiments each`, "false winners"));
for (const [index, [what, scenario]] of WITHOUT_DIFFERENCE.entries()) {
  const { falseWinners } = simulate(scenario, NULL_EXPERIMENTS, rule, seededRandom(index + 1).float);
  console.log(line(what, percent(falseWinners)));
}
console.log();
console.log(line(`A difference, ${EXPERIMENTS} experiments each`, "found", "wrong", "median visitors"));
for (const [index, [base, other]] of WITH_DIFFERENCE.entries()) {
  const scenario = even([base, other], 250, 400);
  const result = simulate(scenario, EXPERIMENTS, rule, seededRandom(100 + index).float);
  console.log(
    line(
      `${base * 100} % and ${other * 100} %, at most 200,000 visitors`,
      percent(result.decided - result.falseWinners),
      percent(result.falseWinners),
      String(result.medianVisitors),
    ),
  );
}
