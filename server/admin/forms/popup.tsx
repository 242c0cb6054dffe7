import { formPath } from "../parts/form_path.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import { type FormDraft, readFormDraft } from "../../settings/forms/form_drafts.ts";
import type { FormSection } from "../../settings/schema/form_members.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import type { VNode } from "preact";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { LivePreview } from "../parts/preview.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { scriptTag } from "./snippets.ts";
import { Sections } from "../parts/sections.tsx";
import type { View } from "../frame/view.ts";
import { Design } from "./design/design.tsx";
import { DraftBar } from "./draft_bar.tsx";
import { editedValues, UnpublishedChanges, withDraft } from "./drafts/draft.tsx";
import { ExperimentCard, RunningExperiment } from "./experiment/experiment_card.tsx";
import { DesignImage } from "./design/design_image.tsx";
import { languageOf, Languages } from "./languages.tsx";
import { OPENING_TITLES } from "./opens/opens.tsx";
import { Members, TRANSLATION_FORM } from "./fields/members.tsx";
import { OwnValues } from "./fields/own_values.tsx";
import { HistoryLink } from "./history/history_link.tsx";
import { StateLine } from "./status.tsx";
import { checkForm } from "./opens/form_check.ts";
import { PopupChecks } from "./opens/popup_check_form.tsx";
import { Translation } from "./translation.tsx";

const POPUP_ACTION = "cfbe_save_popup";
const POPUP_FORM = "save_popup";

const SECTIONS = {
  popup: "Schedule",
  content: "Content",
  fields: "Fields",
  consent: "Consent",
  "after-signup": "After signup",
  design: "Design",
  trigger: "Trigger",
  targeting: "Targeting",
  exclusions: "Exclusions",
  image: "Image",
  embed: "Embed",
  experiment: "Experiment",
  why: "Why isn't it showing?",
};

export const popupPage = definePage({
  path: "/popup",
  title: TAB_TITLES.popup,
  lead: "A dialog that appears once per visit, when nothing else is open.",
  parent: "/forms",
  capability: "view",
  services: ["kv", "activation", "acceptsSignups"],
  async render(view) {
    const { popup } = view.app.settings.current();
    const id = { name: POPUP };
    const locale = languageOf(view);
    const draft = await readFormDraft(view.app.kv, id);
    const drafted = withDraft(view, id, draft);
    const { locales } = drafted.app.settings.current().form;
    const check = locale === "" ? await checkForm(view, drafted, { ...id, action: POPUP_ACTION }) : undefined;
    return (
      <>
        <div class="form-top">
          {popup.enabled && <StateLine view={view} form={popup} draft={draft} />}
          <HistoryLink view={view} id={id} />
        </div>
        <RunningExperiment view={view} id={id} />
        <Languages view={drafted} changed={(each) => locales[each]?.popup !== undefined} />
        {locale === "" && <Sections sections={SECTIONS} />}
        <p class="to-preview">
          <a href="#preview">Go to the preview</a>
        </p>
        <div class="beside">
          <div>
            {draft && <UnpublishedChanges view={view} id={id} draft={draft} />}
            {locale === ""
              ? <PopupSettings view={drafted} values={editedValues(view, id, popup, draft)} draft={draft} />
              : <Translation view={drafted} id={id} locale={locale} draft={draft} />}
            {locale === "" && <DesignImage view={drafted} id={id} draft={draft} />}
          </div>
          <Card
            id="preview"
            title="Preview"
            lead="Shows changes as you type. Submissions in the preview are discarded."
          >
            <LivePreview
              view={drafted}
              form={id}
              locale={locale}
              source={locale === "" ? POPUP_FORM : TRANSLATION_FORM}
            />
          </Card>
        </div>
        <Card
          id="embed"
          title="Embed"
          lead="The popup shows on pages that have the script. A page with an embedded form already has it."
        >
          <Snippet id="snippet-script" label="Script for every page with the popup">
            {scriptTag(view.app.config.baseUrl)}
          </Snippet>
          <Snippet
            id="snippet-open"
            label="Optional: your own button that opens the popup, even when “Show automatically” is off"
          >
            {'<button type="button" data-cfbe-open>Newsletter</button>'}
          </Snippet>
        </Card>
        <ExperimentCard view={view} id={{ name: POPUP }} />
        <OtherOpenings view={view} />
        {check && <PopupChecks view={view} name={POPUP} check={check} source={POPUP_FORM} />}
      </>
    );
  },
});

/** Links to the other forms that open by themselves, which share the quiet period. */
function OtherOpenings({ view }: { view: View }): VNode {
  const others = view.app.settings.current().forms.forms.filter(({ opens }) => opens);
  return (
    <Card
      title="Other forms that open by themselves"
      lead="Slide-ins, bars and further popups have rules of their own, which are on their pages. Only one opens at a time."
    >
      {others.length === 0
        ? (
          <p>
            None yet. Open a <a href={view.href("/forms")}>form</a> and choose “Open by itself”.
          </p>
        )
        : (
          <ul>
            {others.map(({ name, opens }) => (
              <li key={name}>
                <a href={`${view.href(formPath(name))}#opens`}>{name}</a> ({OPENING_TITLES[opens!.kind]})
              </li>
            ))}
          </ul>
        )}
    </Card>
  );
}

function PopupSettings(
  { view, values, draft }: { view: View; values: object; draft: FormDraft | undefined },
): VNode {
  const id = { name: POPUP };
  const members = (section: FormSection) => <Members view={view} id={id} section={section} />;
  return (
    <PostForm
      view={view}
      action={POPUP_ACTION}
      tab="popup"
      id={POPUP_FORM}
      class="form settings"
      current={{ fields: values }}
    >
      <Card id="popup" title="Popup" lead="“Show automatically” and the schedule are not part of a draft.">
        {members("status")}
        {members("placement")}
      </Card>
      <OwnValues view={view} id={id} />
      <Design view={view} id={id} />
      <Card
        id="trigger"
        title="Trigger"
        lead="The popup opens on whichever happens first, or immediately if none is set."
      >
        {members("trigger")}
      </Card>
      <Card
        id="targeting"
        title="Targeting"
        lead="The pages and visitors that the popup is meant for. The rules for exclusions, dialogs and repeated visits apply in addition."
      >
        {members("targeting")}
      </Card>
      <Card id="exclusions" title="Exclusions">{members("exclusions")}</Card>
      {view.mayRun(POPUP_ACTION) && <DraftBar view={view} id={id} draft={draft} />}
    </PostForm>
  );
}
