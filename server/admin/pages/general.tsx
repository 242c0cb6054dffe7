import { TAB_TITLES } from "../../settings/tabs.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, type Option, SelectField, SwitchField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { ProviderFields } from "../parts/provider_fields.tsx";
import type { View } from "../view.ts";
import { ConnectionCard, ListsCard } from "./connection.tsx";

/** Returns the loaded lists as options. @param none label of the option for no list */
export function listOptions({ app }: View, none: string): Option[] {
  const { knownLists } = app.settings.current().general;
  return [
    { value: "", label: none },
    ...knownLists.map(({ id, name, doubleOptIn }) => ({
      value: id,
      label: `${name}${doubleOptIn === false ? " (no double opt-in)" : ""}`,
    })),
  ];
}

export const generalPage: Page = {
  path: "/general",
  title: TAB_TITLES.general,
  lead: "Your provider account, default list, allowed origins and modules.",
  group: "Settings",
  icon: "general",
  shortcut: "g",
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
              options={listOptions(view, "None (signups are rejected)")}
              help="Used by every form that has no list of its own."
            />
          </Card>
          <Card title="Allowed origins">
            <AreaField
              path="fields.origins"
              label="Origins"
              list
              placeholder="https://shop.example"
              help="One per line, without a path. Signups from other pages are dropped and counted. Leave empty to allow any site to embed your forms."
            />
          </Card>
          <Card title="Modules" lead="Modules that are off do no work and reject requests.">
            <SwitchField
              path="fields.modules.webhooks"
              label="Inbound webhooks"
              help="Forward every authenticated webhook to your own code."
            />
            <SwitchField
              path="fields.modules.coupons"
              label="Coupons"
              help={
                <>
                  Send each confirmed subscriber one coupon. Set them up on the{" "}
                  <a href={view.href("/coupon")}>Coupons</a> page.
                </>
              }
            />
            <SwitchField
              path="fields.modules.carts"
              label="Abandoned cart emails"
              help="Send one reminder about an abandoned cart."
            />
            <SwitchField
              path="fields.modules.checkout"
              label="Signup at checkout"
              help="Accept signups from a checkbox at checkout."
            />
            <SwitchField
              path="fields.modules.contactSync"
              label="Contact sync"
              help="Send everyone who orders to the provider."
            />
            <SwitchField
              path="fields.modules.orderEmails"
              label="Order emails"
              help="Send an email when an order changes its status."
            />
          </Card>
        </SettingsForm>
        <ConnectionCard view={view} />
        <ListsCard view={view} />
      </>
    );
  },
};
