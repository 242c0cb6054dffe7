import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import {
  SEARCH_FIELDS,
  type SearchField,
  unnamedForm,
  unnamedSource,
} from "../../subscribers/parse_search.ts";
import type { Term } from "../../subscribers/query.ts";
import { FilterField } from "../parts/filter_field.tsx";
import type { View } from "../view.ts";
import { SOURCE_KINDS } from "../../subscribers/source_kinds.ts";
import { sourceTitle } from "./source_titles.ts";
import { LIST_STATUS_MEANINGS, STATUS_MEANINGS } from "./status_titles.ts";
import type { Search } from "./subscribers_links.ts";

const LABELS: Record<Exclude<SearchField, "q">, string> = {
  status: "Status",
  list_status: "List status",
  form: "Form",
  source: "Signup method",
  from: "Signed up from",
  until: "Signed up until",
};

/**
 * Returns what a filter means in plain words, such as `Status: pending, waiting for confirmation`.
 *
 * @param term what `q` searches for; missing if it is invalid
 */
export function filterText(field: SearchField, value: string, term: Term | undefined): string {
  if (field !== "q") return `${LABELS[field]}: ${optionText(field, value)}`;
  switch (term?.by) {
    case "domain":
      return `Domain: ${term.domain}`;
    case "prefix":
      return `Email address starts with: ${term.prefix}`;
    default:
      return `Email address: ${value}`;
  }
}

function optionText(field: SearchField, value: string): string {
  if (field === "form") return sourceTitle(unnamedSource(value) ?? value);
  if (field === "source") return titleIn(SOURCE_KINDS, value) ?? value;
  const meanings: Record<string, string> = field === "status"
    ? STATUS_MEANINGS
    : field === "list_status"
    ? LIST_STATUS_MEANINGS
    : {};
  const meaning = titleIn(meanings, value);
  return meaning === undefined ? value : `${value}, ${meaning}`;
}

function titleIn(titles: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.hasOwn(titles, value) ? titles[value] : undefined;
}

type Problems = Partial<Record<SearchField, string>>;

/** The search form: the address first, the other filters folded until one is wrong. */
export function Filters(
  { view, params, zone, problems, primary }: {
    view: View;
    params: Search;
    zone: string;
    problems: Problems;
    /** Whether searching is the page's primary action. */
    primary: boolean;
  },
) {
  const named = view.app.settings.current().forms.forms.map(({ name }) => name);
  const forms = [...named, ...SIGNUP_SOURCES.map(unnamedForm)];
  const given = params.get("form") ?? "";
  const choice = (field: Exclude<SearchField, "q">, options: readonly string[]) => (
    <Field view={view} field={field} label={LABELS[field]} problem={problems[field]} options={options} />
  );
  const day = (field: "from" | "until", help?: string) => (
    <Field
      view={view}
      field={field}
      label={LABELS[field]}
      type="date"
      problem={problems[field]}
      help={help}
    />
  );
  return (
    <form method="post" action={view.href("/subscribers")} class="filters" role="search">
      <div class="line search">
        <Field
          view={view}
          field="q"
          label="Email address"
          problem={problems.q}
          help="A full address, the start of one, or a domain such as @example.com."
        />
        <button type="submit" class={primary ? "primary" : undefined}>Search</button>
      </div>
      <details class="more" open={SEARCH_FIELDS.some((field) => field !== "q" && problems[field])}>
        <summary>Filters</summary>
        <div class="filters">
          {choice("status", LOCAL_STATUSES)}
          {choice("list_status", LIST_STATUSES)}
          {choice("form", given === "" || forms.includes(given) ? forms : [...forms, given])}
          {choice("source", SIGNUP_SOURCES)}
          {day("from")}
          {day("until", `Dates are in ${zone} and inclusive.`)}
          <div class="buttons">
            <button type="submit">Apply filters</button>
          </div>
        </div>
      </details>
    </form>
  );
}

function Field(
  { view, field, options, ...props }: {
    view: View;
    field: SearchField;
    label: string;
    type?: "search" | "date";
    /** Choices of a select; without them, the field is an input. */
    options?: readonly string[];
    help?: string | undefined;
    problem?: string | undefined;
  },
) {
  return (
    <FilterField
      id={`filter-${field}`}
      name={field}
      value={view.query.get(field) ?? ""}
      options={options?.map((value) => ({ value, label: optionText(field, value) }))}
      {...props}
    />
  );
}
