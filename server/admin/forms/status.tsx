import type { VNode } from "preact";
import { type SiteForm } from "../../settings/forms/all_forms.ts";
import type { FormDraft } from "../../settings/forms/form_drafts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type FormState, stateOfForm } from "../../settings/forms/form_state.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { Card } from "../parts/card.tsx";
import { minuteText } from "../frame/dates.ts";
import { type Option, SelectField, TextField } from "../parts/field.tsx";
import { Badge, type Tone } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";
import { shownAs, shownStateOf, stateText } from "./form_state_text.ts";

type Scheduled = Pick<Settings["forms"]["forms"][number], "status" | "schedule">;

const STATES: Record<FormState, [Tone, string]> = {
  live: ["good", "Live"],
  draft: ["plain", "Draft"],
  paused: ["warn", "Paused"],
  scheduled: ["plain", "Scheduled"],
  ended: ["plain", "Ended"],
};

/** Returns whether pages show a form now, and why not. */
export const stateNow = (view: View, form: Scheduled): FormState =>
  stateOfForm(form, view.now, siteZone(view.app.settings.current()));

/** Whether pages show a form now. */
function StateBadge({ view, form }: { view: View; form: Scheduled }): VNode {
  const [tone, text] = STATES[stateNow(view, form)];
  return <Badge kind={tone}>{text}</Badge>;
}

/** Returns when the state of a form changes by its schedule, or has changed; undefined if it has none that applies. */
function timeOfState(view: View, form: Scheduled): string | undefined {
  const { from, until } = form.schedule ?? {};
  switch (stateNow(view, form)) {
    case "live":
      return until && `until ${minuteText(until)}`;
    case "scheduled":
      return from && `from ${minuteText(from)}${until ? ` until ${minuteText(until)}` : ""}`;
    case "ended":
      return until && `on ${minuteText(until)}`;
    default:
      return undefined;
  }
}

/** Whether pages show a form now, and when that changes. */
export function StateNow({ view, form }: { view: View; form: Scheduled }): VNode {
  const time = timeOfState(view, form);
  return (
    <>
      <StateBadge view={view} form={form} /> {time && <span class="state-time">{time}</span>}
    </>
  );
}

/** Says at the top of a form's page whether pages show it. */
export function StateLine({ view, form, draft, changeable = false }: {
  view: View;
  form: SiteForm;
  draft: FormDraft | undefined;
  /** Whether the page has the card with the status. */
  changeable?: boolean;
}): VNode {
  const time = timeOfState(view, form);
  return (
    <p class="form-state">
      <StateBadge view={view} form={form} /> {time && `${time} (${siteZone(view.app.settings.current())}).`}
      {" "}
      {stateSentence(view, form, draft)} {changeable && <a href="#status">Status</a>}
    </p>
  );
}

/** Returns a sentence about what visitors see of a form now. */
export const stateSentence = (
  view: View,
  form: SiteForm,
  draft: FormDraft | undefined,
): string =>
  stateText(
    shownAs(form),
    shownStateOf(view.app.settings.current(), form, view.now),
    draft !== undefined,
  );

const STATUS_OPTIONS: Option[] = [
  { value: "", label: "Live: pages show the form" },
  { value: "paused", label: "Paused: pages leave its place empty" },
];

/** When pages show a named form. */
export function StatusCard({ view, form }: { view: View; form: Scheduled }): VNode {
  return (
    <Card
      id="status"
      title="Status"
      lead={
        <>
          Now: <StateNow view={view} form={form} />{" "}
          Pages follow a change within a minute. Signups from pages that still show the form are accepted.
        </>
      }
    >
      {form.status === "draft"
        ? <p class="help">To show the form on your pages, select “Publish” below.</p>
        : <SelectField path="fields.status" label="Status" options={STATUS_OPTIONS} optional />}
      <ScheduleFields view={view} />
      <p class="help">
        {form.status === "draft"
          ? "“Publish” saves the schedule, “Save draft” does not."
          : "Not part of a draft."}
      </p>
    </Card>
  );
}

/** The first and last minute of a schedule. */
export function ScheduleFields({ view }: { view: View }): VNode {
  const zone = siteZone(view.app.settings.current());
  return (
    <>
      <TextField
        path="fields.schedule.from"
        label="Show from"
        type="datetime-local"
        optional
        help={`Time zone: ${zone}. Leave empty to start at once.`}
      />
      <TextField
        path="fields.schedule.until"
        label="Show until"
        type="datetime-local"
        optional
        help="Leave empty for no end."
      />
    </>
  );
}
