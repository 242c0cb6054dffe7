import type { VNode } from "preact";
import { type ConditionKind, DAYS, MAX_VALUE, UTM_TARGETS } from "../../../../shared/targeting.ts";
import { CONDITION_KINDS } from "../../../settings/schema/targeting_schema.ts";
import { useErrorSummary } from "../../parts/error_summary.tsx";
import { NumberField, type Option, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { inputId, useForm } from "../../parts/form.tsx";
import { ListEditor } from "../../parts/list_editor.tsx";
import {
  CONDITION_TITLES,
  DAY_TITLES,
  NUMBER_MATCH_TITLES,
  PARAMETER_MATCH_TITLES,
  TEXT_MATCH_TITLES,
  utmTitle,
} from "./condition_text.ts";

const optionsOf = (titles: Record<string, string>): Option[] =>
  Object.entries(titles).map(([value, label]) => ({ value, label }));
const TEXT_MATCHES = optionsOf(TEXT_MATCH_TITLES);
const PARAMETER_MATCHES = optionsOf(PARAMETER_MATCH_TITLES);
const NUMBER_MATCHES = optionsOf(NUMBER_MATCH_TITLES);
const UTM_OPTIONS = UTM_TARGETS.map((value) => ({ value, label: utmTitle(value) }));
const VISITORS = optionsOf({ new: "New", returning: "Returning" });

/** First values of a new condition. */
const FIRST_VALUES: Record<ConditionKind, Record<string, string>> = {
  path: { match: "starts", value: "/" },
  query: { name: "", match: "is", value: "" },
  utm: { name: "campaign", match: "is", value: "" },
  referrer: { value: "" },
  width: { match: "below", value: "768" },
  language: { value: "" },
  visitor: { value: "new" },
  pages: { match: "atLeast", value: "2" },
  time: { from: "00:00", to: "00:00" },
  cartTotal: { match: "atLeast", value: "" },
  cartItem: { match: "is", value: "" },
};
const NEW_CONDITIONS = CONDITION_KINDS.map((kind) => ({
  label: kind === "width" ? "Device (window width)" : CONDITION_TITLES[kind],
  values: { kind, ...FIRST_VALUES[kind] },
}));

/** Groups that begin with one condition, because an empty one can't be saved. */
const NEW_GROUPS = NEW_CONDITIONS.map(({ label, values }) => ({
  label,
  name: `Add group: ${label}`,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`conditions.0.${name}`, value])),
}));

const kindOf = (value: unknown): ConditionKind => CONDITION_KINDS.find((kind) => kind === value) ?? "path";

/** The groups of conditions under which a form shows. */
export function TargetingList({ path }: { path: string }): VNode {
  return (
    <ListEditor
      path={path}
      legend="Groups, of which at least one must hold"
      add={NEW_GROUPS}
      folded="Add group"
      empty="No groups: meant for everyone. To choose who sees it, begin with a condition:"
      titleOf={(_, index) => `group ${index + 1}`}
      row={(at, index) => (
        <ListEditor
          path={`${at}.conditions`}
          legend={`Group ${index + 1}: all conditions must hold`}
          add={NEW_CONDITIONS}
          folded="Add condition"
          empty="Choose the first condition:"
          titleOf={(condition) => CONDITION_TITLES[kindOf(condition["kind"])]}
          row={(at) => <ConditionFields at={at} />}
        />
      )}
    />
  );
}

function ConditionFields({ at }: { at: string }): VNode {
  const kind = kindOf(useForm().value(`${at}.kind`));
  return (
    <>
      <input type="hidden" name={`${at}.kind`} value={kind} />
      {kind === "time" ? <Time at={at} /> : <Comparison at={at} kind={kind} />}
      <SwitchField path={`${at}.not`} label="Must not match" />
    </>
  );
}

/** The texts of a condition: its label, its unit or help, and an example. */
const VALUES: Record<
  Exclude<ConditionKind, "time" | "visitor">,
  { label: string; help?: string; step?: "any" }
> = {
  path: { label: "Value", help: "For example /blog. * is any one segment, as in /*/blog." },
  query: { label: "Value", help: "Of this page's URL, not of an earlier page." },
  utm: {
    label: "Value",
    help:
      "For example spring. For visitors from any campaign, choose any UTM parameter and is set. Of the first page of the visit: the next pages in the same tab remember it, if the browser may store it.",
  },
  referrer: {
    label: "Host",
    help:
      "For example google.com, which includes its subdomains. The site that linked to the first page of the visit.",
  },
  width: { label: "Pixels", help: "Phones are narrower than 768 pixels, most tablets narrower than 1024." },
  language: { label: "Language of the browser", help: "For example de, which includes de-AT." },
  pages: { label: "Pages" },
  cartTotal: { label: "Amount", step: "any" },
  cartItem: { label: "ID or name" },
};

const VISITOR_HELP =
  "The visitor's browser remembers this, not cfbe. Returning: it has loaded a page with such a condition in an earlier session, which ends when its tab is closed. So everyone is new at first. In a private window, in another browser, without consent to storage, and after deleting the site's data, a visitor is new again.";

function Comparison({ at, kind }: { at: string; kind: Exclude<ConditionKind, "time"> }): VNode {
  const title = CONDITION_TITLES[kind];
  if (kind === "visitor") {
    return <SelectField path={`${at}.value`} label={title} options={VISITORS} help={VISITOR_HELP} />;
  }
  const { step, ...texts } = VALUES[kind];
  const isNumber = kind === "width" || kind === "pages" || kind === "cartTotal";
  const isParameter = kind === "query" || kind === "utm";
  const matches = isParameter ? PARAMETER_MATCHES : TEXT_MATCHES;
  return (
    <>
      {kind === "query" && <TextField path={`${at}.name`} label={title} required {...VALUE_INPUT} />}
      {kind === "utm" && <SelectField path={`${at}.name`} label={title} options={UTM_OPTIONS} />}
      {kind !== "referrer" && kind !== "language" && (
        <SelectField
          path={`${at}.match`}
          label={isParameter ? "Comparison" : title}
          options={isNumber ? NUMBER_MATCHES : matches}
        />
      )}
      {isNumber
        ? <NumberField path={`${at}.value`} {...texts} min={0} required {...(step && { step })} />
        // A value that is hidden must not keep the form from being sent.
        : <TextField path={`${at}.value`} {...texts} required={!isParameter} {...VALUE_INPUT} />}
    </>
  );
}

const VALUE_INPUT = {
  autocomplete: "off",
  autocapitalize: "none",
  spellcheck: false,
  maxLength: MAX_VALUE,
} as const;

function Time({ at }: { at: string }): VNode {
  return (
    <>
      <Days path={`${at}.days`} />
      <TextField path={`${at}.from`} label="From" help="For example 09:00." required {...VALUE_INPUT} />
      <TextField
        path={`${at}.to`}
        label="Until before"
        help="If not later than From, on the next day."
        required
        {...VALUE_INPUT}
      />
      <TextField
        path={`${at}.timeZone`}
        label="Time zone"
        help="For example Europe/Berlin. Leave empty for the site's time zone."
        optional
        {...VALUE_INPUT}
      />
    </>
  );
}

/** Days to check. A new condition has all of them. */
function Days({ path }: { path: string }): VNode {
  const form = useForm();
  const chosen = form.value(path) ?? DAYS;
  const isChosen = (day: string) => Array.isArray(chosen) && chosen.includes(day);
  const error = form.error(path);
  const id = inputId(form, path);
  useErrorSummary({ id, label: "Days", message: error });
  return (
    <fieldset class="weekdays" id={id} tabIndex={-1}>
      <legend>Days</legend>
      <input type="hidden" name={`a:${path}`} />
      {DAYS.map((day, index) => (
        <label key={day}>
          <input type="checkbox" name={`${path}.${index}`} value={day} checked={isChosen(day)} />{" "}
          {DAY_TITLES[day]}
        </label>
      ))}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}
