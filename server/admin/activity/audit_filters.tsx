import type { VNode } from "preact";
import { OTHER_ACTORS } from "../../platform/audit/actor_name.ts";
import { AUDIT_RESULTS } from "../../platform/audit/row.ts";
import { FilterField } from "../parts/filter_field.tsx";
import type { View } from "../frame/view.ts";
import { RESULT_TITLES } from "./audit_entry.tsx";
import { AUDIT_FIELDS, type AuditField, type ParsedAuditSearch } from "./audit_search.ts";
import { type AuditGroup, GROUP_TITLES } from "../frame/action.ts";
import type { AuditTitles } from "./audit_titles.ts";

interface FiltersProps {
  view: View;
  titles: AuditTitles;
  /** Time zone of the dates. */
  zone: string;
  /** Names of all users. */
  users: readonly string[];
  problems: ParsedAuditSearch["problems"];
}

const LABELS: Record<AuditField, string> = {
  whose: "Email address",
  user: "User",
  kind: "Action",
  result: "Result",
  from: "From",
  until: "To",
};

/** Returns what a filter means in plain words, such as `Action: Erase person`. */
export function auditFilterText({ filters }: AuditTitles, field: AuditField, value: string): string {
  const titles: Record<string, string> = field === "kind" ? filters : field === "result" ? RESULT_TITLES : {};
  return `${LABELS[field]}: ${Object.hasOwn(titles, value) ? titles[value] : value}`;
}

/** The search form of the audit log. It is sent by POST, so that no address appears in a URL. */
export function AuditFilters({ view, titles, zone, users, problems }: FiltersProps): VNode {
  const field = (name: AuditField) => ({
    id: `audit-${name}`,
    name,
    label: LABELS[name],
    value: view.query.get(name)?.trim() ?? "",
    problem: problems[name],
  });
  const user = field("user");
  const names = [...new Set([...users, ...Object.values(OTHER_ACTORS), user.value])].filter(Boolean);
  return (
    <form method="post" action={view.href("/audit")} class="filters" role="search">
      <div class="line search">
        <FilterField
          {...field("whose")}
          type="email"
          help="Finds entries about this person. The log stores only a hash of the address."
        />
        <button type="submit" class="primary">Search</button>
      </div>
      <details class="more" open={AUDIT_FIELDS.some((name) => name !== "whose" && problems[name])}>
        <summary>Filters</summary>
        <div class="filters">
          <FilterField {...user} options={names.map((value) => ({ value, label: value }))} />
          <FilterField {...field("kind")} options={kindOptions(titles)} />
          <FilterField
            {...field("result")}
            options={AUDIT_RESULTS.map((value) => ({ value, label: RESULT_TITLES[value] }))}
          />
          <FilterField {...field("from")} type="date" />
          <FilterField {...field("until")} type="date" help={`Dates are in ${zone} and inclusive.`} />
          <div class="buttons">
            <button type="submit">Apply filters</button>
          </div>
        </div>
      </details>
    </form>
  );
}

/** Returns every kind of entry, below a choice of its whole group. */
const kindOptions = ({ filters, kindsIn }: AuditTitles) =>
  (Object.keys(GROUP_TITLES) as AuditGroup[]).map((value) => ({
    group: GROUP_TITLES[value],
    options: [
      { value, label: `All: ${GROUP_TITLES[value]}` },
      ...kindsIn(value).map((kind) => ({ value: kind, label: filters[kind]! })),
    ],
  }));
