import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../page.ts";
import { Card, Empty, Stat, Stats, Tile } from "../parts/card.tsx";
import { Chips } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ConsentText } from "../parts/consent_text.tsx";
import { DayChart } from "../parts/day_chart.tsx";
import { IntervalChart } from "../parts/interval_chart.tsx";
import { ErrorSummary } from "../parts/error_summary.tsx";
import { Entries, Entry } from "../parts/entry.tsx";
import { Icon } from "../parts/icons.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Pager, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { WithCode } from "../parts/with_code.tsx";
import type { View } from "../view.ts";
import { FieldStates } from "./parts_fields.tsx";
import { Problems } from "./parts_problems.tsx";
import { Icons, Steps } from "./parts_steps.tsx";

/** Every part of the admin in every state, for people who change its looks. No page links to it. */
export const partsPage: Page = {
  path: "/parts",
  title: "Parts",
  lead: "Every part of the admin in every state. The fields send nothing.",
  capability: "view",
  render: (view) => (
    <>
      <Buttons view={view} />
      <FieldStates />
      <Messages view={view} />
      <Figures view={view} />
      <Lists view={view} />
      <Steps />
      <Icons />
    </>
  ),
};

function Row({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <>
      <h3>{title}</h3>
      <div class="buttons sample">{children}</div>
    </>
  );
}

function Buttons({ view }: { view: View }) {
  return (
    <Card
      title="Buttons"
      lead="A page has at most one primary button. A button that destroys something is red."
    >
      <Row title="Ranks">
        <button type="button">Default</button>
        <button type="button" class="quiet">Quiet</button>
        <button type="button" class="danger">Dangerous</button>
        <a class="button" href={view.href("/parts")}>Link</a>
        <button type="button">
          <Icon name="plus" /> With an icon
        </button>
      </Row>
      <Row title="Disabled">
        <button type="button" disabled>Default</button>
        <button type="button" class="quiet" disabled>Quiet</button>
        <button type="button" class="danger" disabled>Dangerous</button>
      </Row>
      <Row title="With a confirmation">
        <Confirm
          view={view}
          id="parts-confirm"
          button="Ask"
          title="Test the connection?"
          action="cfbe_test_connection"
          yes="Test connection"
          danger={false}
        >
          Sends one request to the provider.
        </Confirm>
        <Confirm
          view={view}
          id="parts-confirm-danger"
          button="Ask, dangerous"
          title="Test the connection?"
          action="cfbe_test_connection"
          yes="Test connection"
        >
          Sends one request to the provider.
        </Confirm>
      </Row>
    </Card>
  );
}

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
      <ErrorSummary
        message="Nothing was changed. Please correct the highlighted fields."
        errors={[{ id: "invalid-text", label: "Text", message: "What is wrong, and what to do." }]}
        elsewhere={["An error that no field on the page shows."]}
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
      <Empty title="Nothing yet">What will appear here, and how to get there.</Empty>
    </Card>
  );
}

const DAYS = [4, 7, 0, 12, 9, 40, 3];

function Figures({ view }: { view: View }) {
  const chart = (id: string, before?: number) => (
    <DayChart
      id={id}
      title={before === undefined ? "A chart" : "A chart with an earlier period"}
      description="Seven days with invented numbers."
      columns={DAYS.map((value, index) => ({
        label: `Day ${index + 1}`,
        text: `Day ${index + 1}: ${value}`,
        value,
        before: before && (index * before) % 30,
        open: index === DAYS.length - 1,
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
      {chart("parts-chart")}
      {chart("parts-chart-before", 11)}
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
  const rows = [{ name: "footer", count: 1284 }, { name: "a-form-with-a-rather-long-name", count: 3 }];
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
      <Table
        caption="Example"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          {
            title: "Select",
            pick: true,
            cell: ({ name }) => (
              <label>
                <input type="checkbox" aria-label={`Select ${name}`} />
              </label>
            ),
          },
          { title: "Text", cell: ({ name }) => name },
          { title: "Number", number: true, cell: ({ count }) => count.toLocaleString("en") },
          { title: "Time", cell: () => <Moment at={view.now} /> },
          { title: "State", cell: () => <Badge kind="good">active</Badge> },
        ]}
      />
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
