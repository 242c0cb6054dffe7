import type { VNode } from "preact";
import { PAGE_VALUE_NAMES, type PageValueName } from "../../../../shared/page_values.ts";
import { PAGE_VALUE_LABELS } from "../../../signup/attribution/page_value_labels.ts";
import { TextField } from "../../parts/field.tsx";
import { useForm } from "../../parts/form.tsx";
import type { View } from "../../frame/view.ts";
import { propertyHelp } from "./property_help.ts";

const PATH = "fields.attributionFields";
const pathOf = (name: PageValueName) => `${PATH}.${name}`;

/** The names of the provider's fields for where a signup came from. Open if one of them is set or has an error. */
export function AttributionFields({ view }: { view: View }): VNode {
  const form = useForm();
  const { settings } = view.app;
  const open = form.error(PATH) !== undefined ||
    PAGE_VALUE_NAMES.some((name) => Boolean(form.value(pathOf(name))));
  return (
    <details open={open}>
      <summary>Store it at the provider, too</summary>
      <p class="help">
        To send a value with new signups, enter the name of the provider's field for it, such as utm_campaign.
        {" "}
        {propertyHelp(settings.current(), settings.providers)}{" "}
        Values without a name are not sent. Only forms that remember where a signup came from send any.
      </p>
      {PAGE_VALUE_NAMES.map((name) => (
        <TextField
          key={name}
          path={pathOf(name)}
          label={PAGE_VALUE_LABELS[name]}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      ))}
    </details>
  );
}
