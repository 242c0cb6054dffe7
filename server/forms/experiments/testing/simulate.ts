/**
 * Prints how often experiments are decided wrongly, and with how many visitors rightly, as the tables of
 * docs/experiments.md: `deno task simulate:experiments`. Each experiment is looked at after every batch of visitors, and
 * ends when it is decided. The numbers are the same in every run.
 */
import { seededRandom } from "../../../../dev/testing/seeded_random.ts";
import { number } from "../../../platform/words/counted.ts";
import { type Scenario, simulate, simulateLift } from "./simulation.ts";

const EXPERIMENTS = 10_000;

const even = (rates: number[], batch: number, looks: number): Scenario => ({
  rates,
  batches: rates.map(() => batch),
  looks,
});

/** Experiments in which no variant differs. */
const WITHOUT_DIFFERENCE: [what: string, scenario: Scenario][] = [
  ["two variants at 1%", even([0.01, 0.01], 50, 1_000)],
  ["two variants at 5%", even([0.05, 0.05], 10, 1_000)],
  ["two variants at 5%", even([0.05, 0.05], 100, 200)],
  ["two variants at 13%", even([0.13, 0.13], 5, 1_000)],
  ["two variants at 39%", even([0.39, 0.39], 2, 1_000)],
  ["four variants at 5%", even([0.05, 0.05, 0.05, 0.05], 10, 1_000)],
  ["weights 90 to 10, at 5%", { rates: [0.05, 0.05], batches: [18, 2], looks: 1_000 }],
];

/** Rates of the first variant and of a better one. */
const WITH_DIFFERENCE: [base: number, other: number][] = [
  [0.02, 0.03],
  [0.05, 0.055],
  [0.05, 0.06],
  [0.05, 0.075],
  [0.05, 0.1],
  [0.2, 0.24],
  [0.13, 0.39],
];

const percent = (share: number, digits = 1) => `${Number((share * 100).toFixed(digits))}%`;
const row = (...cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
const head = (...cells: string[]) => {
  row(...cells);
  row(...cells.map(() => "---"));
};

head("no difference", "looks", "false winners");
for (const [index, [what, scenario]] of WITHOUT_DIFFERENCE.entries()) {
  const { falseWinners } = simulate(scenario, EXPERIMENTS, seededRandom(index + 1).float);
  row(what, number(scenario.looks), percent(falseWinners));
}
console.log();
head("confirmed per view", "fixed size", "median to a decision", "ratio", "decided", "false winners");
for (const [index, rates] of WITH_DIFFERENCE.entries()) {
  const result = simulateLift(rates, EXPERIMENTS, seededRandom(100 + index).float);
  const { fixed, medianVisitors, decided, falseWinners } = result;
  row(
    rates.map((rate) => percent(rate)).join(" and "),
    number(fixed),
    number(medianVisitors),
    (medianVisitors / fixed).toFixed(2),
    percent(decided),
    percent(falseWinners, 2),
  );
}
