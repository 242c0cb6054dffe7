import type { InputHTMLAttributes } from "preact";
import { LIST_STATUSES, LOCAL_STATUSES, type LocalStatus } from "../../../shared/outcomes.ts";
import { isMigrated } from "../../jobs/handlers/migrate_rows.ts";
import type { SignupRecord } from "../../signup/record.ts";
import { BadCursor } from "../../subscribers/cursor.ts";
import { siteZone } from "../../subscribers/dates.ts";
import { readSearch, SEARCH_FIELDS, type SearchField, SOURCES } from "../../subscribers/read_search.ts";
import { search, type SubscriberPage } from "../../subscribers/search.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Moment, Pager, Table } from "../parts/table.tsx";
import { Refusal } from "../refusal.ts";
import type { View } from "../view.ts";

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
  async render(view) {
    const zone = siteZone();
    const { query, problems } = readSearch(view.query, zone);
    const fine = Object.keys(problems).length === 0;
    const params = asked(view.query);
    const [page, migrated] = await Promise.all([
      fine
        ? found(() => search(view.app.kv, query, { after: view.query.get("after") ?? undefined }))
        : undefined,
      isMigrated(view.app.kv),
    ]);
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
        {page && <Found view={view} page={page} params={params} />}
      </>
    );
  },
};

/** Of an address, what belongs to the search. */
function asked(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    SEARCH_FIELDS.flatMap((field) => query.get(field) ? [[field, query.get(field)!]] : []),
  );
}

async function found(run: () => Promise<SubscriberPage>): Promise<SubscriberPage> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BadCursor) throw new Refusal(400, "bad_cursor", error.message);
    throw error;
  }
}

function Found({ view, page, params }: { view: View; page: SubscriberPage; params: URLSearchParams }) {
  const at = (more: Record<string, string> = {}) =>
    view.href(`/subscribers?${new URLSearchParams([...params, ...Object.entries(more)])}`);
  const file = (format: string) => view.href(`/subscribers/subscribers.${format}?${params}`);
  const { records, next, searchedTo } = page;
  const after = view.query.get("after");
  return (
    <Card
      title={params.size > 0 ? "Found" : "Newest first"}
      actions={view.may("people") && records.length > 0 && (
        <div class="buttons">
          <a class="button" href={file("csv")} download>Export CSV</a>
          <a class="button" href={file("json")} download>Export JSON</a>
        </div>
      )}
    >
      {records.length === 0 && searchedTo === undefined
        ? <Nothing view={view} params={params} />
        : <Records view={view} records={records} />}
      {searchedTo !== undefined && next && (
        <Notice kind="plain">
          Few fit these filters. Searched back to{" "}
          {typeof searchedTo === "number" ? <Moment at={searchedTo} /> : <code>{searchedTo}</code>}.{" "}
          <a href={at({ after: next })}>Search on from there</a>
        </Notice>
      )}
      <Pager
        first={after ? at() : undefined}
        next={next && searchedTo === undefined ? at({ after: next }) : undefined}
        words={{ first: "First page", next: "Next page" }}
      />
    </Card>
  );
}

function Nothing({ view, params }: { view: View; params: URLSearchParams }) {
  if (params.size === 0) {
    return (
      <Empty title="Nobody has signed up yet">Each signup appears here the moment it is accepted.</Empty>
    );
  }
  const typed = params.get("q") ?? "";
  const wider = new URLSearchParams(
    [...params].map(([name, value]) => [name, name === "q" ? `${value}*` : value]),
  );
  return (
    <Empty title="Nobody fits">
      {typed !== "" && !/[*]$|^@/.test(typed) && (
        <p>
          <a href={view.href(`/subscribers?${wider}`)}>Look for addresses that begin with {typed}</a>
        </p>
      )}
      <a href={view.href("/subscribers")}>Show everybody</a>
    </Empty>
  );
}

function Records({ view, records }: { view: View; records: SignupRecord[] }) {
  return (
    <Table
      caption="Signups"
      rows={records}
      keyOf={({ email, list }) => `${list} ${email}`}
      columns={[
        {
          title: "Address",
          cell: (record) => <a class="about" href={recordHref(view, record)}>{record.email}</a>,
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

function recordHref(view: View, { email, list }: { email: string; list: string }): string {
  return view.href(`/subscriber?${new URLSearchParams({ email, list })}`);
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
    <form method="get" action={view.href("/subscribers")} class="filters" role="search">
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
      {choice("source", "Source", SOURCES)}
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
