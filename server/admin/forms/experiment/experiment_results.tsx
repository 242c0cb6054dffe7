import { dateOf } from "../../frame/dates.ts";
import { number } from "../../../platform/words/counted.ts";
import type { ComponentChildren, VNode } from "preact";
import { pointsText, resultTexts, timesText } from "../../../forms/experiments/decision_text.ts";
import { compareVariant } from "../../../forms/experiments/decision.ts";
import type { ExperimentResults } from "../../../forms/experiments/results.ts";
import { hasWrongRatio } from "../../../forms/experiments/sample_ratio.ts";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import { rateOf } from "../../../forms/experiments/confidence_sequence.ts";
import { Card } from "../../parts/card.tsx";
import { IntervalChart } from "../../parts/interval_chart.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Moment } from "../../parts/site_time.tsx";
import { Table } from "../../parts/table.tsx";
import { StateBadge } from "./experiment_card.tsx";

/** Days that the chart and its table show; earlier ones matter less and less. */
const MOST_DAYS = 60;

const RATE = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** Returns whether the variants were not seen in the proportion of their weights, so that the results cannot be trusted. */
export const isWrong = ({ totals }: ExperimentResults): boolean =>
  hasWrongRatio(totals.map(({ variant: { weight }, seen }) => ({ weight, seen })));

/** What an experiment has shown: its decision, and the counts of each variant. */
export function Summary(
  { results, experiment, csv }: {
    results: ExperimentResults;
    experiment: Experiment;
    /** Address of the counts by day. */
    csv: string;
  },
): VNode {
  const { totals } = results;
  const { state } = experiment;
  const base = totals[0]!.variant.name;
  return (
    <Card
      id="results"
      title="Results"
      lead={
        <>
          <StateBadge state={state} /> <Period experiment={experiment} />{" "}
          Each variant is compared with “{base}”. You can look as often as you like: that is part of the
          calculation.
        </>
      }
    >
      <Outcome results={results} experiment={experiment} />
      <Table
        caption="Counts of each variant"
        rows={totals}
        keyOf={({ variant }) => variant.id}
        columns={[
          { title: "Variant", cell: ({ variant }) => variant.name },
          { title: "Seen", number: true, compact: true, cell: ({ seen }) => number(seen) },
          { title: "Signups", number: true, compact: true, cell: ({ accepted }) => number(accepted) },
          { title: "Confirmed", number: true, compact: true, cell: ({ confirmed }) => number(confirmed) },
          { title: "Ordered", number: true, compact: true, cell: ({ ordered }) => number(ordered) },
          {
            title: "Confirmed per view",
            number: true,
            compact: true,
            cell: ({ seen, confirmed }) =>
              seen === 0 ? "–" : RATE.format(rateOf({ seen, successes: confirmed })),
          },
          {
            title: "Compared with the first",
            number: true,
            compact: true,
            cell: (row) => comparedOf(results, totals.indexOf(row)),
          },
        ]}
      />
      <p class="help">
        Seen counts sessions, once each. Signups and confirmations are those of these sessions. Ordered counts
        subscribers whose first order came within 30 days, if your shop reports orders.
      </p>
      <div class="buttons">
        <a class="button" href={csv} download>
          <Icon name="download" /> Export CSV
        </a>
      </div>
    </Card>
  );
}

interface OutcomeProps {
  results: ExperimentResults;
  experiment: Experiment;
}

/** What an experiment has shown, in a few sentences: the estimate first, then whether it is decided. */
function Outcome({ results, experiment }: OutcomeProps): VNode {
  const { estimate, decision, outlook } = resultTexts(results, experiment);
  return (
    <>
      {isWrong(results) && <Notice kind="warn">{WRONG}</Notice>}
      <Notice kind={results.decision.winner === undefined ? "plain" : "good"}>
        {estimate !== undefined && (
          <p>
            <strong>{estimate}</strong>
          </p>
        )}
        <p>{decision}</p>
        {outlook !== undefined && <p>{outlook}</p>}
      </Notice>
    </>
  );
}

/** The same in one line, on a phone in at most three, which unfold. @param children what else there is to know */
export function OutcomeLine(
  { results, experiment, children }: OutcomeProps & { children?: ComponentChildren },
): VNode {
  const { estimate, decision, outlook } = resultTexts(results, experiment);
  const wrong = isWrong(results);
  const isDecided = results.decision.winner !== undefined;
  const kept = experiment.variants.find(({ id }) => id === experiment.kept);
  const is = kept && `“${kept.name}” was kept.`;
  const texts = [is, ...wrong ? ["Do not trust these results.", WRONG] : [], estimate, decision, outlook];
  const [first, ...others] = texts.filter((text) => text !== undefined);
  const classes = `notice outcome ${wrong ? "warn" : isDecided ? "good" : "plain"}`;
  const line = (
    <span class="outcome-line">
      {first === estimate && (
        <>
          <Badge kind={isDecided ? "good" : "plain"}>{isDecided ? "Decided" : "Not decided"}</Badge>
          {" "}
        </>
      )}
      {first}
    </span>
  );
  if (others.length === 0 && !children) return <p class={classes}>{line}</p>;
  return (
    <details class={classes}>
      <summary>{line}</summary>
      {others.map((text) => <p key={text}>{text}</p>)}
      {children}
    </details>
  );
}

const WRONG =
  "The variants were not seen in the proportion of their weights, and this is no coincidence. Do not trust these " +
  "results: something on your pages treats one variant differently. Stop the experiment, find the cause, such as a " +
  "script that hides forms, and start again.";

/** When an experiment was started and, if it has, ended; nothing if the config file does not say. */
function Period({ experiment: { startedAt, stoppedAt } }: { experiment: Experiment }): VNode | null {
  if (startedAt === undefined) return null;
  const started = <Moment at={startedAt} />;
  return stoppedAt === undefined ? <>since {started}.</> : (
    <>
      It ran from {started} to <Moment at={stoppedAt} />.
    </>
  );
}

/** The difference of each variant over time. */
export function Differences({ results }: { results: ExperimentResults }): VNode {
  const [base, ...others] = results.totals;
  return (
    <>
      {others.map(({ variant }, index) => (
        <Difference
          key={variant.id}
          results={results}
          index={index}
          name={variant.name}
          base={base!.variant.name}
        />
      ))}
    </>
  );
}

function comparedOf({ decision, totals }: ExperimentResults, index: number): string {
  const compared = decision.comparisons[index - 1];
  if (!compared || totals[0]!.seen === 0 || totals[index]!.seen === 0) return "–";
  return timesText(compared.ratio) ?? "–";
}

/** The difference between a variant and the first one, over time. */
function Difference(
  { results, index, name, base }: { results: ExperimentResults; index: number; name: string; base: string },
): VNode | null {
  if (results.totals[0]!.seen === 0 || results.totals[index + 1]!.seen === 0) return null;
  const days = results.days.slice(-MOST_DAYS).map(({ day, sums }) => ({
    day,
    ...compareVariant(sums, index + 1).difference,
  }));
  return (
    <Card
      title={`“${name}” compared with “${base}”`}
      lead="Confirmed signups per view, in percentage points. The true difference is in the bar; the line is the best estimate. Once a bar is entirely above or below zero, the experiment is decided. The first bars may be longer than the chart."
    >
      <IntervalChart
        id={`difference-${index}`}
        title={`Difference by day: ${name}`}
        description="The table below shows the same data."
        tick={pointsText}
        points={days.map(({ day, estimate, from, to }) => ({
          label: dateOf(day),
          text: `${dateOf(day)}: ${pointsText(from)} to ${pointsText(to)}`,
          ...{ estimate, from, to },
        }))}
      />
      <details>
        <summary>Show as table</summary>
        <Table
          caption={`Difference by day: ${name}`}
          rows={days.toReversed()}
          keyOf={({ day }) => String(day)}
          columns={[
            { title: "Day", cell: ({ day }) => dateOf(day) },
            { title: "Estimate", number: true, compact: true, cell: ({ estimate }) => pointsText(estimate) },
            { title: "From", number: true, compact: true, cell: ({ from }) => pointsText(from) },
            { title: "To", number: true, compact: true, cell: ({ to }) => pointsText(to) },
          ]}
        />
      </details>
    </Card>
  );
}
