import type { VNode } from "preact";
import {
  CHARACTER_SETS,
  FIELD_KIND_NAMES,
  type FieldKind,
  HIDDEN_SOURCES,
  traitsOf,
} from "../../../../shared/fields/kinds.ts";
import { TEXT_MAX_CHARACTERS } from "../../../../shared/fields/validate.ts";
import { type FormId, isDefaultForm } from "../../../settings/forms/form_settings.ts";
import { FIRST_TEXTS } from "../../../settings/schema/first_texts.ts";
import {
  AreaField,
  NumberField,
  type Option,
  SelectField,
  SwitchField,
  TextField,
} from "../../parts/field.tsx";
import { inputId, useForm } from "../../parts/form.tsx";
import { suggestedName } from "../../frame/assets/suggested_name.js";
import { Icon } from "../../parts/icons.tsx";
import { AddOnce, ListEditor } from "../../parts/list_editor.tsx";
import type { View } from "../../frame/view.ts";
import { propertyHelp } from "./property_help.ts";

const CHARACTER_TITLES: Record<(typeof CHARACTER_SETS)[number], string> = {
  any: "Any",
  letters: "Letters",
  digits: "Digits",
  lettersAndDigits: "Letters and digits",
};
const CHARACTER_OPTIONS: Option[] = CHARACTER_SETS.map((value) => ({
  value,
  label: CHARACTER_TITLES[value],
}));

const SOURCE_TITLES: Record<(typeof HIDDEN_SOURCES)[number], string> = {
  query: "A parameter in the page's URL",
  attribute: "A data attribute of the form",
  referrer: "The site that linked to the page",
};
const SOURCE_OPTIONS: Option[] = HIDDEN_SOURCES.map((value) => ({ value, label: SOURCE_TITLES[value] }));

/** Names that most sites would choose, so that forms share them. */
const SUGGESTED_NAMES: Partial<Record<FieldKind, string>> = {
  firstName: "first_name",
  lastName: "last_name",
  phone: "phone",
  country: "country",
};

/** What each asks visitors for. */
const ABOUT: Record<FieldKind | "birthday", string> = {
  firstName: "A field of its own, to greet people by it",
  lastName: "A field of its own, for the family name",
  text: "A short answer, such as a city",
  number: "A number, such as a team’s size",
  date: "A day, such as that of an event",
  birthday: "Day and month, for birthday offers",
  phone: "A phone number",
  country: "A country, in the visitor’s language",
  select: "One of many choices, in a list",
  radio: "One of a few choices, all in view",
  multiSelect: "Any of several choices",
  checkbox: "A yes or no, such as “I am a customer”",
  consent: "One more agreement, stored as proof",
  hidden: "Asks nothing: a value from the page",
};

const EVERY_FIELD = FIELD_KIND_NAMES.flatMap((kind) => {
  const { title } = traitsOf(kind);
  const name = SUGGESTED_NAMES[kind] ?? "";
  const values = { kind, name, characters: "any", from: "query", ...firstTexts(kind) };
  const label = FIRST_TEXTS.birthday["en"]!;
  const birthday = { ...values, name: "birthday", label, "b:withoutYear": "true" };
  return [
    {
      label: kind === "consent" ? "Another consent" : title,
      values,
      about: ABOUT[kind],
      once: name !== "",
    },
    ...(kind === "date" ? [{ label, values: birthday, about: ABOUT.birthday, once: true }] : []),
  ];
});

const COMPLETE = EVERY_FIELD.filter(({ once }) => once);
const TO_COMPLETE = EVERY_FIELD.filter(({ once }) => !once);

/** Returns texts with which a new field can be shown at once. A consent is stored as proof, so the site has to word it. */
function firstTexts(kind: FieldKind): Record<string, string> {
  const { title, label, hasOptions } = traitsOf(kind);
  if (label || kind === "consent" || kind === "hidden") return {};
  return { label: title, ...hasOptions && { options: "First choice\nSecond choice" } };
}

const kindOf = (value: unknown): FieldKind => FIELD_KIND_NAMES.find((kind) => kind === value) ?? "text";

/**
 * Returns a title such as `Company (Text)`, `First name` for a field with the built-in label and the usual name, or `Date field`
 * for one that is named after its kind, or not at all.
 */
export function titleOf(field: { kind?: unknown; label?: unknown; name?: unknown }): string {
  const kind = kindOf(field.kind);
  const { title, label } = traitsOf(kind);
  const name = String(field.label || field.name || "");
  if (!["", title, SUGGESTED_NAMES[kind]].includes(name)) return `${name} (${title})`;
  return label ? title : `${title} field`;
}

/**
 * The fields that a form has in addition to the email address, name, interests and consent, in order. Where the form has an
 * order of all its fields, only that is changed.
 */
export function FieldList({ view, id, path }: { view: View; id: FormId; path: string }): VNode {
  const { settings } = view.app;
  const { form } = settings.current();
  const order = useForm().value("fields.order") ?? form.order;
  const atProvider = propertyHelp(settings.current(), settings.providers);
  return (
    <ListEditor
      path={path}
      legend="More fields"
      ordered={!Array.isArray(order) || order.length === 0}
      add={isDefaultForm(id) ? [...COMPLETE, ...TO_COMPLETE] : [
        <div key="name" data-follows="adds-name">
          <AddName nameField={form.nameField} />
        </div>,
        ...COMPLETE,
        <div key="consent" data-follows="adds-consent">
          <AddConsent consent={form.consent} />
        </div>,
        ...TO_COMPLETE,
      ]}
      empty="No fields added yet. Each one costs some signups, so ask only for what you use. Add a field:"
      titleOf={titleOf}
      row={(at, index) => <FieldRow list={path} at={at} index={index} atProvider={atProvider} />}
    />
  );
}

/** Adds the field for the whole name, which is an element of every form, from the list in which people look for it. */
function AddName({ nameField }: { nameField: string }): VNode {
  const form = useForm();
  const path = "fields.nameField";
  return (
    <AddOnce
      id={`${inputId(form, path)}-add`}
      isAdded={(form.value(path) ?? nameField) !== "hidden"}
      label="Name"
      about="First and last name in one field"
      name="_fill"
      value={`${path}=optional`}
    />
  );
}

/** Leads to the consent of the form. The script gives it one at once, with a text that is selected for typing over. */
function AddConsent({ consent }: { consent: string }): VNode {
  const isAdded = (useForm().value("fields.consent") ?? consent) !== "off";
  return (
    <a
      class="button add"
      href="#consent"
      data-select="consent"
      data-adds-text={isAdded ? undefined : ""}
      aria-label={isAdded ? "Consent added" : "Add Consent"}
      aria-description="A checkbox with a text, stored as proof"
    >
      <Icon name={isAdded ? "check" : "plus"} /> <span>Consent {isAdded && <small>added</small>}</span>
    </a>
  );
}

/** One field, folded unless it has an error, or is new and has to be worded. */
function FieldRow(
  { list, at, index, atProvider }: { list: string; at: string; index: number; atProvider: string },
): VNode {
  const form = useForm();
  const rows = form.value(list) as Record<string, unknown>[];
  const isComplete = COMPLETE.some(({ values }) => values.name === rows[index]?.["name"]);
  const isNew = form.edit?.kind === "add" && form.edit.path.startsWith(`${list}?`) &&
    index === rows.length - 1 && !isComplete;
  const kind = kindOf(form.value(`${at}.kind`));
  const { control, hasOptions, limits, label } = traitsOf(kind);
  const isHidden = control === "hidden";
  return (
    <details class="field-row" open={isNew || form.error(at) !== undefined}>
      <summary>{titleOf(rows[index] ?? {})}</summary>
      <input type="hidden" name={`${at}.kind`} value={kind} />
      {kind === "consent"
        ? (
          <AreaField
            path={`${at}.label`}
            label="Consent text"
            rows={2}
            help={
              <>
                Stored with every signup as proof. To add a link: <code>[terms](https://…)</code>.
              </>
            }
          />
        )
        : (
          <TextField
            path={`${at}.label`}
            label="Label"
            help={label && "Leave empty for the built-in label, which is translated."}
          />
        )}
      <TextField
        path={`${at}.name`}
        label="Field name"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        namedAfter={`${at}.label`}
        suggested={suggestedName(
          String(form.value(`${at}.label`) ?? ""),
          rows.flatMap(({ name }) => name ? [String(name)] : []),
        )}
        help="For exports and your own markup. Lower-case letters, digits and _, such as job_title."
      />
      {!isHidden && <TextField path={`${at}.help`} label="Help text" />}
      {!isHidden && <SwitchField path={`${at}.required`} label="Required" />}
      {hasOptions && <AreaField path={`${at}.options`} label="Options" list help="One per line." />}
      {limits && <Limits at={at} limits={limits} />}
      {control === "text" && (
        <SelectField path={`${at}.characters`} label="Allowed characters" options={CHARACTER_OPTIONS} />
      )}
      {kind === "date" && (
        <SwitchField
          path={`${at}.withoutYear`}
          label="Without the year"
          help="For birthdays: month and day."
        />
      )}
      {isHidden && <HiddenSource at={at} />}
      <TextField
        path={`${at}.provider`}
        label="Field at the provider"
        autocomplete="off"
        spellcheck={false}
        help={`${atProvider} Leave empty to use the field name.`}
      />
    </details>
  );
}

function Limits({ at, limits }: { at: string; limits: "characters" | "value" }): VNode {
  const ofText = limits === "characters";
  const range = ofText ? { min: 0, max: TEXT_MAX_CHARACTERS, step: 1 } : { step: "any" as const };
  return (
    <>
      <NumberField path={`${at}.min`} label={ofText ? "Fewest characters" : "Lowest number"} {...range} />
      <NumberField path={`${at}.max`} label={ofText ? "Most characters" : "Highest number"} {...range} />
    </>
  );
}

function HiddenSource({ at }: { at: string }): VNode {
  return (
    <>
      <SelectField path={`${at}.from`} label="Value" options={SOURCE_OPTIONS} />
      <TextField
        path={`${at}.key`}
        label="Name of the parameter or attribute"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        help={
          <>
            For example <code>utm_campaign</code> for a parameter, or <code>plan</code> for{" "}
            <code>data-plan</code>. Not needed for the linking site.
          </>
        }
      />
    </>
  );
}
