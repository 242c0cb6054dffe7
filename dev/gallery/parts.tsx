import { definePage } from "../../server/admin/frame/page.ts";
import { Card, Empty, Stat, Stats, Tile } from "../../server/admin/parts/card.tsx";
import { ChangeTable } from "../../server/admin/parts/change_table.tsx";
import { Chips } from "../../server/admin/parts/chips.tsx";
import { ConsentText } from "../../server/admin/parts/consent_text.tsx";
import { DayChart } from "../../server/admin/parts/day_chart.tsx";
import { FormChoice } from "../../server/admin/parts/form_choice.tsx";
import { IntervalChart } from "../../server/admin/parts/interval_chart.tsx";
import { ErrorSummary } from "../../server/admin/parts/error_summary.tsx";
import { Entries, Entry } from "../../server/admin/parts/entry.tsx";
import { Badge, Notice, type Tone } from "../../server/admin/parts/notice.tsx";
import { Preview } from "../../server/admin/parts/preview.tsx";
import { Snippet } from "../../server/admin/parts/snippet.tsx";
import { Moment } from "../../server/admin/parts/site_time.tsx";
import { Pager } from "../../server/admin/parts/table.tsx";
import { Tabs } from "../../server/admin/parts/tabs.tsx";
import { WithCode } from "../../server/admin/parts/with_code.tsx";
import type { View } from "../../server/admin/frame/view.ts";
import { Buttons, Dialogs, Row } from "./parts_buttons.tsx";
import { FieldStates, FilterFields } from "./parts_fields.tsx";
import { Problems } from "./parts_problems.tsx";
import { Icons, Steps } from "./parts_steps.tsx";
import { Tables } from "./parts_tables.tsx";

/** Every part of the admin in every state, for people who change its looks. Only `deno task dev` has it. */
export const partsPage = definePage({
  path: "/parts",
  title: "Parts",
  lead: "Every part of the admin in every state. The fields send nothing.",
  capability: "view",
  render: (view) => (
    <>
      <Buttons view={view} />
      <Dialogs view={view} />
      <FieldStates view={view} />
      <FilterFields />
      <Messages view={view} />
      <Figures view={view} />
      <Lists view={view} />
      <Steps />
      <Card title="Preview">
        <Preview view={view} form={{}} />
      </Card>
      <Icons />
    </>
  ),
});

const LONG_WORD = "https://news.example/confirm?token=a-long-token-that-is-not-a-real-one-and-has-no-space";
const TONES: Tone[] = ["good", "warn", "bad", "plain"];

function Messages({ view }: { view: View }) {
  return (
    <Card title="Messages">
      <Row title="Badges">{TONES.map((tone) => <Badge key={tone} kind={tone}>{tone}</Badge>)}</Row>
      {TONES.map((tone) => (
        <Notice key={tone} kind={tone}>
          A notice, <strong>{tone}</strong>, with <a href={view.href("/parts")}>a link</a>.
        </Notice>
      ))}
      <Notice kind="warn">
        A notice with a word that does not fit into one line on a phone: {LONG_WORD}
      </Notice>
      <ErrorSummary
        message="Nothing was changed. Please correct the highlighted fields."
        errors={[{ id: "invalid-text", label: "Text", message: "What is wrong, and what to do." }]}
        elsewhere={["An error that no field on the page shows.", LONG_WORD]}
        focus={false}
      />
      <ErrorSummary
        message="Nothing was changed, for a reason that no field has."
        errors={[]}
        focus={false}
      />
      <p>
        <ConsentText text="A consent text with [a link](https://shop.example/terms)." />
      </p>
      <p>
        <WithCode text="A sentence of the program with `a command`." />
      </p>
      <h3>Filters</h3>
      <Chips
        chips={["Form: footer", "Status: pending, waiting for confirmation"].map((text) => ({
          text,
          href: view.href("/parts"),
        }))}
        clear={view.href("/parts")}
      />
      <h3>In place of an empty chart, table or list</h3>
      <div class="sample">
        <Empty title="Nothing yet">What will appear here, and how to get there.</Empty>
      </div>
      <Empty title="Nothing yet, with a title only" />
    </Card>
  );
}

const DAYS = [4, 7, 0, 12, 9, 40, 3];

function Figures({ view }: { view: View }) {
  const chart = (id: string, title: string, days: readonly number[], before?: number) => (
    <DayChart
      id={id}
      title={title}
      description="Invented numbers."
      columns={days.map((value, index) => ({
        label: `Day ${index + 1}`,
        text: `Day ${index + 1}: ${value}`,
        value,
        before: before && (index * before) % 30,
        open: index === days.length - 1,
      }))}
    />
  );
  return (
    <Card title="Figures">
      <Stats>
        <Tile label="Selected tile" value="1,284" note="12% more" href={view.href("/parts")} current />
        <Tile label="Tile" value="72%" note="70% before" href={view.href("/parts")} current={false} />
        <Stat label="Figure" value={0} />
        <Stat label="Figure with a note" value="14 min" note="a note" />
      </Stats>
      <h3>Seven days</h3>
      {chart("parts-chart", "A chart", DAYS)}
      <h3>With an earlier period</h3>
      {chart("parts-chart-before", "A chart with an earlier period", DAYS, 11)}
      <h3>One day</h3>
      {chart("parts-chart-day", "A chart of one day", [3])}
      <h3>Only zeros</h3>
      {chart("parts-chart-zeros", "A chart of zeros", [0, 0, 0])}
      <h3>Ranges</h3>
      <IntervalChart
        id="parts-intervals"
        title="A chart of ranges"
        description="Seven days with invented ranges."
        tick={(value) => value.toFixed(1)}
        points={DAYS.map((_, index) => {
          const [estimate, half] = [2 + index / 4, 12 / (index + 1)];
          const [from, to] = [estimate - half, estimate + half];
          return {
            label: `Day ${index + 1}`,
            text: `Day ${index + 1}: ${from} to ${to}`,
            estimate,
            from,
            to,
          };
        })}
      />
    </Card>
  );
}

function Lists({ view }: { view: View }) {
  const href = view.href("/parts");
  return (
    <Card title="Lists" actions={<a class="button" href={href}>Action</a>}>
      <Tabs
        label="Example"
        tabs={[{ title: "Current", href, current: true }, {
          title: "Other",
          href: `${href}?x`,
          current: false,
        }]}
      />
      <FormChoice view={view} forms={["footer"]} form={undefined} href={() => href} />
      <Tables view={view} />
      <h3>Changed settings</h3>
      <ChangeTable changes={[{ path: "popup.heading", before: "", after: "News" }]} />
      <h3>Entries</h3>
      <Entries label="Example">
        <Entry title="An entry" who="ada" time={<Moment at={view.now} short />}>
          <p>Its details.</p>
        </Entry>
        <Entry
          title="An entry with a state"
          note="and a note that is cut off where the line ends, because it is longer than the line"
          who="a user with a long name"
          time={<Moment at={view.now} short />}
          badge={<Badge kind="bad">failed</Badge>}
        >
          <p>Its details.</p>
        </Entry>
      </Entries>
      <Problems view={view} />
      <Pager first={href} next={href} />
      <Snippet id="parts-snippet" label="Snippet">{'<cfbe-form form="footer"></cfbe-form>'}</Snippet>
    </Card>
  );
}
