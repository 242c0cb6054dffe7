import type { VNode } from "preact";
import { type FormDraft, readFormDraft } from "../../settings/forms/form_drafts.ts";
import { formInSentence, formTitle } from "../../settings/forms/all_forms.ts";
import { isUnpublished } from "../../settings/forms/drafted_form.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PostForm } from "../parts/form.tsx";
import { LivePreview } from "../parts/preview.tsx";
import { Sections } from "../parts/sections.tsx";
import type { View } from "../frame/view.ts";
import { Design } from "./design/design.tsx";
import { DesignImage } from "./design/design_image.tsx";
import { DraftBar } from "./draft_bar.tsx";
import { editedValues, UnpublishedChanges, withDraft } from "./drafts/draft.tsx";
import { Embed } from "./embed.tsx";
import { NoSuchForm } from "./form_frame.tsx";
import { ExperimentCard, RunningExperiment } from "./experiment/experiment_card.tsx";
import { languageOf, Languages } from "./languages.tsx";
import { FormIdentity } from "./form_title.tsx";
import { HistoryLink } from "./history/history_link.tsx";
import { checkForm } from "./opens/form_check.ts";
import { PopupChecks } from "./opens/popup_check_form.tsx";
import { Members, TRANSLATION_FORM } from "./fields/members.tsx";
import { OwnValues } from "./fields/own_values.tsx";
import { StateLine, StateNow, stateNow } from "./status.tsx";
import { Translation } from "./translation.tsx";

type Form = Settings["forms"]["forms"][number];

const SECTIONS = {
  content: "Content",
  fields: "Fields",
  consent: "Consent",
  "after-signup": "After signup",
  design: "Design",
  targeting: "Targeting",
  opens: "Opens by itself",
  status: "Status",
  image: "Image",
  why: "Why isn't it showing?",
  experiment: "Experiment",
  embed: "Embed",
};

const EDIT_ACTION = "cfbe_edit_form";
const EDIT_FORM = "edit-form";

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
  services: ["kv", "keyring", "activation", "acceptsSignups"],
  async render(view) {
    const form = formOf(view);
    if (!form) {
      return <NoSuchForm view={view} />;
    }
    const { name } = form;
    const locale = languageOf(view);
    const draft = await readFormDraft(view.app.kv, { name });
    const drafted = withDraft(view, { name }, draft);
    const { locales } = drafted.app.settings.current().form;
    const check = locale === "" ? await checkForm(view, drafted, { name, action: EDIT_ACTION }) : undefined;
    const hasTexts = (each: string) => locales[each]?.forms?.some((texts) => texts.name === name) ?? false;
    return (
      <>
        <div class="form-top">
          <p class="back">
            <a href={view.href("/forms")}>All forms</a>
          </p>
          <StateLine view={view} form={form} draft={draft} changeable={locale === ""} />
          <FormIdentity view={view} form={form} />
          <HistoryLink view={view} id={{ name }} />
        </div>
        <RunningExperiment view={view} id={{ name }} />
        <Languages view={drafted} query={{ form: name }} changed={hasTexts} />
        {locale === "" && <Sections sections={SECTIONS} />}
        <p class="to-preview">
          <a href="#preview">Go to the preview</a>
        </p>
        <div class="beside">
          <div>
            {draft && <UnpublishedChanges view={view} id={{ name }} draft={draft} />}
            {locale === ""
              ? (
                <FormSettings
                  view={drafted}
                  form={form}
                  values={editedValues(view, { name }, form, draft)}
                  draft={draft}
                />
              )
              : <Translation view={drafted} id={{ name }} locale={locale} draft={draft} />}
            {locale === "" && <DesignImage view={drafted} id={{ name }} draft={draft} />}
          </div>
          <Card
            id="preview"
            title="Preview"
            lead="Shows changes as you type. Submissions in the preview are discarded."
          >
            <LivePreview
              view={drafted}
              form={{ name }}
              locale={locale}
              source={locale === "" ? EDIT_FORM : TRANSLATION_FORM}
            />
            <OwnPage view={view} form={form} draft={draft} />
          </Card>
        </div>
        {check && <PopupChecks view={view} name={name} check={check} source={EDIT_FORM} />}
        <ExperimentCard view={view} id={{ name }} />
        <Embed view={view} form={form} />
        <Remove view={view} name={name} />
      </>
    );
  },
});

/** Leads to the form's page for visitors without JavaScript. */
function OwnPage(
  { view, form, draft }: { view: View; form: Form; draft: FormDraft | undefined },
): VNode {
  if (stateNow(view, form) !== "live") {
    return <p class="help">Once pages show the form, you find it on a page of its own, too.</p>;
  }
  return (
    <p>
      <a href={`${view.app.config.baseUrl}/form/${form.name}`} target="_blank" rel="noreferrer">
        See {draft ? "the published" : "this"} form on its own page
      </a>{" "}
      (opens in a new tab). Signups there are real.
    </p>
  );
}

function FormSettings(
  { view, form, values, draft }: {
    view: View;
    form: Form;
    values: object;
    draft: FormDraft | undefined;
  },
): VNode {
  const id = { name: form.name };
  return (
    <PostForm
      view={view}
      action={EDIT_ACTION}
      tab="forms"
      partOf="forms"
      id={EDIT_FORM}
      class="form settings"
      match={{ form: form.name }}
      current={{ fields: values }}
    >
      <Card title="Placement" lead="Where the form is on your page, and where its signups go.">
        <Members view={view} id={id} section="placement" />
      </Card>
      <OwnValues view={view} id={id} />
      <Design view={view} id={id} />
      <Card
        id="targeting"
        title="Targeting"
        lead="The pages and visitors that the form is meant for where a page has it. Elsewhere, and for everyone else, it is not shown and leaves no space. If it opens by itself, it has other groups for that, below."
      >
        <Members view={view} id={id} section="targeting" />
        <p>
          <a href="#why">Why isn't it showing?</a>
        </p>
      </Card>
      <Card
        id="opens"
        title="Opens by itself"
        lead={
          <>
            The rules of the <a href={view.href("/popup")}>popup</a>{" "}
            apply as well: once per visit, never on cart, checkout and account pages, only one form at a time,
            and its quiet period.
          </>
        }
      >
        <Members view={view} id={id} section="opens" />
      </Card>
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
        <Members view={view} id={id} section="status" />
        <p class="help">
          {isUnpublished(form)
            ? "“Publish” saves the schedule, “Save draft” does not."
            : "Not part of a draft."}
        </p>
      </Card>
      {view.mayRun(EDIT_ACTION) && <DraftBar view={view} id={id} draft={draft} />}
    </PostForm>
  );
}

function Remove({ view, name }: { view: View; name: string }): VNode | null {
  if (!view.mayRun("cfbe_remove_form")) return null;
  return (
    <Card title="Remove this form" lead="Its signups and figures are kept.">
      <div class="buttons">
        <Confirm
          view={view}
          id="remove-form"
          button="Remove form"
          title={`Remove ${formInSentence(view.app.settings.current(), name)}?`}
          action="cfbe_remove_form"
          match={{ form: name }}
          yes="Remove form"
        >
          Pages that still embed it show the default form, and its signups go to the default list.
        </Confirm>
      </div>
    </Card>
  );
}
