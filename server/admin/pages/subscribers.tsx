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
import { Moment, Pager, shownText, Table } from "../parts/table.tsx";
import { Refusal } from "../refusal.ts";
import { UNREADABLE_LINK } from "../encrypted_query.ts";
import type { View } from "../view.ts";
import { sourceTitle } from "./source_titles.ts";
import { type Links, linksOf, type Search, searchOf } from "./subscribers_links.ts";

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
  lead: "Everyone who has signed up, with their current status.",
  group: "Audience & activity",
  icon: "subscribers",
  capability: "personal",
  searchFields: SEARCH_FIELDS,
  async render(view) {
    const zone = siteZone();
    const { query, problems } = parseSearch(view.query, zone);
    const valid = !view.unreadable && Object.keys(problems).length === 0;
    const params = searchOf(view.query);
    const [page, migrated] = await Promise.all([
      valid
        ? found(() => search(view.app.kv, query, { after: view.query.get("place") ?? undefined }))
        : undefined,
      isMigrated(view.app.kv),
    ]);
    if (page && page.records.length > 0) await recordViews(view, page.records.length);
    return (
      <>
        {!migrated && (
          <Notice kind="warn">
            Signups from an earlier version are still being indexed, so some may be missing here.
          </Notice>
        )}
        <Card>
          <Filters view={view} zone={zone} problems={problems} />
        </Card>
        {view.unreadable && <Notice kind="warn">{UNREADABLE_LINK}</Notice>}
        {page && (
          <Results
            view={view}
            page={page}
            params={params}
            links={await linksOf(view, page, params)}
          />
        )}
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

function Results(
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
      title={params.size > 0 ? "Search results" : "Newest first"}
      results={shownText(records.length, ["signup", "signups"], next !== undefined)}
      actions={view.may("people") && records.length > 0 && (
        <div class="buttons">
          <a class="button" href={links.csv} download>Export CSV</a>
          <a class="button" href={links.json} download>Export JSON</a>
        </div>
      )}
    >
      {records.length === 0 && searchedTo === undefined
        ? <NoResults view={view} params={params} wider={links.wider} />
        : <Records view={view} links={links.records} />}
      {searchedTo !== undefined && next && (
        <Notice kind="plain">
          Few signups match these filters. Searched back to{" "}
          {typeof searchedTo === "number" ? <Moment at={searchedTo} /> : <code>{searchedTo}</code>}.{" "}
          <a href={next}>Continue searching</a>
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

function NoResults(
  { view, params, wider }: { view: View; params: Search; wider: string | undefined },
) {
  if (params.size === 0) {
    return <Empty title="No signups yet">Signups appear here as soon as they are accepted.</Empty>;
  }
  return (
    <Empty title="No matches">
      {wider && (
        <p>
          <a href={wider}>Search for addresses that start with {params.get("q")}</a>
        </p>
      )}
      <a href={view.href("/subscribers")}>Clear filters</a>
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
          title: "Email address",
          cell: (record) => <a class="about" href={links.get(record)!}>{record.email}</a>,
        },
        { title: "Status", cell: ({ status }) => <Badge kind={STATUS_TONES[status]}>{status}</Badge> },
        { title: "List status", cell: ({ listStatus }) => listStatus ?? "not checked yet", wideOnly: true },
        { title: "List", cell: ({ list }) => listName(view, list), wideOnly: true },
        { title: "Form", cell: ({ source, form }) => sourceTitle(form ?? source), wideOnly: true },
        { title: "Signed up", cell: ({ createdAt }) => <Moment at={createdAt} />, wideOnly: true },
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
  const set = SEARCH_FIELDS.filter((field) => field !== "q" && view.query.get(field)?.trim());
  const choice = (field: SearchField, label: string, options: readonly string[]) => (
    <Field view={view} field={field} label={label} problem={problems[field]} options={options} />
  );
  return (
    <form method="post" action={view.href("/subscribers")} class="filters" role="search">
      <Field
        view={view}
        field="q"
        label="Email address"
        problem={problems.q}
        help="A full address, the start of one, or a domain such as @example.com."
      />
      <details class="more" open={set.length > 0}>
        <summary>{set.length > 0 ? `Filters (${set.length})` : "Filters"}</summary>
        <div class="filters">
          {choice("status", "Status", LOCAL_STATUSES)}
          {choice("list_status", "List status", LIST_STATUSES)}
          {choice("form", "Form", given === "" || forms.includes(given) ? forms : [...forms, given])}
          {choice("source", "Source", SIGNUP_SOURCES)}
          <Field view={view} field="from" label="From" type="date" problem={problems.from} />
          <Field
            view={view}
            field="until"
            label="To"
            type="date"
            problem={problems.until}
            help={`Dates are in ${zone} and inclusive.`}
          />
        </div>
      </details>
      <div class="buttons">
        <button type="submit" class="primary">Search</button>
        <a class="button" href={view.href("/subscribers")}>Clear filters</a>
      </div>
    </form>
  );
}

const INPUT = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

function Field(
  { view, field, label, type = "search", options, help, problem }: {
    view: View;
    field: SearchField;
    label: string;
    type?: "search" | "date";
    /** Choices of a select; without them, the field is an input. */
    options?: readonly string[];
    help?: string;
    problem?: string | undefined;
  },
) {
  const id = `filter-${field}`;
  const value = view.query.get(field) ?? "";
  const notes = [help && `${id}-help`, problem && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const attributes = {
    id,
    name: field,
    "aria-describedby": notes,
    "aria-invalid": problem ? "true" as const : undefined,
  };
  return (
    <div class={`field ${field}`}>
      <label for={id}>{label}</label>
      {options
        ? (
          <select {...attributes}>
            <option value="">Any</option>
            {options.map((each) => (
              <option key={each} value={each} selected={each === value}>
                {field === "source" ? sourceTitle(each) : each}
              </option>
            ))}
          </select>
        )
        // TypeScript has one type per input type, and `type` varies here.
        : <input {...{ ...attributes, type, value, ...INPUT } as InputHTMLAttributes} />}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {problem && <p class="error" id={`${id}-error`}>{problem}</p>}
    </div>
  );
}

/** Records in the audit log how many subscribers the user viewed. */
async function recordViews({ app, actor, from }: View, by: number): Promise<void> {
  await app.admin.audit.count({ who: actor.name, action: "cfbe_read_subscribers", result: "done", by, from });
}
