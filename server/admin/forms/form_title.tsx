import type { VNode } from "preact";
import type { Settings } from "../../settings/schema/schema.ts";
import type { View } from "../frame/view.ts";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";

type Form = Settings["forms"]["forms"][number];

/** The ID of a form, and a button that changes its title. */
export function FormIdentity({ view, form: { name, title } }: { view: View; form: Form }): VNode {
  return (
    <div class="form-identity">
      ID <code>{name}</code>
      <Confirm
        view={view}
        id="form-title"
        button="Rename"
        danger={false}
        quiet
        title={`Rename ${title ?? name}?`}
        action="cfbe_set_form_title"
        match={{ form: name }}
        current={{ title: title ?? name }}
        yes="Rename"
        focus={false}
      >
        <TextField
          path="title"
          label="Title"
          autocomplete="off"
          maxLength={100}
          help="Only you and your team read it. The form’s ID, which your pages use, stays the same."
        />
      </Confirm>
    </div>
  );
}
