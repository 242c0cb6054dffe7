import type { VNode } from "preact";
import { FORM_SOURCES, LAYOUTS } from "../../../../shared/contract.ts";
import { TAB_TITLES } from "../../../settings/tabs.ts";
import { formPath } from "../../actions/forms.ts";
import type { Page } from "../../page.ts";
import { Card } from "../../parts/card.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { Table } from "../../parts/table.tsx";
import type { View } from "../../view.ts";
import { dayOf, type Funnel, funnelOf } from "../../../observe/funnel.ts";
import { sourceTitle } from "../source_titles.ts";
import { LAYOUT_OPTIONS } from "./field_options.ts";

const DAYS = 30;

const KINDS: Record<typeof LAYOUTS[number], string> = {
  inline: "Inline",
  block: "Block",
  promo: "Promo bar",
};

interface ListedForm {
  title: string;
  /** Path of the page with its settings. */
  path: string;
  kind: string;
  funnel: Funnel;
  status: [Tone, string];
}

export const formsPage: Page = {
  path: "/forms",
  title: TAB_TITLES.forms,
  lead:
    "Every form that your pages can embed. Open one to change its texts, fields and consent, and to copy its snippet.",
  group: "Forms",
  icon: "forms",
  shortcut: "f",
  capability: "view",
  async render(view) {
    return (
      <>
        <Card title={`Forms, last ${DAYS} days`}>
          <Table
            caption="Forms"
            rows={await listedForms(view)}
            keyOf={({ path }) => path}
            columns={[
              { title: "Form", cell: ({ title, path }) => <a href={view.href(path)}>{title}</a> },
              { title: "Kind", compact: true, cell: ({ kind }) => kind },
              { title: "Views", number: true, compact: true, cell: ({ funnel }) => figure(funnel.seen) },
              {
                title: "Signups",
                number: true,
                compact: true,
                cell: ({ funnel }) => figure(funnel.accepted),
              },
              {
                title: "Confirmed",
                number: true,
                compact: true,
                cell: ({ funnel }) => figure(funnel.confirmed),
              },
              {
                title: "Status",
                compact: true,
                cell: ({ status: [tone, text] }) => <Badge kind={tone}>{text}</Badge>,
              },
            ]}
          />
        </Card>
        <AddForm view={view} />
      </>
    );
  },
};

const figure = (value: number) => value.toLocaleString("en");

async function listedForms(view: View): Promise<ListedForm[]> {
  const { settings, counters } = view.app;
  const { forms: { forms }, popup } = settings.current();
  const until = dayOf(view.now) + 1;
  const from = until - DAYS;
  const counts = await counters.days(from, until);
  const sum = (form: string) => funnelOf(counts, { from, until, form });
  const named = new Set(forms.map(({ name }) => name));
  // A named form with the name of a source counts under it as well; the numbers are then those of the named form.
  const unnamed = FORM_SOURCES.filter((source) => source !== "popup" && !named.has(source)).map(sum);
  return [
    {
      title: sourceTitle("shortcode"),
      path: "/form-defaults",
      kind: "Any",
      funnel: unnamed.reduce(added, { seen: 0, accepted: 0, confirmed: 0 }),
      status: statusOf(unnamed.reduce((seen, funnel) => seen + funnel.seen, 0)),
    },
    ...forms.map(({ name, layout }): ListedForm => {
      const funnel = sum(name);
      return {
        title: name,
        path: formPath(name),
        kind: KINDS[layout],
        funnel,
        status: statusOf(funnel.seen),
      };
    }),
    {
      title: sourceTitle("popup"),
      path: "/popup",
      kind: "Popup",
      funnel: sum("popup"),
      status: popup.enabled ? ["good", "On"] : ["plain", "Button only"],
    },
  ];
}

function added(some: Funnel, others: Funnel): Funnel {
  return {
    seen: some.seen + others.seen,
    accepted: some.accepted + others.accepted,
    confirmed: some.confirmed + others.confirmed,
  };
}

function statusOf(seen: number): [Tone, string] {
  return seen > 0 ? ["good", "In use"] : ["plain", "Not seen"];
}

function AddForm({ view }: { view: View }): VNode | null {
  const action = "cfbe_add_form";
  if (!view.mayRun(action)) return null;
  return (
    <Card title="Add a form" lead="Starts with the default texts, fields and consent.">
      <PostForm
        view={view}
        action={action}
        tab="forms"
        partOf="forms"
        id="add-form"
        current={{ layout: "inline" }}
      >
        <TextField
          path="name"
          label="Name"
          required
          autocomplete="off"
          spellcheck={false}
          help="Used in your HTML, so it cannot be changed later. Letters, digits, - and _ only. For example, where the form appears: footer."
        />
        <SelectField path="layout" label="Layout" options={LAYOUT_OPTIONS} />
        <div class="buttons">
          <button type="submit" class="primary">Add form</button>
        </div>
      </PostForm>
    </Card>
  );
}
