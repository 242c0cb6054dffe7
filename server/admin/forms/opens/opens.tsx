import type { VNode } from "preact";
import { OPENING_KINDS, type OpeningKind } from "../../../../shared/opening_kinds.ts";
import { opens } from "../../../settings/schema/opens_schema.ts";
import { Card } from "../../parts/card.tsx";
import { type Option, SelectField } from "../../parts/field.tsx";
import { OwnValue } from "../../parts/own_value.tsx";
import type { View } from "../../frame/view.ts";
import { CornerField, ExclusionFields, TriggerFields, WidthField } from "./opening_fields.tsx";
import { TargetingList } from "./targeting.tsx";

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

const AT = "fields.opens";
/** What a form begins with that becomes one that opens by itself. */
const FIRST = opens.parse({ kind: "slide-in" });

/** Whether and when a named form opens by itself: part of the form that saves its other settings. */
export function Opens({ view }: { view: View }): VNode {
  return (
    <Card
      id="opens"
      title="Opens by itself"
      lead={
        <>
          The rules of the <a href={view.href("/popup")}>popup</a>{" "}
          apply as well: once per visit, never on cart, checkout and account pages, only one form at a time,
          and its quiet period.
        </>
      }
    >
      <OwnValue
        path={AT}
        label="Opens by itself"
        inherited={FIRST}
        shown="No: only where a page has it"
        words={{ own: "Open by itself", inherit: "Show only where a page has it" }}
      >
        <div class="opening">
          <SelectField
            path={`${AT}.kind`}
            label="Opens as"
            options={KIND_OPTIONS}
            help="A bar has room for little more than the email address."
          />
          <div class="for-slide-ins">
            <CornerField at={AT} />
          </div>
          <div class="for-popups">
            <WidthField at={AT} />
          </div>
          <div>
            <h3>Trigger</h3>
            <p class="help">The form opens on whichever happens first, or immediately if none is set.</p>
          </div>
          <TriggerFields at={AT} />
          <h3>Targeting</h3>
          <TargetingList path={`${AT}.targeting`} />
          <h3>Exclusions</h3>
          <ExclusionFields at={AT} it="The form" />
          <p>
            <a href="#why">Why isn't it showing?</a>
          </p>
        </div>
      </OwnValue>
    </Card>
  );
}
