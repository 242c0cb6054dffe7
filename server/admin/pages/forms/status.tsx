import type { VNode } from "preact";
import type { Settings } from "../../../settings/schema.ts";
import { type FormState, stateOfForm } from "../../../settings/form_state.ts";
import { siteZone } from "../../../settings/time_zone.ts";
import { Card } from "../../parts/card.tsx";
import { type Option, SelectField, TextField } from "../../parts/field.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import type { View } from "../../view.ts";

type Scheduled = Pick<Settings["forms"]["forms"][number], "status" | "schedule">;

const STATES: Record<FormState, [Tone, string]> = {
  live: ["good", "Live"],
  draft: ["plain", "Draft"],
  paused: ["warn", "Paused"],
  scheduled: ["plain", "Scheduled"],
  ended: ["plain", "Ended"],
};

/** Whether pages show a form now. */
export function StateBadge({ view, form }: { view: View; form: Scheduled }): VNode {
  const [tone, text] = STATES[stateOfForm(form, view.now, siteZone(view.app.settings.current()))];
  return <Badge kind={tone}>{text}</Badge>;
}

const STATUS_OPTIONS: Option[] = [
  { value: "", label: "Live: pages show the form" },
  { value: "paused", label: "Paused: pages leave its place empty" },
  { value: "draft", label: "Draft: not shown yet" },
];

/** When pages show a named form. */
export function StatusCard({ view, form }: { view: View; form: Scheduled }): VNode {
  return (
    <Card
      title="Status"
      lead={
        <>
          Now: <StateBadge view={view} form={form} />{" "}
          Pages follow a change within a minute. Signups from pages that still show the form are accepted.
        </>
      }
    >
      <SelectField path="fields.status" label="Status" options={STATUS_OPTIONS} optional />
      <ScheduleFields view={view} />
      <p class="help">Not part of a draft.</p>
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
