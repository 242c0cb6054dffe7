import type { Command } from "commander";
import { ClientError, EXIT } from "../client/error.ts";
import { pointsText, timesText } from "../../forms/experiments/decision_text.ts";
import type { ExperimentReport, VariantReport } from "../../forms/experiments/report.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { table, time } from "../terminal/table.ts";

interface Json {
  json?: boolean;
}

const POPUP = "popup";
const STATE_TITLES = { draft: "draft", running: "running", stopped: "ended" };

/** Adds the commands that show experiments. */
export function experimentCommands(program: Command, { io, withService }: Context): void {
  const experiments = program.command("experiments").description(
    "show experiments between variants of forms",
  );

  experiments.command("list", { isDefault: true })
    .description("list the experiments of all forms and of the popup")
    .option("--json", "print them as JSON")
    .addHelpText("after", example("experiments"))
    .action(({ json }: Json) =>
      withService(async (service) => {
        const reports = await service.query("experiments", {});
        if (json) return io.out(JSON.stringify(reports, null, 2));
        if (reports.length === 0) return io.out("No form has an experiment.");
        io.out(table(["form", "state", "started", "seen", "confirmed", "winner"], reports.map(rowOf)));
      })
    );

  experiments.command("show")
    .description("show the experiment of a form: its result, and the counts of each variant")
    .argument("<name>", "name of the form, or `popup`")
    .option("--json", "print it as JSON, with the counts of each day: { report, days }")
    .addHelpText("after", example("experiments show footer", "experiments show popup --json"))
    .action((name: string, { json }: Json) =>
      withService(async (service) => {
        const ofForm = await service.query("experiment", { form: name });
        const isPopup = !ofForm.report && name === POPUP;
        const { report, days } = isPopup ? await service.query("experiment", {}) : ofForm;
        if (!report) {
          const whose = isPopup ? "The popup has no experiment." : `No form named ${name} has an experiment.`;
          throw new ClientError(whose, EXIT.notFound);
        }
        io.out(json ? JSON.stringify({ report, days }, null, 2) : reportText(report));
        if (report.wrongProportion) {
          io.err("The variants were not seen in the proportion of their weights: do not trust this result.");
        }
      })
    );
}

function rowOf({ form = POPUP, state, startedAt, winner, variants }: ExperimentReport): string[] {
  const sum = (of: (variant: VariantReport) => number) =>
    variants.reduce((total, each) => total + of(each), 0);
  return [
    form,
    STATE_TITLES[state],
    startedAt === undefined ? "" : time(startedAt),
    String(sum(({ seen }) => seen)),
    String(sum(({ confirmed }) => confirmed)),
    variants.find(({ id }) => id === winner)?.name ?? "",
  ];
}

function reportText(
  { form = POPUP, state, startedAt, stoppedAt, kept, result, variants }: ExperimentReport,
): string {
  const lines = [`Experiment of ${form}: ${STATE_TITLES[state]}`];
  if (startedAt !== undefined) lines.push(`Started: ${time(startedAt)}`);
  if (stoppedAt !== undefined) lines.push(`Ended:   ${time(stoppedAt)}`);
  if (kept !== undefined) lines.push(`Kept:    ${variants.find(({ id }) => id === kept)?.name ?? kept}`);
  if (result !== undefined) lines.push(result);
  const head = [
    "variant",
    "weight",
    "seen",
    "signups",
    "confirmed",
    "ordered",
    "per view",
    "compared with the first",
    "difference in points",
  ];
  lines.push("", table(head, variants.map(variantRow)));
  return lines.join("\n");
}

function variantRow(
  { name, weight, seen, signups, confirmed, ordered, rate, ratio, difference }: VariantReport,
): string[] {
  return [
    name,
    ...[weight, seen, signups, confirmed, ordered].map(String),
    rate === undefined ? "" : `${(rate * 100).toFixed(2)}%`,
    ratio ? timesText({ to: Infinity, ...ratio }) ?? "" : "",
    difference ? `${pointsText(difference.from)} to ${pointsText(difference.to)}` : "",
  ];
}
