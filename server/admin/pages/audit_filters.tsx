import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";
import { OTHER_ACTORS } from "../../audit/actor_name.ts";
import { AUDIT_RESULTS } from "../../audit/row.ts";
import type { View } from "../view.ts";
import { RESULT_TITLES } from "./audit_entry.tsx";
import { AUDIT_FIELDS, type AuditField, type ParsedAuditSearch } from "./audit_search.ts";
import { AUDIT_KINDS, type AuditGroup, GROUP_TITLES, kindsIn } from "./audit_titles.ts";

interface FiltersProps {
  view: View;
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
export function auditFilterText(field: AuditField, value: string): string {
  const titles: Record<string, string> = field === "kind"
    ? { ...GROUP_TITLES, ...titlesOfKinds }
    : field === "result"
    ? RESULT_TITLES
    : {};
  return `${LABELS[field]}: ${Object.hasOwn(titles, value) ? titles[value] : value}`;
}

const titlesOfKinds = Object.fromEntries(
  Object.entries(AUDIT_KINDS).map(([kind, { title }]) => [kind, title]),
);

/** The search form of the audit log. It is sent by POST, so that no address appears in a URL. */
export function AuditFilters({ view, zone, users, problems }: FiltersProps): VNode {
  const valueOf = (field: AuditField) => view.query.get(field)?.trim() ?? "";
  const base = { valueOf, problems };
  const names = [...new Set([...users, ...Object.values(OTHER_ACTORS), valueOf("user")])].filter(Boolean);
  return (
    <form method="post" action={view.href("/audit")} class="filters" role="search">
      <div class="line search">
        <Input
          {...base}
          field="whose"
          type="email"
          help="Finds entries about this person. The log stores only a hash of the address."
        />
        <button type="submit" class="primary">Search</button>
      </div>
      <details class="more" open={AUDIT_FIELDS.some((field) => field !== "whose" && problems[field])}>
        <summary>Filters</summary>
        <div class="filters">
          <Select {...base} field="user">
            {names.map((name) => <Choice key={name} value={name} chosen={valueOf("user")} />)}
          </Select>
          <Select {...base} field="kind">
            {(Object.keys(GROUP_TITLES) as AuditGroup[]).map((group) => (
              <optgroup key={group} label={GROUP_TITLES[group]}>
                <Choice value={group} chosen={valueOf("kind")}>All: {GROUP_TITLES[group]}</Choice>
                {kindsIn(group).map((kind) => (
                  <Choice key={kind} value={kind} chosen={valueOf("kind")}>{AUDIT_KINDS[kind]!.title}</Choice>
                ))}
              </optgroup>
            ))}
          </Select>
          <Select {...base} field="result">
            {AUDIT_RESULTS.map((result) => (
              <Choice key={result} value={result} chosen={valueOf("result")}>{RESULT_TITLES[result]}</Choice>
            ))}
          </Select>
          <Input {...base} field="from" type="date" />
          <Input {...base} field="until" type="date" help={`Dates are in ${zone} and inclusive.`} />
          <div class="buttons">
            <button type="submit">Apply filters</button>
          </div>
        </div>
      </details>
    </form>
  );
}

interface FilterProps {
  field: AuditField;
  help?: string;
  valueOf: (field: AuditField) => string;
  problems: ParsedAuditSearch["problems"];
}

function Filter({ field, help, problems, children }: FilterProps & { children: ComponentChildren }) {
  const id = `audit-${field}`;
  return (
    <div class={field === "whose" ? "field q" : "field"}>
      <label for={id}>{LABELS[field]}</label>
      {children}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {problems[field] && <p class="error" id={`${id}-error`}>{problems[field]}</p>}
    </div>
  );
}

function attributesOf({ field, help, problems }: FilterProps) {
  const id = `audit-${field}`;
  const notes = [help && `${id}-help`, problems[field] && `${id}-error`].filter(Boolean).join(" ");
  return {
    id,
    name: field,
    "aria-describedby": notes || undefined,
    "aria-invalid": problems[field] ? "true" as const : undefined,
  };
}

function Input({ type, ...props }: FilterProps & { type: "email" | "date" }) {
  const value = props.valueOf(props.field);
  const rest = { ...attributesOf(props), type, value, autocomplete: "off" };
  return (
    <Filter {...props}>
      <input {...rest as InputHTMLAttributes} />
    </Filter>
  );
}

function Select({ children, ...props }: FilterProps & { children: ComponentChildren }) {
  return (
    <Filter {...props}>
      <select {...attributesOf(props)}>
        <option value="">Any</option>
        {children}
      </select>
    </Filter>
  );
}

function Choice(
  { value, chosen, children = value }: { value: string; chosen: string; children?: ComponentChildren },
) {
  return <option value={value} selected={value === chosen}>{children}</option>;
}
