import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import {
  SEARCH_FIELDS,
  type SearchField,
  unnamedForm,
  unnamedSource,
} from "../../subscribers/search/parse_search.ts";
import { fieldNames } from "../../settings/forms/field_settings.ts";
import {
  ANSWER_OPERATORS,
  type AnswerFilter,
  type AnswerOperator,
} from "../../subscribers/search/answer_filter.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SubscriberQuery } from "../../subscribers/search/query.ts";
import { fieldTitle } from "./field_title.ts";
import type { Option } from "../parts/field.tsx";
import { FilterField } from "../parts/filter_field.tsx";
import type { View } from "../frame/view.ts";
import { SOURCE_KINDS } from "../../subscribers/search/source_kinds.ts";
import { sourceTitle } from "../parts/source_titles.ts";
import { LIST_STATUS_MEANINGS, STATUS_MEANINGS } from "./status_titles.ts";
import type { Search } from "./subscribers_links.ts";

const LABELS: Record<Exclude<SearchField, "q">, string> = {
  status: "Status",
  list_status: "List status",
  form: "Form",
  source: "Signup method",
  from: "Signed up from",
  until: "Signed up until",
  field: "Field",
  operator: "Comparison",
  answer: "Answer",
  path: "Page",
  campaign: "Campaign",
};

const OPERATOR_TITLES: Readonly<Record<AnswerOperator, string>> = {
  is: "is",
  contains: "contains",
  at_least: "is at least",
  at_most: "is at most",
  answered: "has an answer",
  unanswered: "has no answer",
};

/**
 * Returns what a filter means in plain words, such as `Status: pending, waiting for confirmation`.
 *
 * @param query what the filters search for; without those that are invalid
 */
export function filterText(
  { app }: View,
  field: SearchField,
  value: string,
  { term, answer }: SubscriberQuery,
): string {
  if (field === "field" && answer) return answerText(fieldTitle(app.settings.current(), value), answer);
  if (field !== "q") return `${LABELS[field]}: ${optionText(app.settings.current(), field, value)}`;
  switch (term?.by) {
    case "domain":
      return `Domain: ${term.domain}`;
    case "prefix":
      return `Email address starts with: ${term.prefix}`;
    case "part":
      return `Email address contains: ${term.part}`;
    default:
      return `Email address: ${value}`;
  }
}

/** Returns what the filter by an answer means, such as `Shirt size is l`. @param title label of the field */
function answerText(title: string, { operator, value }: AnswerFilter): string {
  return [title, OPERATOR_TITLES[operator], value].filter(Boolean).join(" ");
}

function optionText(settings: Settings, field: SearchField, value: string): string {
  if (field === "form") return sourceTitle(settings, unnamedSource(value) ?? value);
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
    <Field
      view={view}
      field={field}
      label={LABELS[field]}
      problem={problems[field]}
      options={options.map((value) => ({
        value,
        label: optionText(view.app.settings.current(), field, value),
      }))}
    />
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
          help="A full address, the start of one, a part such as *lovelace*, or a domain such as @example.com."
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
          <AnswerFields view={view} problems={problems} />
          <PageFields view={view} problems={problems} />
          <div class="buttons">
            <button type="submit">Apply filters</button>
          </div>
        </div>
      </details>
    </form>
  );
}

/** The filter by an answer to a form's field; nothing if no form has fields. */
function AnswerFields({ view, problems }: { view: View; problems: Problems }) {
  const settings = view.app.settings.current();
  const given = view.query.get("field") ?? "";
  const names = new Set([...fieldNames(settings), ...given === "" ? [] : [given]]);
  if (names.size === 0) return null;
  const titleOf = (name: string) => {
    const title = fieldTitle(settings, name);
    return title === name ? name : `${title} (${name})`;
  };
  return (
    <fieldset class="filters">
      <legend>Answer to a field</legend>
      <Field
        view={view}
        field="field"
        label={LABELS.field}
        options={[...names].map((name) => ({ value: name, label: titleOf(name) }))}
        problem={problems.field}
      />
      <Field
        view={view}
        field="operator"
        label={LABELS.operator}
        none={OPERATOR_TITLES.is}
        options={ANSWER_OPERATORS.filter((each) => each !== "is")
          .map((each) => ({ value: each, label: OPERATOR_TITLES[each] }))}
        problem={problems.operator}
      />
      <Field
        view={view}
        field="answer"
        label={LABELS.answer}
        problem={problems.answer}
        help="As stored: an option, a number, yes for a checkbox, a country's code such as DE, or a date such as 2000-07-14."
      />
    </fieldset>
  );
}

/** The filters by the page of the first signup. */
function PageFields({ view, problems }: { view: View; problems: Problems }) {
  return (
    <fieldset class="filters">
      <legend>Page of the first signup, if the form remembers it</legend>
      <Field
        view={view}
        field="path"
        label={LABELS.path}
        problem={problems.path}
        help="A path such as /about, or /blog/* for all below /blog/."
      />
      <Field
        view={view}
        field="campaign"
        label={LABELS.campaign}
        problem={problems.campaign}
        help="The page's utm_campaign."
      />
    </fieldset>
  );
}

function Field(
  { view, field, ...props }: {
    view: View;
    field: SearchField;
    label: string;
    type?: "search" | "date";
    /** Choices of a select; without them, the field is an input. */
    options?: readonly Option[];
    none?: string;
    help?: string | undefined;
    problem?: string | undefined;
  },
) {
  return (
    <FilterField
      id={`filter-${field}`}
      name={field}
      value={view.query.get(field) ?? ""}
      {...props}
    />
  );
}
