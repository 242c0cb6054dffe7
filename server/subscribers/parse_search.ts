import { SIGNUP_SOURCES } from "../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../shared/outcomes.ts";
import { normalizeEmail } from "../http/email.ts";
import { dayEnd, dayStart } from "./dates.ts";
import type { SubscriberQuery, Term } from "./search.ts";

/** What a search form sends; each member may be anything. */
export const SEARCH_FIELDS = ["q", "status", "list_status", "form", "source", "from", "until"] as const;
export type SearchField = typeof SEARCH_FIELDS[number];

export interface ParsedSearch {
  query: SubscriberQuery;
  /** What is wrong with which field; while there is anything, the query is not to be run. */
  problems: Partial<Record<SearchField, string>>;
}

const LONGEST = 254;
const LONGEST_NAME = 64;

/**
 * Read a search as it is typed: `ada@example.com` is an address, `ada` or `ada@exa*` the beginning of one, and
 * `@example.com` a domain.
 *
 * @param zone of the days in `from` and `until`, both of which are looked through
 */
export function parseSearch(params: URLSearchParams, zone: string): ParsedSearch {
  const problems: ParsedSearch["problems"] = {};
  const given = (field: SearchField) => (params.get(field) ?? "").trim();
  function oneOf<T extends string>(field: SearchField, words: readonly T[]): T | undefined {
    const value = given(field);
    const known = words.find((word) => word === value);
    if (value !== "" && !known) problems[field] = `Choose one of: ${words.join(", ")}.`;
    return known;
  }
  function day(
    field: SearchField,
    read: (day: string, zone: string) => number | undefined,
  ): number | undefined {
    const value = given(field);
    const at = value === "" ? undefined : read(value, zone);
    if (value !== "" && at === undefined) problems[field] = "Enter a date such as 2026-03-29.";
    return at;
  }

  const term = readTerm(given("q"));
  if (typeof term === "string") problems.q = term;
  const form = given("form");
  if (form.length > LONGEST_NAME || !form.isWellFormed()) problems.form = "There is no form with this name.";
  const status = oneOf("status", LOCAL_STATUSES);
  const listStatus = oneOf("list_status", LIST_STATUSES);
  const source = oneOf("source", SIGNUP_SOURCES);
  const from = day("from", dayStart);
  const until = day("until", dayEnd);
  if (from !== undefined && until !== undefined && until <= from) {
    problems.until = "This date must not be before the start date.";
  }
  return {
    query: {
      ...(typeof term === "object" && { term }),
      ...(status && { status }),
      ...(listStatus && { listStatus }),
      ...(form !== "" && { form }),
      ...(source && { source }),
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
    },
    problems,
  };
}

/** @returns what is looked for, undefined for nothing, or a sentence about what is wrong */
function readTerm(typed: string): Term | string | undefined {
  if (typed === "") return undefined;
  if (typed.length > LONGEST) return `An address has ${LONGEST} characters at most.`;
  if (!typed.isWellFormed()) return "Email addresses cannot contain these characters.";
  const lower = typed.toLowerCase();
  if (lower.startsWith("@")) {
    const domain = normalizeEmail(`a${lower}`)?.slice(2);
    return domain === undefined ? "Enter a full domain such as @example.com." : { by: "domain", domain };
  }
  const email = lower.endsWith("*") ? undefined : normalizeEmail(lower);
  return email === undefined ? { by: "prefix", prefix: lower.replace(/\*$/, "") } : { by: "address", email };
}
