import { type AuditQuery } from "../../platform/audit/search.ts";
import { AUDIT_RESULTS } from "../../platform/audit/row.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { dayEnd, dayStart } from "../../subscribers/search/dates.ts";
import { type AuditTitles, isGroup } from "./audit_titles.ts";

/** The fields of the audit log's search form. Their values are untrusted input. */
export const AUDIT_FIELDS = ["whose", "user", "kind", "result", "from", "until"] as const;
export type AuditField = typeof AUDIT_FIELDS[number];

export interface ParsedAuditSearch {
  query: AuditQuery;
  /** Error messages by field. The query must not be run if there are any. */
  problems: Partial<Record<AuditField, string>>;
}

const MAX_NAME_CHARACTERS = 100;

/**
 * Parses the search form. `kind` is a kind of entry or a group of kinds; `whose` is the address of the person affected.
 *
 * @param zone time zone of the days `from` and `until`, which are both included
 * @param targetOf see `Audit.target`
 */
export function parseAuditSearch(
  params: URLSearchParams,
  { zone, titles, targetOf }: { zone: string; titles: AuditTitles; targetOf: (text: string) => string },
): ParsedAuditSearch {
  const problems: ParsedAuditSearch["problems"] = {};
  const valueOf = (field: AuditField) => (params.get(field) ?? "").trim();
  /** Returns the parsed value of a field, undefined if it is empty or has a problem. */
  function parsed<T>(field: AuditField, problem: string, parse: (value: string) => T | undefined) {
    const value = valueOf(field);
    if (value === "") return undefined;
    const result = parse(value);
    if (result === undefined) problems[field] = problem;
    return result;
  }
  const day = (field: AuditField, read: typeof dayStart) =>
    parsed(field, "Enter a date such as 2026-03-29.", (value) => read(value, zone));

  const email = parsed("whose", "Enter a full email address.", normalizeEmail);
  const who = parsed(
    "user",
    "There is no user with this name.",
    (name) => name.length <= MAX_NAME_CHARACTERS ? name : undefined,
  );
  const actions = parsed("kind", "Choose one of the actions.", (kind) => actionsOf(titles, kind));
  const result = parsed(
    "result",
    "Choose one of the results.",
    (value) => AUDIT_RESULTS.find((each) => each === value),
  );
  const from = day("from", dayStart);
  const until = day("until", dayEnd);
  if (from !== undefined && until !== undefined && until <= from) {
    problems.until = "This date must not be before the start date.";
  }
  const target = email && targetOf(email);
  const query = { who, actions, result, target, from, until };
  return {
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    problems,
  };
}

/** Returns the kinds of a group, or one kind; undefined if there is no such kind. */
function actionsOf(titles: AuditTitles, kind: string): string[] | undefined {
  if (isGroup(kind)) return titles.kindsIn(kind);
  return Object.hasOwn(titles.filters, kind) ? [kind] : undefined;
}
