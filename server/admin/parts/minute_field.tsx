import type { VNode } from "preact";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { minuteStart } from "../../settings/schema/utc_offsets.ts";
import type { View } from "../frame/view.ts";
import { type FieldProps, TextField } from "./field.tsx";
import { useForm } from "./form.tsx";
import { Icon } from "./icons.tsx";

/**
 * A minute in the site's time zone.
 *
 * @param over says what a time in the past means; without it, such a time is as good as any
 */
export function MinuteField(
  { view, over, ...field }: FieldProps & { view: View; optional?: boolean; over?: string },
): VNode {
  const zone = siteZone(view.app.settings.current());
  const start = minuteStart(String(useForm().value(field.path) ?? ""), zone);
  const isOver = start !== undefined && start <= view.now;
  const note = over && ((id: string) => (
    <p class="past" id={id} data-past={zone} hidden={!isOver}>
      <Icon name="alert" />
      <span>
        {over} <span data-past-here="" />
      </span>
    </p>
  ));
  // With it, a year has four digits, and typing goes on with the hour.
  return <TextField type="datetime-local" max="9999-12-31T23:59" {...field} {...note && { note }} />;
}
