import type { VNode } from "preact";
import { z } from "zod";
import { at } from "../../server/admin/frame/ajax_body.ts";
import type { View } from "../../server/admin/frame/view.ts";
import { Card } from "../../server/admin/parts/card.tsx";
import { CopyField } from "../../server/admin/parts/copy_field.tsx";
import {
  AreaField,
  FileField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from "../../server/admin/parts/field.tsx";
import { FilterField } from "../../server/admin/parts/filter_field.tsx";
import { FormContext, type FormState, SaveBar } from "../../server/admin/parts/form.tsx";
import { AddOnce, ListEditor } from "../../server/admin/parts/list_editor.tsx";
import { MinuteField } from "../../server/admin/parts/minute_field.tsx";
import { OrInherited } from "../../server/admin/parts/or_inherited.tsx";
import { OwnValue } from "../../server/admin/parts/own_value.tsx";
import { ProviderFields } from "../../server/admin/parts/provider_fields.tsx";
import { SecretField } from "../../server/admin/parts/secret_field.tsx";

const VALUES: Record<string, unknown> = {
  text: "A value",
  number: 14,
  past: "2020-12-01T09:00",
  area: "Two\nlines",
  choice: "b",
  on: true,
  own: "A value of its own",
  ownText: "A text of its own",
};
const ROWS = [{ name: "footer" }, { name: "sidebar" }];
const OPTIONS = [{ value: "a", label: "First" }, { value: "b", label: "Second" }];

const NORMAL: FormState = {
  id: "normal",
  value: (path) => at({ ...VALUES, rows: ROWS }, path),
  savedNow: () => undefined,
  error: () => undefined,
  ownError: () => undefined,
  lockedBy: () => undefined,
  readOnly: false,
  isSent: false,
  edit: undefined,
};

const WRONG = "What is wrong, and what to do.";

/** What a field shows besides its value. */
const STATES: Record<string, FormState> = {
  "Normal": NORMAL,
  "Empty": { ...NORMAL, id: "empty", value: () => undefined },
  "Invalid": { ...NORMAL, id: "invalid", error: () => WRONG, ownError: () => WRONG },
  "Locked": { ...NORMAL, id: "locked", lockedBy: () => "CFBE_EXAMPLE" },
  "Read-only": { ...NORMAL, id: "read-only", readOnly: true },
  "Saved by someone else": { ...NORMAL, id: "conflict", savedNow: () => "Another value", isSent: true },
};

/** Every field in every state. The fields are in no form, so they send nothing. */
export function FieldStates({ view }: { view: View }): VNode {
  return (
    <>
      {Object.entries(STATES).map(([title, state]) => (
        <FormContext.Provider key={title} value={state}>
          <fieldset class="plain settings" disabled={state.readOnly}>
            <Card title={`Fields: ${title}`}>
              <PlainFields view={view} />
              <OwnValues />
              <SecretField path="secret" label="Secret" secret={SECRETS[title] ?? SECRET} />
              <ListEditor
                path="rows"
                legend="List"
                add="Add row"
                empty="No rows yet."
                ordered
                titleOf={({ name }) => String(name)}
                row={(at) => <TextField path={`${at}.name`} label="Name" />}
              />
              <div class="add-buttons">
                {[false, true].map((isAdded) => (
                  <AddOnce
                    key={isAdded}
                    id={`${state.id}-add-${isAdded}`}
                    isAdded={isAdded}
                    label="Row"
                    about="What it is for"
                    name="_add"
                    value="rows"
                  />
                ))}
              </div>
              {state === NORMAL && <NormalOnly />}
              {(state === NORMAL || state.isSent) && <SaveBar />}
            </Card>
          </fieldset>
        </FormContext.Provider>
      ))}
    </>
  );
}

const SECRET = "a secret with a certain length";
/** The stored secrets that are not the usual one. */
const SECRETS: Record<string, string> = { "Empty": "" };

function PlainFields({ view }: { view: View }): VNode {
  return (
    <>
      <TextField path="text" label="Text" help="Help says what happens, with an example." />
      <MinuteField view={view} path="past" label="Minute" over="This is in the past: it has an effect." />
      <NumberField path="number" label="Number" unit="days" />
      <AreaField path="area" label="Several lines" rows={2} />
      <SelectField path="choice" label="Choice" options={OPTIONS} />
      <FileField path="file" label="File" accept="image/*" most={1e6} tooLarge="The file is too large." />
      <SwitchField path="on" label="Switch" help="Help of a switch." />
    </>
  );
}

function OwnValues(): VNode {
  return (
    <>
      <OwnValue path="inherited" label="Inherited value" inherited="The default">
        <TextField path="inherited" label="Inherited value" />
      </OwnValue>
      <OwnValue
        path="inheritedLong"
        label="Long inherited value"
        inherited="A default that does not fit into one line on a phone"
      >
        <TextField path="inheritedLong" label="Long inherited value" />
      </OwnValue>
      <OrInherited label="Inherited while empty">
        <TextField path="emptyText" label="Inherited while empty" placeholder="The default" optional />
      </OrInherited>
      <OrInherited label="Typed over">
        <TextField path="ownText" label="Typed over" placeholder="The default" optional />
      </OrInherited>
      <OwnValue path="own" label="Own value" inherited="The default">
        <TextField path="own" label="Own value" />
      </OwnValue>
    </>
  );
}

const PROVIDER_FIELDS = {
  exampleProject: {
    schema: z.string().default(""),
    label: "Setting of a provider",
    help: "Says what to enter.",
    noun: "the project",
    word: "project",
    find: "Copy it from the project's page",
    findUrl: "https://provider.example/project",
    required: true,
  },
  exampleKey: {
    schema: z.string().default(""),
    label: "Secret of a provider",
    help: "Says what to enter.",
    noun: "the API key",
    word: "key",
    find: "Create it on the page of API keys",
    secret: true,
    required: true,
  },
} as const;

/** Parts that look the same in every state. */
function NormalOnly(): VNode {
  return (
    <>
      <ProviderFields fields={PROVIDER_FIELDS} values={{ exampleKey: SECRET }} />
      <CopyField
        id="parts-copy"
        label="Value to copy"
        help="Help says what it is for."
        value="https://news.example/admin/invitation#a-long-token-that-is-not-a-real-one"
      />
    </>
  );
}

/** The fields of a search form. */
export function FilterFields(): VNode {
  return (
    <Card title="Fields of a search form">
      <div class="filters">
        <FilterField id="parts-search" name="q" label="Text" value="ada" help="Help says what it finds." />
        <FilterField id="parts-choice" name="choice" label="Choice" value="b" options={OPTIONS} />
        <FilterField
          id="parts-groups"
          name="group"
          label="Choice in groups"
          value=""
          options={[{ group: "A group", options: OPTIONS }]}
        />
        <FilterField
          id="parts-day"
          name="from"
          label="Invalid"
          type="date"
          value=""
          problem="What is wrong, and what to do."
        />
      </div>
    </Card>
  );
}
