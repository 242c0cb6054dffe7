import type { VNode } from "preact";
import { Card } from "../parts/card.tsx";
import { CopyField } from "../parts/copy_field.tsx";
import { AreaField, FileField, NumberField, SelectField, SwitchField, TextField } from "../parts/field.tsx";
import { FilterField } from "../parts/filter_field.tsx";
import { FormContext, type FormState, SaveBar } from "../parts/form.tsx";
import { ListEditor } from "../parts/list_editor.tsx";
import { OwnValue } from "../parts/own_value.tsx";
import { SecretField } from "../parts/secret_field.tsx";

const VALUES: Record<string, unknown> = {
  text: "A value",
  number: 14,
  area: "Two\nlines",
  choice: "b",
  on: true,
};
const OPTIONS = [{ value: "a", label: "First" }, { value: "b", label: "Second" }];

const NORMAL: FormState = {
  id: "normal",
  value: (path) => path.startsWith("rows") ? path === "rows" ? [{ name: "footer" }] : "footer" : VALUES[path],
  savedNow: () => undefined,
  error: () => undefined,
  ownError: () => undefined,
  lockedBy: () => undefined,
  readOnly: false,
  isSent: false,
  edit: undefined,
};

/** What a field shows besides its value. */
const STATES: Record<string, FormState> = {
  "Normal": NORMAL,
  "Invalid": { ...NORMAL, id: "invalid", error: () => "What is wrong, and what to do." },
  "Locked": { ...NORMAL, id: "locked", lockedBy: () => "CFBE_EXAMPLE" },
  "Saved by someone else": { ...NORMAL, id: "conflict", savedNow: () => "Another value" },
};

/** Every field in every state. The fields are in no form, so they send nothing. */
export function FieldStates(): VNode {
  return (
    <>
      {Object.entries(STATES).map(([title, state]) => (
        <FormContext.Provider key={title} value={state}>
          <div class="settings">
            <Card title={`Fields: ${title}`}>
              <TextField path="text" label="Text" help="Help says what happens, with an example." />
              <NumberField path="number" label="Number" unit="days" />
              <AreaField path="area" label="Several lines" rows={2} />
              <SelectField path="choice" label="Choice" options={OPTIONS} />
              <FileField path="file" label="File" accept="image/*" />
              <SwitchField path="on" label="Switch" help="Help of a switch." />
              {state === NORMAL && (
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
                  <OwnValue path="text" label="Own value" inherited="The default">
                    <TextField path="text" label="Own value" />
                  </OwnValue>
                  <SecretField path="secret" label="Secret" secret="a secret with a certain length" />
                  <CopyField
                    id="parts-copy"
                    label="Value to copy"
                    help="Help says what it is for."
                    value="https://news.example/admin/invitation#a-long-token-that-is-not-a-real-one"
                  />
                  <ListEditor
                    path="rows"
                    legend="List"
                    add="Add row"
                    empty="No rows yet."
                    titleOf={() => "footer"}
                    row={(at) => <TextField path={`${at}.name`} label="Name" />}
                  />
                  <SaveBar />
                </>
              )}
            </Card>
          </div>
        </FormContext.Provider>
      ))}
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
    </>
  );
}
