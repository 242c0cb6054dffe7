import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import type { InputHTMLAttributes } from "preact";
import { LIST_STATUSES, LOCAL_STATUSES, type LocalStatus } from "../../../shared/outcomes.ts";
import { isMigrated } from "../../ops/migrate_rows_job.ts";
import { BadCursor } from "../../subscribers/cursor.ts";
import { siteZone } from "../../subscribers/dates.ts";
import { parseSearch, SEARCH_FIELDS, type SearchField } from "../../subscribers/parse_search.ts";
import { search, type SubscriberPage } from "../../subscribers/search.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Moment, Pager, Table } from "../parts/table.tsx";
import { Refusal } from "../refusal.ts";
import { UNREAD } from "../sealed_query.ts";
import type { View } from "../view.ts";
import { asked, type Links, linksOf, type Search } from "./subscribers_links.ts";

export const STATUS_TONES: Record<LocalStatus, Tone> = {
  queued: "plain",
  pending: "plain",
  active: "good",
  failed: "bad",
  expired: "warn",
};

export const subscribersPage: Page = {
  path: "/subscribers",
  title: "Subscribers",
  lead: "Everybody who signed up here, and what became of it.",
  group: "Watch",
  capability: "view",
  searched: SEARCH_FIELDS,
  async render(view) {
    const zone = siteZone();
    const { query, problems } = parseSearch(view.query, zone);
    const fine = !view.unread && Object.keys(problems).length === 0;
    const params = asked(view.query);
    const [page, migrated] = await Promise.all([
      fine
        ? found(() => search(view.app.kv, query, { after: view.query.get("place") ?? undefined }))
        : undefined,
      isMigrated(view.app.kv),
    ]);
    if (page && page.records.length > 0) await noteReading(view, page.records.length);
    return (
      <>
        {!migrated && (
          <Notice kind="warn">
            Signups from an earlier version are still being prepared for searches: some may be missing here.
          </Notice>
        )}
        <Card>
          <Filters view={view} zone={zone} problems={problems} />
        </Card>
        {view.unread && <Notice kind="warn">{UNREAD}</Notice>}
        {page && <Found view={view} page={page} params={params} links={await linksOf(view, page, params)} />}
      </>
    );
  },
};

async function found(run: () => Promise<SubscriberPage>): Promise<SubscriberPage> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BadCursor) throw new Refusal(400, "bad_cursor", error.message);
    throw error;
  }
}

function Found(
  { view, page, params, links }: {
    view: View;
    page: SubscriberPage;
    params: Search;
    links: Links;
  },
) {
  const { records, searchedTo } = page;
  const { next } = links;
  return (
    <Card
      title={params.size > 0 ? "Found" : "Newest first"}
      actions={view.may("people") && records.length > 0 && (
        <div class="buttons">
          <a class="button" href={links.csv} download>Export CSV</a>
          <a class="button" href={links.json} download>Export JSON</a>
        </div>
      )}
    >
      {records.length === 0 && searchedTo === undefined
        ? <Nothing view={view} params={params} wider={links.wider} />
        : <Records view={view} links={links.records} />}
      {searchedTo !== undefined && next && (
        <Notice kind="plain">
          Few fit these filters. Searched back to{" "}
          {typeof searchedTo === "number" ? <Moment at={searchedTo} /> : <code>{searchedTo}</code>}.{" "}
          <a href={next}>Search on from there</a>
        </Notice>
      )}
      <Pager
        first={view.query.has("place") ? links.first : undefined}
        next={searchedTo === undefined ? next : undefined}
        words={{ first: "First page", next: "Next page" }}
      />
    </Card>
  );
}

function Nothing(
  { view, params, wider }: { view: View; params: Search; wider: string | undefined },
) {
  if (params.size === 0) {
    return (
      <Empty title="Nobody has signed up yet">Each signup appears here the moment it is accepted.</Empty>
    );
  }
  return (
    <Empty title="Nobody fits">
      {wider && (
        <p>
          <a href={wider}>Look for addresses that begin with {params.get("q")}</a>
        </p>
      )}
      <a href={view.href("/subscribers")}>Show everybody</a>
    </Empty>
  );
}

function Records({ view, links }: { view: View; links: Links["records"] }) {
  return (
    <Table
      caption="Signups"
      rows={[...links.keys()]}
      keyOf={({ email, list }) => `${list} ${email}`}
      columns={[
        {
          title: "Address",
          cell: (record) => <a class="about" href={links.get(record)!}>{record.email}</a>,
        },
        { title: "Status", cell: ({ status }) => <Badge kind={STATUS_TONES[status]}>{status}</Badge> },
        { title: "At the list", cell: ({ listStatus }) => listStatus ?? "not asked yet" },
        { title: "List", cell: ({ list }) => listName(view, list) },
        { title: "From", cell: ({ source, form }) => form ? `${source}, ${form}` : source },
        { title: "Signed up", cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  );
}

export function listName({ app }: View, list: string): string {
  return app.settings.current().general.knownLists.find(({ id }) => id === list)?.name ?? list;
}

function Filters(
  { view, zone, problems }: { view: View; zone: string; problems: Partial<Record<SearchField, string>> },
) {
  const forms = view.app.settings.current().forms.forms.map(({ name }) => name);
  const given = view.query.get("form") ?? "";
  const choice = (field: SearchField, label: string, words: readonly string[]) => (
    <Field view={view} field={field} label={label} problem={problems[field]} words={words} />
  );
  return (
    <form method="post" action={view.href("/subscribers")} class="filters" role="search">
      <Field
        view={view}
        field="q"
        label="Address"
        problem={problems.q}
        help="A whole address, its beginning, or a domain like @example.com."
      />
      {choice("status", "Status", LOCAL_STATUSES)}
      {choice("list_status", "At the list", LIST_STATUSES)}
      {choice("form", "Form", given === "" || forms.includes(given) ? forms : [...forms, given])}
      {choice("source", "Source", SIGNUP_SOURCES)}
      <Field view={view} field="from" label="From day" type="date" problem={problems.from} />
      <Field
        view={view}
        field="until"
        label="To day"
        type="date"
        problem={problems.until}
        help={`Days in ${zone}, both included.`}
      />
      <div class="buttons">
        <button type="submit" class="primary">Search</button>
        <a class="button" href={view.href("/subscribers")}>Reset</a>
      </div>
    </form>
  );
}

const TYPED = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

function Field(
  { view, field, label, type = "search", words, help, problem }: {
    view: View;
    field: SearchField;
    label: string;
    type?: "search" | "date";
    /** What may be chosen; without, it is typed. */
    words?: readonly string[];
    help?: string;
    problem?: string | undefined;
  },
) {
  const id = `filter-${field}`;
  const value = view.query.get(field) ?? "";
  const notes = [help && `${id}-help`, problem && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const drawn = {
    id,
    name: field,
    "aria-describedby": notes,
    "aria-invalid": problem ? "true" as const : undefined,
  };
  return (
    <div class={`field ${field}`}>
      <label for={id}>{label}</label>
      {words
        ? (
          <select {...drawn}>
            <option value="">Any</option>
            {words.map((word) => <option key={word} value={word} selected={word === value}>{word}</option>)}
          </select>
        )
        // The types of an input are many types to TypeScript; which one it is shows only here.
        : <input {...{ ...drawn, type, value, ...TYPED } as InputHTMLAttributes} />}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {problem && <p class="error" id={`${id}-error`}>{problem}</p>}
    </div>
  );
}

/** Puts into the audit log how many persons somebody was shown. */
async function noteReading({ app, actor, from }: View, by: number): Promise<void> {
  await app.admin.audit.count({ who: actor.name, action: "cfbe_read_subscribers", result: "done", by, from });
}
