import { listOptions } from "../parts/lists.ts";
import { formPath } from "../parts/form_path.ts";
import type { VNode } from "preact";
import type { TestedConnection } from "../../operations/doctor/doctor.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { PageProblems } from "./module_notices.tsx";
import { Preview } from "../parts/preview.tsx";
import { isSandbox, moduleOf } from "../../settings/store/provider.ts";
import type { View } from "../frame/view.ts";
import { Report } from "./provider/connection_report.tsx";
import { SettingsForm } from "./provider/steps.tsx";

interface StepProps {
  view: View<"provider" | "shop">;
  /** The step is the next one to do. Its button is the page's primary one. */
  current: boolean;
}

/** A few of the general settings. */
function General(
  { view, current, id, children }: StepProps & { id: string; children: VNode | VNode[] },
): VNode {
  const { settings } = view.app;
  return (
    <PostForm
      view={view}
      action="cfbe_save_general"
      tab="general"
      id={id}
      current={{ fields: settings.current().general }}
    >
      {children}
      <div class="buttons">
        <button type="submit" class={current ? "primary" : undefined}>Save changes</button>
      </div>
    </PostForm>
  );
}

export function ProviderStep({ view, current }: StepProps): VNode {
  const { settings } = view.app;
  const module = moduleOf(settings.current(), settings.providers);
  const { title } = module;
  if (isSandbox(settings.current())) {
    return (
      <>
        <p>
          The <strong>sandbox</strong>{" "}
          simulates a provider. Everything works, but emails stay in its inbox on this machine. Continue, and
          set up a real provider later.
        </p>
        <p>
          <a class="button" href={view.href("/provider")}>Choose a provider</a>
        </p>
      </>
    );
  }
  return (
    <>
      <p>
        cfbe delivers signups to <strong>{title}</strong>, which sends the confirmation email. The{" "}
        <a href={view.href("/provider")}>Provider</a> page lists all providers and what they cannot do.
      </p>
      <SettingsForm view={view} current={current} module={module} />
    </>
  );
}

export function ConnectionStep({ view, current }: StepProps): VNode {
  const report = view.done?.action === "cfbe_test_connection"
    ? view.done.data as TestedConnection
    : undefined;
  return (
    <>
      <p>Sends one request with the saved API key. Changes nothing at the provider.</p>
      {report && <Report report={report} />}
      <PostForm view={view} action="cfbe_test_connection" id="first-run-connection">
        <div class="buttons">
          <button type="submit" class={current && !report?.ok ? "primary" : undefined}>
            Test connection
          </button>
        </div>
      </PostForm>
    </>
  );
}

export function ListStep({ view, current, otherLists }: StepProps & { otherLists: boolean }): VNode {
  const { knownLists } = view.app.settings.current().general;
  const load = knownLists.length === 0 || otherLists;
  return (
    <>
      <p>
        The list that signups are added to. On a list with double opt-in, the provider asks everyone to
        confirm first.
      </p>
      {otherLists && <p>The known lists are those of another provider. Load those of this one.</p>}
      {!load && <PageProblems view={view} />}
      {!load && (
        <General view={view} current={current} id="first-run-list">
          <SelectField
            path="fields.defaultList"
            label="Default list"
            options={listOptions(view, "None (signups are rejected)")}
          />
        </General>
      )}
      <PostForm view={view} action="cfbe_load_lists" id="first-run-lists">
        <div class="buttons">
          <button type="submit" class={!load ? "quiet" : current ? "primary" : undefined}>
            {load ? "Load lists" : "Reload lists"}
          </button>
        </div>
      </PostForm>
    </>
  );
}

export function FormStep({ view, current }: StepProps): VNode {
  const { settings } = view.app;
  const [form] = settings.current().forms.forms;
  if (form) {
    return (
      <>
        <p>
          This is{" "}
          <strong>{form.name}</strong>, as visitors see it. Submissions in this preview are discarded. You can
          change its texts on the <a href={view.href(formPath(form.name))}>Forms</a>{" "}
          page at any time, with no need to update your pages.
        </p>
        <Preview view={view} form={{ name: form.name }} />
      </>
    );
  }
  return (
    <>
      <p>Name your first form. The name goes into your HTML; visitors never see it.</p>
      <PostForm
        view={view}
        action="cfbe_save_forms"
        tab="forms"
        id="first-run-form"
        current={{ fields: { forms: [{ name: "footer" }] } }}
      >
        <TextField
          path="fields.forms.0.name"
          label="Name"
          required
          autocomplete="off"
          spellcheck={false}
          help="Letters, digits, - and _. For example, where it appears: footer."
        />
        <div class="buttons">
          <button type="submit" class={current ? "primary" : undefined}>Create form</button>
        </div>
      </PostForm>
    </>
  );
}
