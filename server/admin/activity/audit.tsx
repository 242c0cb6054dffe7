import { counted } from "../../platform/words/counted.ts";
import { type AuditPage, BadAuditCursor } from "../../platform/audit/search.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { UNREADABLE_LINK } from "../frame/encrypted_query.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { type Chip, Chips } from "../parts/chips.tsx";
import { Entries } from "../parts/entry.tsx";
import { Notice } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Pager, shownText } from "../parts/table.tsx";
import { Refusal } from "../frame/refusal.ts";
import type { View } from "../frame/view.ts";
import { AuditEntry } from "./audit_entry.tsx";
import { AuditFilters, auditFilterText } from "./audit_filters.tsx";
import type { AuditTitles } from "./audit_titles.ts";
import { AUDIT_FIELDS, type AuditField, parseAuditSearch } from "./audit_search.ts";

export const auditPage = (titles: AuditTitles) =>
  definePage({
    path: "/audit",
    title: "Audit log",
    lead: "Who did what, in the admin, on the command line and with the API token.",
    group: "Audience & activity",
    icon: "audit",
    shortcut: "a",
    capability: "personal",
    searchFields: AUDIT_FIELDS,
    services: ["admin"],
    async render(view) {
      const { audit, users, passwordLinks } = view.app.admin;
      const zone = siteZone(view.app.settings.current());
      const { query, problems } = parseAuditSearch(view.query, { zone, titles, targetOf: audit.target });
      const valid = !view.unreadable && Object.keys(problems).length === 0;
      const before = view.query.get("before") ?? undefined;
      const [page, known, invited] = await Promise.all([
        valid ? audit.list(query, { before }).catch(refuseBadCursor) : undefined,
        users.list(),
        passwordLinks.list(),
      ]);
      const names = known.map(({ name }) => name);
      const people = [...names, ...invited.map(({ name }) => name)];
      const chips = await chipsOf(view, titles);
      const links = page && await linksOf(view, page);
      return (
        <>
          <Card>
            <AuditFilters view={view} titles={titles} zone={zone} users={names} problems={problems} />
            <Chips chips={chips} clear={view.href("/audit")} />
          </Card>
          {view.unreadable && <Notice kind="warn">{UNREADABLE_LINK}</Notice>}
          {page && links && (
            <Results
              view={view}
              titles={titles}
              page={page}
              links={links}
              people={people}
              filtered={chips.length > 0}
            />
          )}
          <Retention view={view} />
        </>
      );
    },
  });

function refuseBadCursor(error: unknown): never {
  if (!(error instanceof BadAuditCursor)) throw error;
  throw new Refusal(400, "bad_cursor", "This page link is not valid. Open the audit log again.");
}

interface Links {
  first: string;
  next: string | undefined;
  csv: string;
}

/** Returns the filled-in fields of the search. */
function searchOf({ query }: View): [AuditField, string][] {
  return AUDIT_FIELDS.flatMap((field) => query.get(field) ? [[field, query.get(field)!]] : []);
}

/** Returns the filters that are set, each with a link to the page without it. */
async function chipsOf(view: View, titles: AuditTitles): Promise<Chip[]> {
  const search = searchOf(view);
  return await Promise.all(search.map(async ([field, value]) => {
    const others = search.filter(([other]) => other !== field);
    const href = view.href(`/audit${await view.encryptQuery(others)}`);
    return { text: auditFilterText(titles, field, value), href };
  }));
}

/** Returns the links of a result page. Encrypting them is asynchronous, so this happens before rendering. */
async function linksOf(view: View, { before }: AuditPage): Promise<Links> {
  const search = searchOf(view);
  const to = async (path: string, ...more: [string, string][]) =>
    view.href(path + await view.encryptQuery([...search, ...more]));
  const [first, csv, next] = await Promise.all([
    to("/audit"),
    to("/audit/audit.csv"),
    before && to("/audit", ["before", before]),
  ]);
  return { first, csv, next };
}

function Results(
  { view, titles, page, links, people, filtered }: {
    view: View<"admin">;
    titles: AuditTitles;
    page: AuditPage;
    links: Links;
    /** Names of all users, and of those who are invited. */
    people: readonly string[];
    filtered: boolean;
  },
) {
  const { rows, searchedTo } = page;
  const byTarget = new Map(people.map((name) => [view.app.admin.audit.target(name), name]));
  return (
    <Card
      title={filtered ? "Search results" : "Newest first"}
      results={shownText(rows.length, ["entry", "entries"], page.before !== undefined)}
      actions={rows.length > 0 && <a class="button" href={links.csv}>Export CSV</a>}
    >
      {rows.length > 0
        ? (
          <Entries label="Audit log">
            {rows.map((row) => (
              <AuditEntry
                key={`${row.at} ${row.id}`}
                row={row}
                titles={titles}
                userOf={(target) => byTarget.get(target)}
              />
            ))}
          </Entries>
        )
        : searchedTo === undefined && <NoEntries view={view} filtered={filtered} />}
      {searchedTo !== undefined && links.next && (
        <Notice kind="plain">
          Few entries match these filters. Searched back to <Moment at={searchedTo} />.{" "}
          <a href={links.next}>Continue searching</a>
        </Notice>
      )}
      <Pager
        first={view.query.has("before") ? links.first : undefined}
        next={searchedTo === undefined ? links.next : undefined}
      />
    </Card>
  );
}

function NoEntries({ view, filtered }: { view: View; filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No matches">
        <a href={view.href("/audit")}>Clear filters</a>
      </Empty>
    );
  }
  return <Empty title="No entries yet">Sign-ins, changes, exports and backups appear here.</Empty>;
}

/** How long entries and their IPs are kept. */
function Retention({ view }: { view: View }) {
  const { ipRetentionDays } = view.app.settings.current().privacy;
  return (
    <p class="help" id="retention">
      Entries are kept permanently, and cannot be edited or deleted. Their IP addresses are deleted after{" "}
      {counted(ipRetentionDays, "day")}, as set on the <a href={view.href("/privacy")}>Privacy</a> page.
    </p>
  );
}
