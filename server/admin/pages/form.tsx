import { TAB_TITLES } from "../../settings/tabs.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, type Option, SelectField, SwitchField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { ListEditor } from "../parts/list_editor.tsx";
import { Notice } from "../parts/notice.tsx";

const NAME: Option[] = [
  { value: "hidden", label: "Don't ask" },
  { value: "optional", label: "Ask, and take none for an answer" },
  { value: "required", label: "Ask, and insist" },
];

const CONSENT: Option[] = [
  { value: "off", label: "No box" },
  { value: "optional", label: "A box that may stay empty" },
  { value: "required", label: "A box that has to be ticked" },
];

export const formPage: Page = {
  path: "/form",
  title: TAB_TITLES.form,
  lead: "What every form asks a visitor for. What it says is on the Texts page.",
  group: "Collect",
  capability: "view",
  render(view) {
    const { showAlreadySubscribed } = view.app.settings.current().form;
    return (
      <SettingsForm view={view} tab="form">
        <Card title="Fields">
          <SelectField path="fields.nameField" label="Name" options={NAME} />
          <ListEditor
            path="fields.interests"
            legend="Interests"
            add="Add an interest"
            empty="Visitors are not asked what they are interested in."
            titleOf={(interest, index) => String(interest["label"] || `Interest ${index + 1}`)}
            row={(at) => (
              <>
                <TextField path={`${at}.label`} label="What visitors read" required />
                <TextField
                  path={`${at}.tag`}
                  label="Tag at the provider"
                  required
                  autocomplete="off"
                  spellcheck={false}
                />
              </>
            )}
          />
        </Card>
        <Card title="Consent" lead="What was shown is kept with every signup, word by word, as proof.">
          <SelectField path="fields.consent" label="Box to tick" options={CONSENT} />
          <AreaField
            path="fields.consentText"
            label="What they agree to"
            help={
              <>
                A link is written{" "}
                <code>[privacy policy](https://…)</code>. Another text for one language: on the Texts page.
              </>
            }
          />
        </Card>
        <Card title="Who is subscribed already">
          <SwitchField
            path="fields.showAlreadySubscribed"
            label="Tell them that they are subscribed already"
            help="Off, everybody reads the same, and nobody learns who is on your list."
          />
          <Notice kind={showAlreadySubscribed ? "warn" : "plain"}>
            While this is on, anybody can find out whether an address is subscribed: by the answer, and by the
            time it takes, for the provider is asked first.
          </Notice>
        </Card>
      </SettingsForm>
    );
  },
};
