import { SIGNUP_SOURCES, type SignupSource } from "../../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { parseAnswer } from "./answer_filter.ts";
import { dayEnd, dayStart } from "./dates.ts";
import { pathProblem } from "./page_filter.ts";
import type { SubscriberQuery, Term } from "./query.ts";

/** The fields of a search form. Their values are untrusted input. */
export const SEARCH_FIELDS = [
  "q",
  "status",
  "list_status",
  "form",
  "source",
  "from",
  "until",
  "field",
  "operator",
  "answer",
  "path",
  "campaign",
] as const;
export type SearchField = typeof SEARCH_FIELDS[number];

/** Starts a value of `form` that is a source, for its signups that name no form. No form's name starts with it. */
const UNNAMED = ":";

/** Returns the value of `form` for signups from a source that name no form, such as `:popup`. */
export const unnamedForm = (source: SignupSource): string => UNNAMED + source;

/** Returns the source in a value of `form`, or undefined if the value is a form's name. */
export function unnamedSource(form: string): SignupSource | undefined {
  return SIGNUP_SOURCES.find((source) => unnamedForm(source) === form);
}

export interface ParsedSearch {
  query: SubscriberQuery;
  /** Error messages by field. The query must not be run if there are any. */
  problems: Partial<Record<SearchField, string>>;
}

const MAX_ADDRESS_LENGTH = 254;
const MAX_FORM_LENGTH = 64;
const MAX_CAMPAIGN_LENGTH = 200;

/**
 * Parses a search form. In `q`, `ada@example.com` is an address, `ada` or `ada@exa*` a prefix of addresses,
 * `@example.com` a domain, and `*lovelace*` any part of addresses.
 *
 * @param zone time zone of the days `from` and `until`, which are both included
 */
export function parseSearch(params: URLSearchParams, zone: string): ParsedSearch {
  const problems: ParsedSearch["problems"] = {};
  const valueOf = (field: SearchField) => (params.get(field) ?? "").trim();
  function oneOf<T extends string>(field: SearchField, options: readonly T[]): T | undefined {
    const value = valueOf(field);
    const match = options.find((option) => option === value);
    if (value !== "" && !match) problems[field] = `Choose one of: ${options.join(", ")}.`;
    return match;
  }
  function day(
    field: SearchField,
    read: (day: string, zone: string) => number | undefined,
  ): number | undefined {
    const value = valueOf(field);
    const at = value === "" ? undefined : read(value, zone);
    if (value !== "" && at === undefined) problems[field] = "Enter a date such as 2026-03-29.";
    return at;
  }

  const term = parseTerm(valueOf("q"));
  if (typeof term === "string") problems.q = term;
  const form = valueOf("form");
  const unnamedFrom = unnamedSource(form);
  if (form.length > MAX_FORM_LENGTH || !form.isWellFormed()) {
    problems.form = "There is no form with this name.";
  }
  const status = oneOf("status", LOCAL_STATUSES);
  const listStatus = oneOf("list_status", LIST_STATUSES);
  const source = oneOf("source", SIGNUP_SOURCES);
  const from = day("from", dayStart);
  const until = day("until", dayEnd);
  if (from !== undefined && until !== undefined && until <= from) {
    problems.until = "This date must not be before the start date.";
  }
  const answer = parseAnswer({
    field: valueOf("field"),
    operator: valueOf("operator"),
    answer: valueOf("answer"),
  });
  if (answer.kind === "problem") problems[answer.on] = answer.problem;
  const path = valueOf("path");
  const wrongPath = path === "" ? undefined : pathProblem(path);
  if (wrongPath !== undefined) problems.path = wrongPath;
  const campaign = valueOf("campaign");
  if (campaign.length > MAX_CAMPAIGN_LENGTH || !campaign.isWellFormed()) {
    problems.campaign = `A campaign has ${MAX_CAMPAIGN_LENGTH} characters at most.`;
  }
  return {
    query: {
      ...(typeof term === "object" && { term }),
      ...(status && { status }),
      ...(listStatus && { listStatus }),
      ...(unnamedFrom ? { unnamedFrom } : form !== "" && { form }),
      ...(source && { source }),
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
      ...(answer.kind === "filter" && { answer: answer.filter }),
      ...(path !== "" && { path }),
      ...(campaign !== "" && { campaign }),
    },
    problems,
  };
}

/** A part of addresses, between two stars. */
const PART = /^\*([^*].*)\*$/s;

/** Returns the search term, undefined if `text` is empty, or an error message. */
function parseTerm(text: string): Term | string | undefined {
  if (text === "") return undefined;
  if (text.length > MAX_ADDRESS_LENGTH) return `An address has ${MAX_ADDRESS_LENGTH} characters at most.`;
  if (!text.isWellFormed()) return "Email addresses cannot contain these characters.";
  const lower = text.toLowerCase();
  if (lower.startsWith("@")) {
    const domain = normalizeEmail(`a${lower}`)?.slice(2);
    return domain === undefined ? "Enter a full domain such as @example.com." : { by: "domain", domain };
  }
  const part = PART.exec(lower)?.[1];
  if (part !== undefined) return { by: "part", part };
  const email = lower.endsWith("*") ? undefined : normalizeEmail(lower);
  return email === undefined ? { by: "prefix", prefix: lower.replace(/\*$/, "") } : { by: "address", email };
}
