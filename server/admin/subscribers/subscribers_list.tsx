import { counted } from "../../platform/words/counted.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { type MatchCount, MAX_COUNTED } from "../../subscribers/search/count.ts";
import type { NearMatches } from "../../subscribers/search/near.ts";
import type { Term } from "../../subscribers/search/query.ts";
import type { SubscriberPage } from "../../subscribers/search/search.ts";
import { Card, Empty } from "../parts/card.tsx";
import type { Chip } from "../parts/chips.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Pager, Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { listName } from "../parts/lists.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { leftStatus } from "../../subscribers/person/left_status.ts";
import { statusTone } from "./status_titles.ts";
import { BulkForm, mayActInBulk, rowValue } from "./subscribers_bulk.tsx";
import type { Links, Search } from "./subscribers_links.ts";

interface Results {
  view: View;
  page: SubscriberPage;
  count: MatchCount;
  /** What may have been meant if nothing was found. */
  near: NearMatches;
  params: Search;
  /** What the address is searched for. */
  term: Term | undefined;
  chips: readonly Chip[];
  links: Links;
}

/** One page of results, with what can be done with all of them. */
export function Results({ view, page, count, near, params, term, chips, links }: Results) {
  const { records, searchedTo } = page;
  const { next } = links;
  const isEmpty = records.length === 0 && searchedTo === undefined;
  if (isEmpty && !view.query.has("place")) {
    return (
      <>
        <Card results={emptyResults(chips, near)}>
          {chips.length === 0 ? <NoSignups view={view} /> : (
            <NoMatches
              chips={chips}
              links={links}
              typed={view.query.get("q") ?? ""}
              byStart={term?.by === "prefix"}
            />
          )}
        </Card>
        {term && <Near view={view} near={near} links={links.records} />}
      </>
    );
  }
  const heading = headingOf(count, chips.length > 0);
  return (
    <Card
      title={heading}
      results={heading}
      actions={view.may("people") && (
        <div class="buttons">
          <a class="button" href={links.csv}>Export CSV</a>
          <a class="button" href={links.json}>Export JSON</a>
        </div>
      )}
    >
      {records.length > 0 && (
        <p class="help">
          <strong>Status</strong> is how far the signup is in cfbe. <strong>List status</strong>{" "}
          is what the provider's list says about the address, and can change later.
        </p>
      )}
      {records.length > 0 && (mayActInBulk(view)
        ? (
          <BulkForm view={view} params={params} count={count}>
            <Records view={view} links={links.records} pick />
          </BulkForm>
        )
        : <Records view={view} links={links.records} />)}
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

/** Returns what an empty list says to screen readers. */
function emptyResults(chips: readonly Chip[], { records }: NearMatches): string {
  if (chips.length === 0) return "No signups";
  return records.length === 0 ? "No results" : `No results, ${counted(records.length, "similar address")}`;
}

/** The signups that a search without results may have meant. */
function Near({ view, near, links }: { view: View; near: NearMatches; links: Links["records"] }) {
  const partly = near.partial &&
    "There are too many signups to compare all of them, so there may be others.";
  if (near.records.length === 0) {
    return partly ? <Notice kind="plain">No similar address was found. {partly}</Notice> : null;
  }
  return (
    <Card title="Similar addresses" lead={partly || undefined}>
      <Records view={view} links={links} />
    </Card>
  );
}

/** Returns a heading such as `3 results`, `1 signup` or `More than 1,000 signups`. */
function headingOf({ count, more }: MatchCount, filtered: boolean): string {
  const noun = `${filtered ? "result" : "signup"}${count === 1 && !more ? "" : "s"}`;
  const number = count.toLocaleString("en");
  if (!more) return `${number} ${noun}`;
  if (count === 0) return "No results so far";
  return count === MAX_COUNTED ? `More than ${number} ${noun}` : `At least ${number} ${noun}`;
}

function NoSignups({ view }: { view: View }) {
  return (
    <Empty title="No signups yet">
      <p>Signups appear here as soon as they are accepted.</p>
      <p>
        To get the first one, <a href={view.href("/forms")}>put a form on your page</a>{" "}
        and sign up there yourself, or follow <a href={view.href("/first-run")}>Getting started</a>.
      </p>
    </Empty>
  );
}

function NoMatches(
  { chips, links: { wider, part }, typed, byStart }: {
    chips: readonly Chip[];
    links: Links;
    typed: string;
    byStart: boolean;
  },
) {
  return (
    <Empty title={chips.length > 1 ? "No signup matches all of these filters" : "No matches"}>
      {wider && (
        <p>
          <a href={wider}>Search for addresses that start with {typed}</a>
        </p>
      )}
      {part && (
        <p>
          <a href={part.href}>Search for addresses that contain {part.text}</a>
        </p>
      )}
      {byStart && (
        <p>
          A search finds the start of an address, or its domain: @example.com. If you know neither, filter by
          form and by the day of the signup.
        </p>
      )}
      {chips.length > 1 && chips.map(({ text, href }) => (
        <p key={text}>
          <a href={href}>Search without “{text}”</a>
        </p>
      ))}
    </Empty>
  );
}

function Records({ view, links, pick = false }: { view: View; links: Links["records"]; pick?: boolean }) {
  const records = [...links.keys()];
  const severalLists = new Set(records.map(({ list }) => list)).size > 1;
  return (
    <Table
      caption="Signups"
      rows={records}
      keyOf={({ email, list }) => `${list} ${email}`}
      columns={[
        ...pick
          ? [{
            title: "Select",
            pick,
            cell: (record: SignupRecord) => <Pick record={record} index={records.indexOf(record)} />,
          }]
          : [],
        {
          title: "Email address",
          cell: (record) => <a class="about" href={links.get(record)!}>{record.email}</a>,
        },
        { title: "Status", cell: (record) => <StatusNow record={record} /> },
        { title: "List status", cell: ({ listStatus }) => listStatus ?? "not checked yet", wideOnly: true },
        ...severalLists
          ? [{
            title: "List",
            cell: ({ list }: SignupRecord) => <span class="whole">{listName(view, list)}</span>,
            wideOnly: true,
          }]
          : [],
        {
          title: "Form",
          cell: ({ source, form }) => sourceTitle(view.app.settings.current(), form ?? source),
          wideOnly: true,
        },
        { title: "Signed up", cell: ({ createdAt }) => <Moment at={createdAt} short />, wideOnly: true },
      ]}
    />
  );
}

function Pick({ record, index }: { record: SignupRecord; index: number }) {
  return (
    <label>
      <input
        type="checkbox"
        name={`rows.${index}`}
        value={rowValue(record)}
        aria-label={`Select ${record.email}`}
        autocomplete="off"
      />
    </label>
  );
}

/** The status of a signup; on phones, where lists have no list status, the present one of someone who left. */
function StatusNow({ record }: { record: SignupRecord }) {
  const left = leftStatus(record);
  const badge = <Badge kind={statusTone(record)}>{record.status}</Badge>;
  if (!left) return badge;
  return (
    <>
      <span class="wide-only">{badge}</span>
      <span class="narrow-only">
        <Badge kind="warn">{left}</Badge>
      </span>
    </>
  );
}
