import type { VNode } from "preact";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { MAX_CODE } from "../../../forms/ready/one_code.ts";
import { readyDesign, type ReadyForm, readyForm } from "../../../forms/ready/ready_forms.ts";
import { READY_FORM_IDS, type ReadyFormId } from "../../../forms/ready/ready_texts.ts";
import { formTitle } from "../../../settings/forms/all_forms.ts";
import { definePage } from "../../frame/page.ts";
import { lockedBy } from "../../frame/setting_lock.ts";
import type { View } from "../../frame/view.ts";
import { Card, Empty } from "../../parts/card.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { byLanguageName, languageName } from "../../../platform/words/language_name.ts";
import { Badge } from "../../parts/notice.tsx";
import { textsLockedBy, titleOfCopy } from "../actions/form_copies.ts";
import { freeTitle, type NewFormKind } from "../actions/new_form.ts";
import { AddForm, ImportForm, NewTitle } from "../add_form.tsx";
import { CodeForEach, CouponHelp, mailsCoupons } from "../after_signup.tsx";
import { TagsNote } from "../fields/tags_note.tsx";
import { LanguageChoices } from "../form_languages.tsx";
import { Picture } from "./picture.tsx";

const PATH = "/new-form";

const KINDS: Record<NewFormKind, string> = {
  inline: "Inline",
  block: "Block",
  promo: "Promo bar",
  popup: "Popup",
  "slide-in": "Slide-in",
  "bar-top": "Bar at the top",
  "bar-bottom": "Bar at the bottom",
};

/** What else a form can start from. */
const OTHERS = {
  empty: { title: "Empty form", use: "Starts with the default texts and fields. You choose its kind." },
  copy: { title: "Like another form", use: "Copies a form of this site with its texts in all languages." },
  file: { title: "From a file", use: "Imports a form that was exported here or in another installation." },
};
type Other = keyof typeof OTHERS;

/** What the URL of the page says that the form starts from. */
function startOf(view: View): { ready: ReadyFormId } | { other: Other } | undefined {
  const from = view.query.get("from") ?? "";
  const ready = READY_FORM_IDS.find((id) => id === from);
  if (ready) return { ready };
  return Object.hasOwn(OTHERS, from) ? { other: from as Other } : undefined;
}

function titleOf(view: View): string {
  const start = startOf(view);
  if (!start) return "New form";
  return `New form: ${"ready" in start ? readyForm(start.ready).title : OTHERS[start.other].title}`;
}

const kindOf = ({ form: { opens, layout } }: ReadyForm): NewFormKind => opens?.kind ?? layout ?? "inline";

export const newFormPage = definePage({
  path: PATH,
  title: "New form",
  heading: titleOf,
  documentTitle: titleOf,
  parent: "/forms",
  capability: "forms",
  render(view) {
    return (
      <>
        <p class="back">
          {startOf(view)
            ? <a href={view.href(PATH)}>All forms to start from</a>
            : <a href={view.href("/forms")}>All forms</a>}
        </p>
        <NewForm view={view} />
      </>
    );
  },
});

function NewForm({ view }: { view: View }): VNode {
  const by = lockedBy(view.app, "forms.forms");
  if (by !== undefined) {
    return (
      <Card>
        <Empty title={`The forms are set by ${by}`}>Ask whoever runs cfbe to add the form there.</Empty>
      </Card>
    );
  }
  const start = startOf(view);
  if (!start) return <Gallery view={view} />;
  if ("ready" in start) return <FromReady view={view} id={start.ready} />;
  switch (start.other) {
    case "empty":
      return <AddForm view={view} />;
    case "copy":
      return <FromCopy view={view} />;
    case "file":
      return <ImportForm view={view} />;
  }
}

function Gallery({ view }: { view: View }): VNode {
  const hasForms = view.app.settings.current().forms.forms.length > 0;
  const others = (Object.keys(OTHERS) as Other[]).filter((other) => other !== "copy" || hasForms);
  return (
    <>
      <p class="lead gallery-lead">
        Choose what to start from. You can change everything later, and no page shows the form until you
        publish it.
      </p>
      <ul class="gallery" aria-label="Ready forms">
        {READY_FORM_IDS.map((id) => {
          const ready = readyForm(id);
          return (
            <li key={id}>
              <ReadyPicture view={view} id={id} />
              <h2>
                <a href={view.href(`${PATH}?from=${id}`)}>{ready.title}</a>
              </h2>
              <p>
                <Badge>{KINDS[kindOf(ready)]}</Badge>
              </p>
              <p class="help">{ready.use}</p>
            </li>
          );
        })}
      </ul>
      <ul class="gallery" aria-label="Other ways to start">
        {others.map((other) => (
          <li key={other}>
            <h2>
              <a href={view.href(`${PATH}?from=${other}`)}>{OTHERS[other].title}</a>
            </h2>
            <p class="help">{OTHERS[other].use}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function ReadyPicture({ view, id }: { view: View; id: ReadyFormId }): VNode {
  const ready = readyForm(id);
  const settings = view.app.settings.current();
  return (
    <Picture
      kind={kindOf(ready)}
      fields={ready.form.fields?.length ?? 0}
      steps={ready.form.steps}
      design={readyDesign(settings, id)}
      defaults={settings.form.design}
    />
  );
}

function FromReady({ view, id }: { view: View; id: ReadyFormId }): VNode {
  const byName = byLanguageName(LOCALES);
  const ready = readyForm(id);
  const suggested = freeTitle(view.app.settings.current(), ready.title);
  return (
    <Card title={ready.title} lead={ready.use}>
      <div class="start-from">
        <PostForm
          view={view}
          action="cfbe_add_ready_form"
          id="add-ready-form"
          match={{ ready: id }}
          current={{ title: suggested, language: "en" }}
        >
          <NewTitle view={view} suggested={suggested} />
          <SelectField
            path="language"
            label="Main language"
            options={byName.map((locale) => ({ value: locale, label: languageName(locale) }))}
            help="Of the texts that you write first. Visitors with a language that you do not choose below see them, too."
          />
          <Languages view={view} locales={byName} />
          {id === "coupon-popup" && <Code view={view} />}
          {ready.form.tags && <TagsNote view={view} />}
          <div class="buttons">
            <button type="submit" class="primary">Create form</button>
          </div>
        </PostForm>
        <ReadyPicture view={view} id={id} />
      </div>
    </Card>
  );
}

/** Chooses in which languages the form has texts besides the main one. */
function Languages({ view, locales }: { view: View; locales: readonly string[] }): VNode {
  const by = textsLockedBy(view.app);
  if (by !== undefined) return <p class="help">The texts of forms in other languages are set by {by}.</p>;
  return (
    <details>
      <summary>Also in {LOCALES.length - 1} other languages, unless you choose here</summary>
      <LanguageChoices legend="Texts in" locales={locales} isChosen={() => true} />
      <p class="help">
        If your site has only the main language, choose none: then you change a text in one place.
      </p>
    </details>
  );
}

/** Asks for one code for everybody where no shop creates one for each subscriber. */
function Code({ view }: { view: View }): VNode {
  if (mailsCoupons(view)) return <CouponHelp view={view} />;
  return (
    <TextField
      path="code"
      label="Discount code for everybody"
      optional
      placeholder="AUTUMN10"
      maxLength={MAX_CODE}
      autocomplete="off"
      spellcheck={false}
      help={
        <>
          The form shows it after a signup. You can enter it later, too. <CodeForEach view={view} />
        </>
      }
    />
  );
}

function FromCopy({ view }: { view: View }): VNode {
  const settings = view.app.settings.current();
  const { forms } = settings.forms;
  const original = forms.find(({ name }) => name === view.query.get("form")) ?? forms[0];
  if (!original) return <Card>There is no form to copy yet.</Card>;
  const titles = Object.fromEntries(forms.map((form) => [form.name, titleOfCopy(settings, form)]));
  const suggested = titles[original.name]!;
  return (
    <Card
      title="Like another form"
      lead="The copy is a draft, with the settings, the texts, the images and the unpublished changes, but without an experiment."
    >
      <PostForm
        view={view}
        action="cfbe_duplicate_form"
        id="copy-form"
        current={{ form: original.name, title: suggested }}
      >
        <SelectField
          path="form"
          label="Form to copy"
          options={forms.map(({ name }) => ({ value: name, label: formTitle(settings, name) }))}
        />
        <NewTitle view={view} suggested={suggested} titles={titles} />
        <div class="buttons">
          <button type="submit" class="primary">Create form</button>
        </div>
      </PostForm>
    </Card>
  );
}
