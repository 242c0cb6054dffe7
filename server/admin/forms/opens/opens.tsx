import type { VNode } from "preact";
import { OPENING_KINDS, type OpeningKind } from "../../../../shared/opening_kinds.ts";
import type { FormSection } from "../../../settings/schema/form_member.ts";
import { opens } from "../../../settings/schema/opens_schema.ts";
import { type Option, SelectField } from "../../parts/field.tsx";
import { FormContext, useForm } from "../../parts/form.tsx";
import { hasOwn, Inherits, startingWith } from "../../parts/own_value.tsx";
import { CornerField } from "./opening_fields.tsx";

/** What each kind is called. */
export const OPENING_TITLES: Record<OpeningKind, string> = {
  popup: "Popup",
  "slide-in": "Slide-in",
  "bar-top": "Bar at the top",
  "bar-bottom": "Bar at the bottom",
};

const KIND_HELP: Record<OpeningKind, string> = {
  popup: "a dialog over the page",
  "slide-in": "a box in a lower corner",
  "bar-top": "over the top of the window",
  "bar-bottom": "over the bottom of the window",
};

const KIND_OPTIONS: Option[] = OPENING_KINDS.map((value) => ({
  value,
  label: `${OPENING_TITLES[value]}: ${KIND_HELP[value]}`,
}));

/** What a form begins with that becomes one that opens by itself. */
const FIRST = opens.parse({ kind: "slide-in" });

/** Whether and when a named form opens by itself. */
export function OpensEditor(
  { path, inside }: { path: string; inside(section: FormSection): VNode },
): VNode {
  const form = useForm();
  const isLocked = form.lockedBy(path) !== undefined;
  const mayChange = !form.readOnly && !isLocked;
  if (!hasOwn(form, path)) {
    return (
      <>
        {!isLocked && <Inherits path={path} />}
        <p>It shows only where a page has it.</p>
        {mayChange && (
          <div class="buttons">
            <button type="submit" name="_own" value={path} formnovalidate>Open by itself</button>
          </div>
        )}
      </>
    );
  }
  return (
    <FormContext.Provider value={startingWith(form, path, FIRST)}>
      <div class="opening">
        <SelectField
          path={`${path}.kind`}
          label="Opens as"
          options={KIND_OPTIONS}
          help="A bar has room for little more than the email address."
        />
        <div class="for-slide-ins">
          <CornerField at={path} />
        </div>
        <div class="for-popups">{inside("placement")}</div>
        <div>
          <h3>Trigger</h3>
          <p class="help">The form opens on whichever happens first, or immediately if none is set.</p>
        </div>
        {inside("trigger")}
        <h3>Who it opens for</h3>
        {inside("targeting")}
        <h3>Exclusions</h3>
        {inside("exclusions")}
        <p>
          <a href="#why">Why isn't it showing?</a>
        </p>
      </div>
      {mayChange && (
        <div class="buttons">
          <button type="submit" name="_inherit" value={path} formnovalidate>
            Show only where a page has it
          </button>
        </div>
      )}
    </FormContext.Provider>
  );
}
