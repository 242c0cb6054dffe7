import { copyPath, experimentPath, formPath, REMOVE_QUESTION } from "../parts/form_path.ts";
import type { VNode } from "preact";
import { FORM_SOURCES, LAYOUTS } from "../../../shared/contract.ts";
import { POPUP, type SiteForm } from "../../settings/forms/all_forms.ts";
import { formsWithDraft, readFormDraft } from "../../settings/forms/form_drafts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { Badge } from "../parts/notice.tsx";
import { share } from "../parts/share.ts";
import { type Column, Pager, Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { siteDay } from "../../settings/schema/time_zone.ts";
import { added, type Funnel, funnelOf } from "../../platform/observe/funnel.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { OPENING_TITLES } from "./opens/opens.tsx";
import { StateNow } from "./status.tsx";

const DAYS = 30;
const PAGE_SIZE = 50;
/** More forms than this can be searched. */
const FEW_FORMS = 10;

const KINDS: Record<typeof LAYOUTS[number], string> = {
  inline: "Inline",
  block: "Block",
  promo: "Promo bar",
};

type Form = Settings["forms"]["forms"][number];

interface ListedForm {
  title: string;
  /** Path of the page with its settings. */
  path: string;
  kind: string;
  funnel: Funnel;
  status: VNode;
  /** The form itself, if it is a named one. */
  form?: Form;
  /** Whether it has a draft. */
  unpublished?: boolean;
}

export const formsPage = definePage({
  path: "/forms",
  title: TAB_TITLES.forms,
  lead:
    "Every form that your pages can embed. Open one to change its texts, fields and consent, and to copy its snippet.",
  group: "Forms",
  icon: "forms",
  shortcut: "f",
  capability: "view",
  services: ["kv", "counters"],
  async render(view) {
    const search = (view.query.get("search") ?? "").trim();
    const from = Math.max(0, Number.parseInt(view.query.get("from") ?? "0") || 0);
    const all = await listedForms(view);
    const found = all.filter(({ title, form }) =>
      `${title} ${form?.name ?? ""}`.toLowerCase().includes(search.toLowerCase())
    );
    const rows = found.slice(from, from + PAGE_SIZE);
    const href = (start: number) =>
      view.href(`/forms?${new URLSearchParams({ ...(search && { search }), from: String(start) })}`);
    return (
      <>
        <Card
          title={`Forms, last ${DAYS} days`}
          results={`${found.length} ${found.length === 1 ? "form" : "forms"}`}
          actions={view.mayRun("cfbe_add_form") && (
            <a class="button primary" href={view.href("/new-form")}>New form</a>
          )}
        >
          {all.length > FEW_FORMS && <Search view={view} search={search} />}
          {rows.length === 0
            ? (
              <Empty title="No form has this title or ID">
                <a href={view.href("/forms")}>Show all forms</a>
              </Empty>
            )
            : <Table caption="Forms" rows={rows} keyOf={({ path }) => path} columns={columns(view)} />}
          <Pager
            first={from > 0 ? href(0) : undefined}
            next={from + PAGE_SIZE < found.length ? href(from + PAGE_SIZE) : undefined}
            words={{ first: "First", next: "Next" }}
          />
        </Card>
      </>
    );
  },
});

function columns(view: View): Column<ListedForm>[] {
  const count = (title: string, of: (funnel: Funnel) => string): Column<ListedForm> => ({
    title,
    number: true,
    compact: true,
    cell: ({ funnel }) => of(funnel),
  });
  return [
    {
      title: "Form",
      cell: ({ title, path, form }) => (
        <>
          <a href={view.href(path)}>{title}</a> {form?.title && <code class="about">{form.name}</code>}
        </>
      ),
    },
    { title: "Kind", compact: true, cell: ({ kind }) => kind },
    { title: "Status", compact: true, cell: ({ status }) => status },
    count("Views", ({ seen }) => figure(seen)),
    count("Signups", ({ accepted }) => figure(accepted)),
    count("Confirmed", ({ confirmed }) => figure(confirmed)),
    count("Rate", (funnel) => funnel.accepted === 0 ? "–" : share(funnel.confirmed, funnel.accepted)),
    {
      title: "Actions",
      compact: true,
      number: true,
      cell: ({ form, unpublished }) =>
        form && <RowActions view={view} form={form} unpublished={unpublished} />,
    },
  ];
}

function Search({ view, search }: { view: View; search: string }): VNode {
  return (
    <form class="line" method="get" action={view.href("/forms")} role="search">
      <label for="forms-search">Title or ID</label>
      <input id="forms-search" name="search" type="search" value={search} maxLength={64} autocomplete="off" />
      <button type="submit">Search</button>
    </form>
  );
}

/** A menu of what can be done to a form without opening it. It opens without JavaScript. */
function RowActions(
  { view, form, unpublished }: { view: View; form: Form; unpublished: boolean | undefined },
): VNode {
  const { name, title = name, status } = form;
  const id = `actions-${name}`;
  const change = status === "draft"
    ? { action: "cfbe_publish_form", input: { form: name }, label: "Publish", expects: "Live" }
    : {
      action: "cfbe_set_form_status",
      input: { form: name, status: status ? "live" : "paused" },
      label: status ? "Resume" : "Pause",
      expects: status ? "Live" : "Paused",
    };
  const download = (about?: string) => (
    <a href={view.href(`/forms/${name}.json`)} download={`${name}.json`}>
      {unpublished ? "Export published form" : "Export"}
      {about && <span class="hidden">({about})</span>}
    </a>
  );
  // Users who may only read.
  if (!view.mayRun(change.action) && !view.mayRun("cfbe_duplicate_form")) return download(title);
  return (
    <>
      <button type="button" class="quiet open-menu" id={`${id}-button`} popovertarget={id}>
        <Icon name="dots" />
        <span class="hidden">Actions ({title})</span>
      </button>
      <div class="menu" id={id} popover="auto" role="group" aria-label={`Actions for ${title}`}>
        {view.mayRun(change.action) && (
          <PostForm
            view={view}
            action={change.action}
            match={change.input}
            class="inline"
            id={`${change.action.slice(5)}-${name}`}
          >
            <button
              type="submit"
              class="quiet"
              id={`status-button-${name}`}
              data-expects={change.expects}
              autofocus
            >
              {change.label}
            </button>
          </PostForm>
        )}
        {view.mayRun("cfbe_duplicate_form") && <a href={view.href(copyPath(name))}>Duplicate</a>}
        {download()}
        {view.mayRun("cfbe_remove_form") && (
          <a href={`${view.href(formPath(name))}#${REMOVE_QUESTION}`}>Remove…</a>
        )}
      </div>
    </>
  );
}

const figure = (value: number) => value.toLocaleString("en");

async function listedForms(view: View<"kv" | "counters">): Promise<ListedForm[]> {
  const { settings, counters } = view.app;
  const { forms: { forms }, popup } = settings.current();
  const until = siteDay(settings.current(), view.now) + 1;
  const from = until - DAYS;
  const counts = await counters.days(from, until);
  const sum = (form: string) => funnelOf(counts, { from, until, form });
  const drafts = await formsWithDraft(view.app.kv);
  const popupDraft = await readFormDraft(view.app.kv, { name: POPUP });
  const named = new Set(forms.map(({ name }) => name));
  // A named form with the name of a source counts under it as well; the numbers are then those of the named form.
  const unnamed = FORM_SOURCES.filter((source) => source !== "popup" && !named.has(source)).map(sum);
  return [
    {
      title: sourceTitle(settings.current(), "shortcode"),
      path: "/form-defaults",
      kind: "Any",
      funnel: unnamed.reduce(added, { seen: 0, accepted: 0, confirmed: 0 }),
      status: <Badge kind="good">Live</Badge>,
    },
    ...forms.map((form): ListedForm => ({
      title: form.title ?? form.name,
      path: formPath(form.name),
      kind: form.opens ? OPENING_TITLES[form.opens.kind] : KINDS[form.layout],
      funnel: sum(form.name),
      status: (
        <>
          <StateNow view={view} form={form} />
          {drafts.has(form.name) && <Unpublished />}
          <RunningExperiment view={view} form={form} />
        </>
      ),
      form,
      unpublished: drafts.has(form.name),
    })),
    {
      title: sourceTitle(settings.current(), "popup"),
      path: "/popup",
      kind: "Popup",
      funnel: sum("popup"),
      status: (
        <>
          {popup.enabled ? <StateNow view={view} form={popup} /> : <Badge>Button only</Badge>}
          {popupDraft && <Unpublished />}
          <RunningExperiment view={view} form={popup} name={POPUP} />
        </>
      ),
    },
  ];
}

/** Leads to the experiment of a form, while it runs. */
function RunningExperiment(
  { view, form, name = (form as Form).name }: { view: View; form: SiteForm; name?: string },
): VNode | null {
  if (form.experiment?.state !== "running") return null;
  return (
    <>
      {" "}
      <a href={view.href(experimentPath(name))}>
        Experiment<span class="hidden">running</span>
      </a>
    </>
  );
}

function Unpublished(): VNode {
  return (
    <>
      {" "}
      <Badge kind="warn">Unpublished changes</Badge>
    </>
  );
}
