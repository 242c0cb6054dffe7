import { TAB_TITLES } from "../../settings/store/tabs.ts";
import type { VNode } from "preact";
import { isSandbox, moduleOf } from "../../settings/store/provider.ts";
import type { Page } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, type Option, SelectField, SwitchField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { MODULE_TITLES } from "../../settings/schema/module_titles.ts";
import { machineZone } from "../../settings/schema/time_zone.ts";
import type { View } from "../frame/view.ts";

export const generalPage: Page = {
  path: "/general",
  title: TAB_TITLES.general,
  lead: "Where your forms can be embedded, the time zone, and which modules are on.",
  group: "Settings",
  icon: "general",
  shortcut: "g",
  capability: "view",
  render(view) {
    return (
      <>
        <ProviderCard view={view} />
        <SettingsForm view={view} tab="general">
          <Card title="Allowed origins">
            <AreaField
              path="fields.origins"
              label="Origins"
              list
              placeholder="https://shop.example"
              help="One per line, without a path. Pages on other sites show no form, and the Overview names these sites. Leave empty to allow any site to embed your forms."
            />
          </Card>
          <Card title="Time zone">
            <SelectField
              path="fields.timeZone"
              label="Time zone of the site"
              options={zoneOptions()}
              help="Days in the admin, the weekly summary, schedules of forms, and times in their targeting that name no zone of their own. Schedules keep what the clock shows: if you choose another zone, forms start and end earlier or later."
            />
          </Card>
          <Card title="Modules" lead="Modules that are off do no work and reject requests.">
            <SwitchField
              path="fields.modules.webhooks"
              label={MODULE_TITLES.webhooks}
              help="Forward every authenticated webhook to your own code."
            />
            <SwitchField
              path="fields.modules.coupons"
              label={MODULE_TITLES.coupons}
              help={
                <>
                  Send each confirmed subscriber one coupon. Set them up on the{" "}
                  <a href={view.href("/coupon")}>Coupons</a> page.
                </>
              }
            />
            <SwitchField
              path="fields.modules.carts"
              label={MODULE_TITLES.carts}
              help="Send one reminder about an abandoned cart."
            />
            <SwitchField
              path="fields.modules.checkout"
              label={MODULE_TITLES.checkout}
              help="Accept signups from a checkbox at checkout."
            />
            <SwitchField
              path="fields.modules.contactSync"
              label={MODULE_TITLES.contactSync}
              help="Send everyone who orders to the provider."
            />
            <SwitchField
              path="fields.modules.orderEmails"
              label={MODULE_TITLES.orderEmails}
              help="Send an email when an order changes its status."
            />
          </Card>
        </SettingsForm>
      </>
    );
  },
};

function zoneOptions(): Option[] {
  return [
    { value: "", label: `This machine's (${machineZone()})` },
    ...[...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].map((value) => ({ value, label: value })),
  ];
}

/** Where the provider is set up. Links of earlier versions lead to `#connection` and `#lists`. */
function ProviderCard({ view }: { view: View }): VNode {
  const { settings } = view.app;
  const current = settings.current();
  const title = isSandbox(current) ? "the sandbox" : moduleOf(current, settings.providers).title;
  return (
    <Card
      id="connection"
      title="Provider"
      lead={`Signups are delivered to ${title}.`}
      actions={<a class="button" href={view.href("/provider")}>Go to Provider</a>}
    >
      <p class="help" id="lists">
        The provider's settings, the connection, the lists and the webhook are there.
      </p>
    </Card>
  );
}
