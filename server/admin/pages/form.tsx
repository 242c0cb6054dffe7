import { TAB_TITLES } from "../../settings/tabs.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, type Option, SelectField, SwitchField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { ListEditor } from "../parts/list_editor.tsx";
import { Notice } from "../parts/notice.tsx";
import { requiredInOwnMarkup } from "../own_markup_texts.ts";

const NAME: Option[] = [
  { value: "hidden", label: "Hidden" },
  { value: "optional", label: "Optional" },
  { value: "required", label: "Required" },
];

const CONSENT: Option[] = [
  { value: "off", label: "None" },
  { value: "optional", label: "Optional" },
  { value: "required", label: "Required" },
];

export const formPage: Page = {
  path: "/form",
  title: TAB_TITLES.form,
  lead: "The fields of every form. Edit the wording on the Texts page.",
  group: "Forms",
  icon: "fields",
  capability: "view",
  render(view) {
    const { form } = view.app.settings.current();
    const { showAlreadySubscribed } = form;
    const ownMarkup = requiredInOwnMarkup(form);
    return (
      <SettingsForm view={view} tab="form">
        {ownMarkup && <Notice kind="warn">{ownMarkup}</Notice>}
        <Card title="Fields">
          <SelectField path="fields.nameField" label="Name" options={NAME} />
          <ListEditor
            path="fields.interests"
            legend="Interests"
            add="Add interest"
            empty="No interests yet."
            titleOf={(interest, index) => String(interest["label"] || `Interest ${index + 1}`)}
            row={(at) => (
              <>
                <TextField path={`${at}.label`} label="Label" required />
                <TextField
                  path={`${at}.tag`}
                  label="Tag"
                  required
                  autocomplete="off"
                  spellcheck={false}
                />
              </>
            )}
          />
        </Card>
        <Card title="Consent" lead="The exact wording shown is stored with every signup as proof.">
          <SelectField path="fields.consent" label="Consent checkbox" options={CONSENT} />
          <AreaField
            path="fields.consentText"
            label="Consent text"
            help={
              <>
                To add a link:{" "}
                <code>[privacy policy](https://…)</code>. Translate this text on the Texts page.
              </>
            }
          />
        </Card>
        <Card title="Existing subscribers">
          <SwitchField
            path="fields.showAlreadySubscribed"
            label="Tell people that they are already subscribed"
            help="When off, everyone sees the same message, so nobody can find out who is on your list."
          />
          <Notice kind={showAlreadySubscribed ? "warn" : "plain"}>
            When on, anyone can find out whether an address is subscribed, both from the message and from the
            response time.
          </Notice>
        </Card>
      </SettingsForm>
    );
  },
};
