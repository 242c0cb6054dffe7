import type { VNode } from "preact";
import type { FormDraft } from "../../settings/forms/form_drafts.ts";
import { readFormDraft } from "../../settings/forms/form_drafts.ts";
import { formInSentence, formTitle } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { definePage } from "../frame/page.ts";
import { REMOVE_QUESTION } from "../parts/form_path.ts";
import { isUnpublished } from "../../settings/forms/drafted_form.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { withDraft } from "./drafts/draft.tsx";
import { Editor, EDITOR_SERVICES } from "./editor/editor.tsx";
import { Embed } from "./embed.tsx";
import { NoSuchForm } from "./form_frame.tsx";
import { FormIdentity } from "./form_title.tsx";
import { stateNow } from "./status.tsx";

type Form = Settings["forms"]["forms"][number];

/** Returns the form that the page's URL names. */
function formOf(view: View): Form | undefined {
  const name = view.query.get("form");
  return view.app.settings.current().forms.forms.find((form) => form.name === name);
}

export const formPage = definePage({
  path: "/form-settings",
  title: "Form",
  heading(view) {
    const form = formOf(view);
    return form && formTitle(view.app.settings.current(), form.name);
  },
  documentTitle(view) {
    const form = formOf(view);
    return form && `Form ${formTitle(view.app.settings.current(), form.name)}`;
  },
  parent: "/forms",
  capability: "view",
  services: EDITOR_SERVICES,
  async render(view) {
    const form = formOf(view);
    if (!form) return <NoSuchForm view={view} />;
    const { name } = form;
    const draft = await readFormDraft(view.app.kv, { name });
    return await Editor({
      view,
      id: { name },
      identity: <FormIdentity view={view} form={form} />,
      ways: (
        <>
          <SnippetsOf view={view} form={form} draft={draft} />
          <OwnPage view={view} form={form} draft={draft} />
        </>
      ),
      below: <Remove view={view} name={name} />,
    });
  },
});

/** The snippets of a form as pages will show it first: of one that was never published, with its draft. */
function SnippetsOf(
  { view, form, draft }: { view: View<"keyring">; form: Form; draft: FormDraft | undefined },
): VNode {
  if (!isUnpublished(form)) return <Embed view={view} form={form} />;
  const drafted = withDraft(view, { name: form.name }, draft) as View<"keyring">;
  return (
    <div data-follows="embed">
      <Embed view={drafted} form={formOf(drafted) ?? form} />
    </div>
  );
}

/** Leads to the form's page for visitors without JavaScript. */
function OwnPage(
  { view, form, draft }: { view: View; form: Form; draft: FormDraft | undefined },
): VNode {
  return (
    <Card title="Its own page" lead="For visitors without JavaScript, and for links in emails and posts.">
      {stateNow(view, form) === "live"
        ? (
          <p>
            <a href={`${view.app.config.baseUrl}/form/${form.name}`} target="_blank" rel="noreferrer">
              See {draft ? "the published" : "this"} form on its own page
            </a>{" "}
            (opens in a new tab). Signups there are real.
          </p>
        )
        : <p>Once pages show the form, you find it on a page of its own, too.</p>}
    </Card>
  );
}

function Remove({ view, name }: { view: View; name: string }): VNode | null {
  if (!view.mayRun("cfbe_remove_form")) return null;
  return (
    <Card title="Remove this form" lead="Its signups and figures are kept.">
      <div class="buttons">
        <Confirm
          view={view}
          id={REMOVE_QUESTION}
          button="Remove form"
          title={`Remove ${formInSentence(view.app.settings.current(), name)}?`}
          action="cfbe_remove_form"
          match={{ form: name }}
          yes="Remove form"
        >
          {formOf(view)?.opens
            ? "It no longer opens on your pages. Signups of pages that still show it go to the default list."
            : "Pages that still embed it show the default form, and its signups go to the default list."}
        </Confirm>
      </div>
    </Card>
  );
}
