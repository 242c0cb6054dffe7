import { TAB_TITLES } from "../../settings/tabs.ts";
import type { VNode } from "preact";
import { LAYOUTS } from "../../../shared/contract.ts";
import type { Settings } from "../../settings/schema.ts";
import { signFormConfig } from "../../signup/form/signed_config.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { ListEditor } from "../parts/list_editor.tsx";
import { Preview, Snippet } from "../parts/preview.tsx";
import { snippetLocales, snippetsFor } from "../snippets.ts";
import type { View } from "../view.ts";
import { listOptions } from "./general.tsx";

type Form = Settings["forms"]["forms"][number];

const LAYOUT_LABELS: Record<typeof LAYOUTS[number], string> = {
  inline: "Inline: within content",
  block: "Block: full-width section",
  promo: "Promo: dismissible bar",
};

export const formsPage: Page = {
  path: "/forms",
  title: TAB_TITLES.forms,
  lead:
    "Your pages refer to a form by its name. Change its list or texts here at any time, with no need to update your pages.",
  group: "Forms",
  icon: "forms",
  shortcut: "f",
  capability: "view",
  render(view) {
    const { forms } = view.app.settings.current().forms;
    const shown = forms.find(({ name }) => name === view.query.get("form")) ?? forms[0];
    return (
      <>
        <SettingsForm view={view} tab="forms">
          <Card>
            <ListEditor
              path="fields.forms"
              legend="Named forms"
              add="Add form"
              empty="No named forms yet. You can still embed the default form."
              titleOf={(form, index) => String(form["name"] || `Form ${index + 1}`)}
              row={(at) => <FormRow at={at} view={view} />}
            />
          </Card>
        </SettingsForm>
        {shown && <Embed view={view} form={shown} forms={forms} />}
      </>
    );
  },
};

function FormRow({ at, view }: { at: string; view: View }): VNode {
  return (
    <>
      <TextField
        path={`${at}.name`}
        label="Name"
        required
        autocomplete="off"
        spellcheck={false}
        help="Used in your HTML. Letters, digits, - and _ only."
      />
      <SelectField
        path={`${at}.layout`}
        label="Layout"
        options={LAYOUTS.map((value) => ({ value, label: LAYOUT_LABELS[value] }))}
      />
      <SelectField path={`${at}.list`} label="List" options={listOptions(view, "Default list")} />
      <AreaField
        path={`${at}.tags`}
        label="Tags"
        list
        rows={2}
        help="One per line. Added to every signup from this form."
      />
      <TextField
        path={`${at}.heading`}
        label="Heading"
        optional
        help="Leave empty to use the default from Texts."
      />
      <TextField path={`${at}.text`} label="Text" optional />
      <TextField path={`${at}.button`} label="Button" optional />
    </>
  );
}

function Embed({ view, form, forms }: { view: View; form: Form; forms: Form[] }): VNode {
  const { config, settings, keyring } = view.app;
  const snippets = snippetsFor(config.baseUrl, form, settings.current(), snippetLocales(view));
  const { name, list, tags } = form;
  const cfg = signFormConfig(keyring, {
    form: name,
    placement: name,
    ...(list !== "" && { list }),
    ...(tags.length > 0 && { tags }),
  });
  return (
    <Card
      id="embed"
      title="Preview and embed"
      lead="Shows changes to texts as you type, and other changes when they are saved. Submissions in the preview are discarded."
    >
      {forms.length > 1 && (
        <nav aria-label="Form to show">
          <ul class="choices">
            {forms.map((each) => (
              <li key={each.name}>
                <a
                  href={view.href(`/forms?form=${each.name}#embed`)}
                  aria-current={each === form ? "true" : undefined}
                >
                  {each.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Preview view={view} form={name} />
      <Snippet id="snippet-html" label="HTML for any page">{snippets.html}</Snippet>
      <details>
        <summary>Your own markup</summary>
        <Snippet id="snippet-own" label="Your own form, with your own styles">{snippets.own}</Snippet>
      </details>
      <details>
        <summary>React</summary>
        <Snippet
          id="snippet-react-install"
          label="Install the npm package: the file of the release, or one built with deno task pack"
        >
          {snippets.reactInstall}
        </Snippet>
        <Snippet id="snippet-react" label="React, with the npm package">{snippets.react}</Snippet>
        <Snippet id="snippet-react-css" label="CSS for your style sheet: reserves the form's height">
          {snippets.css}
        </Snippet>
      </details>
      <details>
        <summary>WordPress</summary>
        <Snippet id="snippet-wordpress" label="WordPress shortcode">
          {snippets.wordpress}
        </Snippet>
        <Snippet id="snippet-wordpress-css" label="Additional CSS: reserves the form's height">
          {snippets.css}
        </Snippet>
      </details>
      <details>
        <summary>Signed configuration</summary>
        <p class="help">
          Use as <code>cfg="…"</code> or in a hidden <code>cfbe_cfg</code>{" "}
          field to freeze the current list and tags on a page. Later changes here do not affect it.
        </p>
        <Snippet id="snippet-cfg" label="cfbe_cfg">{cfg}</Snippet>
      </details>
    </Card>
  );
}
