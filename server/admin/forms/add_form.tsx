import type { VNode } from "preact";
import { Card } from "../parts/card.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { inputId, PostForm, useForm } from "../parts/form.tsx";
import type { View } from "../frame/view.ts";
import { suggestedFormId } from "../frame/assets/suggested_name.js";
import { takenIds } from "./actions/new_form.ts";
import { KindChoice } from "./kind_choice.tsx";

/** The title of a new form, and the ID that is made from it. Scripts update it as people type. */
export function NewTitle({ view, suggested = "", titles }: {
  view: View;
  suggested?: string;
  /** What to suggest instead, by the value of the form's choice. */
  titles?: Readonly<Record<string, string>>;
}): VNode {
  const form = useForm();
  const taken = takenIds(view.app.settings.current());
  const title = String(form.value("title") ?? suggested);
  return (
    <div
      class="new-title"
      data-makes-id={taken.join(" ")}
      data-titles={titles && JSON.stringify(titles)}
    >
      <TextField
        path="title"
        label="Title"
        required
        autocomplete="off"
        maxLength={100}
        help="Only you and your team read it. You can change it later."
      />
      <p class="help">
        ID:{" "}
        <output for={inputId(form, "title")}>{title && <code>{suggestedFormId(title, taken)}</code>}</output>
        {" "}
        Made from the title. It is part of your HTML, so it stays.
      </p>
      <details open={form.error("name") !== undefined}>
        <summary>Choose the ID</summary>
        <TextField
          path="name"
          label="ID"
          optional
          autocomplete="off"
          spellcheck={false}
          help="Letters, digits, - and _ only. Leave empty to make it from the title."
        />
      </details>
    </div>
  );
}

/** The form to add an empty form, for those who may. */
export function AddForm({ view }: { view: View }): VNode | null {
  const action = "cfbe_add_form";
  if (!view.mayRun(action)) return null;
  return (
    <Card
      title="Empty form"
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
        <NewTitle view={view} />
        <input type="hidden" name="b:draft" value="true" />
        <KindChoice path="kind" />
        <div class="buttons">
          <button type="submit" class="primary">Create form</button>
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
