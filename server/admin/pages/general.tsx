import { TAB_TITLES } from "../../settings/tabs.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, type Option, SelectField, SwitchField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { ProviderFields } from "../parts/provider_fields.tsx";
import type { View } from "../view.ts";
import { ConnectionCard, ListsCard } from "./connection.tsx";

/** The lists that are known, for a choice. @param none what choosing no list means */
export function listOptions({ app }: View, none: string): Option[] {
  const { knownLists } = app.settings.current().general;
  return [
    { value: "", label: none },
    ...knownLists.map(({ id, name, doubleOptIn }) => ({
      value: id,
      label: `${name}${doubleOptIn ? "" : " (no double opt-in)"}`,
    })),
  ];
}

export const generalPage: Page = {
  path: "/general",
  title: TAB_TITLES.general,
  lead: "The account at the provider, where signups go by default, and what is switched on.",
  group: "Set up",
  capability: "view",
  render(view) {
    return (
      <>
        <SettingsForm view={view} tab="general">
          <Card
            title="Provider"
            lead="cfbe delivers signups to this account. The provider sends the confirmation email."
          >
            <ProviderFields view={view} />
            <SelectField
              path="fields.defaultList"
              label="Default list"
              options={listOptions(view, "None chosen: signups are refused")}
              help="Where a signup goes when its form names no list."
            />
          </Card>
          <Card title="Where forms may stand">
            <AreaField
              path="fields.origins"
              label="Origins"
              list
              placeholder="https://shop.example"
              help="One per line, without a path. Signups from other pages are dropped and counted. Leave empty to allow any site to embed your forms."
            />
          </Card>
          <Card title="Modules" lead="What is off does no work and takes no requests.">
            <SwitchField
              path="fields.modules.webhooks"
              label="Inbound webhooks"
              help="Tell your own code of every authenticated webhook."
            />
            <SwitchField
              path="fields.modules.coupons"
              label="Coupons"
              help="Reward a confirmed signup with a coupon."
            />
            <SwitchField path="fields.modules.carts" label="Abandoned cart e-mails" />
            <SwitchField path="fields.modules.checkout" label="Signup at checkout" />
            <SwitchField path="fields.modules.contactSync" label="Contact sync" />
            <SwitchField path="fields.modules.orderEmails" label="Order e-mails" />
          </Card>
        </SettingsForm>
        <ConnectionCard view={view} />
        <ListsCard view={view} />
      </>
    );
  },
};
