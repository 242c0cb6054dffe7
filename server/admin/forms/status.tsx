import type { VNode } from "preact";
import { formOf, POPUP, type SiteForm } from "../../settings/forms/all_forms.ts";
import { isUnpublished } from "../../settings/forms/drafted_form.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import type { FormDraft } from "../../settings/forms/form_drafts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type FormState, stateOfForm } from "../../settings/forms/form_state.ts";
import { FORM_MEMBERS } from "../../settings/schema/form_members.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { minuteText } from "../frame/dates.ts";
import { type Option, SelectField } from "../parts/field.tsx";
import { MinuteField } from "../parts/minute_field.tsx";
import { Badge, type Tone } from "../parts/notice.tsx";
import type { View } from "../frame/view.ts";
import { shownAs, shownStateOf, stateOncePublished, stateText } from "./form_state_text.ts";

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

/** Returns when the state of a form changes by its schedule, or has changed; empty if it has none that applies. */
function timesOfState(view: View, form: Scheduled): string[] {
  const { from, until } = form.schedule ?? {};
  const at = (word: string, minute: string | undefined) => minute ? [`${word} ${minuteText(minute)}`] : [];
  switch (stateNow(view, form)) {
    case "live":
      return at("until", until);
    case "scheduled":
      return [...at("from", from), ...at("until", until)];
    case "ended":
      return at("on", until);
    default:
      return [];
  }
}

/** Whether pages show a form now, and when that changes. */
export function StateNow({ view, form }: { view: View; form: Scheduled }): VNode {
  return (
    <>
      <StateBadge view={view} form={form} />
      {timesOfState(view, form).map((time) => (
        <>
          {" "}
          <span class="state-time">{time}</span>
        </>
      ))}
    </>
  );
}

/** Says at the top of a form's page whether pages show it. */
export function StateLine({ view, form, draft, steps }: {
  view: View;
  form: SiteForm;
  draft: FormDraft | undefined;
  /** URL of the page with the cards with the status and the snippet: empty on that page. */
  steps: string;
}): VNode {
  const time = timesOfState(view, form).join(" ");
  return (
    <p class="form-state">
      <StateBadge view={view} form={form} /> {time && `${time} (${siteZone(view.app.settings.current())}).`}
      {" "}
      {stateSentence(view, form, draft)} <a href={`${steps}#status`}>Status</a>{" "}
      <a href={`${steps}#embed`}>Snippet</a>
    </p>
  );
}

/** Returns a sentence about what visitors see of a form now. */
export function stateSentence(
  { app: { settings }, now }: View,
  form: SiteForm,
  draft: FormDraft | undefined,
): string {
  const id = { name: "name" in form ? form.name : POPUP };
  return stateText(
    shownAs(form),
    shownStateOf(settings.current(), form, now),
    draft && stateOncePublished(settings, id, draft, now),
  );
}

const STATUS_OPTIONS: Option[] = [
  { value: "", label: "Live: pages show the form" },
  { value: "paused", label: "Paused: pages leave its place empty" },
];

/** Whether pages show a named form. A draft becomes live by publishing it. */
export function StatusField({ view, id, path }: { view: View; id: FormId; path: string }): VNode {
  return isUnpublished(formOf(view.app.settings.current(), id.name)!)
    ? <p class="help">To show the form on your pages, select “Publish” above.</p>
    : <SelectField path={path} label="Status" options={STATUS_OPTIONS} optional />;
}

/** The first and last minute of a schedule. */
export function ScheduleFields({ view, path }: { view: View; path: string }): VNode {
  const zone = siteZone(view.app.settings.current());
  return (
    <>
      <MinuteField
        view={view}
        path={`${path}.from`}
        label="Show from"
        optional
        help={`Time zone: ${zone}. Leave empty to start at once.`}
      />
      <MinuteField
        view={view}
        path={`${path}.until`}
        label="Show until"
        optional
        over="This is in the past: no page shows the form."
        help="Leave empty for no end."
      />
    </>
  );
}

/**
 * The minute that a form counts down to.
 *
 * @param hasEmpty whether an empty field is a value, and not the default
 */
export function CountdownField(
  { view, path, hasEmpty }: { view: View; path: string; hasEmpty?: true },
): VNode {
  const zone = siteZone(view.app.settings.current());
  return (
    <MinuteField
      view={view}
      path={path}
      label={FORM_MEMBERS.countdown.label}
      optional={!hasEmpty}
      over="This is in the past: visitors see the text afterwards, or nothing."
      help={`Time zone: ${zone}. Leave empty for no countdown. Visitors without JavaScript see the date.`}
    />
  );
}
