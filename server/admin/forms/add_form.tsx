import type { VNode } from "preact";
import { Card } from "../parts/card.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import type { View } from "../frame/view.ts";
import { KindChoice } from "./kind_choice.tsx";

/** The form to add a form, for those who may. */
export function AddForm({ view }: { view: View }): VNode | null {
  const action = "cfbe_add_form";
  if (!view.mayRun(action)) return null;
  return (
    <Card
      title="Add a form"
      lead={
        <>
          Starts as a draft with the default texts, fields and consent: no page shows it until you publish it.
          The <a href={view.href("/popup")}>popup</a> is there already.
        </>
      }
    >
      <PostForm
        view={view}
        action={action}
        tab="forms"
        partOf="forms"
        id="add-form"
        current={{ kind: "inline" }}
      >
        <TextField
          path="name"
          label="Name"
          required
          autocomplete="off"
          spellcheck={false}
          help="Used in your HTML, so it cannot be changed later. Letters, digits, - and _ only. For example, where the form appears: footer."
        />
        <input type="hidden" name="b:draft" value="true" />
        <KindChoice path="kind" />
        <div class="buttons">
          <button type="submit" class="primary">Add form</button>
        </div>
      </PostForm>
    </Card>
  );
}

/** The form to add a form from an exported file, for those who may. */
export function ImportForm({ view }: { view: View }): VNode | null {
  const action = "cfbe_import_form";
  if (!view.mayRun(action)) return null;
  return (
    <Card
      title="Import a form"
      lead="Adds a form that was exported here or in another installation, as a draft, with its images and an experiment that has not started."
    >
      <PostForm view={view} action={action} upload tab="forms" partOf="forms" id="import-form">
        <div class="field" data-needs-script="" hidden>
          <label for="import-file">File</label>
          <input id="import-file" type="file" accept=".json,application/json" data-read-into="document" />
        </div>
        <AreaField path="document" label="Exported form" help="The content of the exported file (JSON)." />
        <TextField
          path="name"
          label="Name"
          optional
          autocomplete="off"
          spellcheck={false}
          help="Leave empty to keep the name in the file."
        />
        <div class="buttons">
          <button type="submit">Import form</button>
        </div>
      </PostForm>
    </Card>
  );
}
