import { TAB_TITLES } from "../../settings/store/tabs.ts";
import type { VNode } from "preact";
import { isSandbox, moduleOf } from "../../settings/store/provider.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import type { Option } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Setting } from "../parts/setting.tsx";
import { machineZone } from "../../settings/schema/time_zone.ts";
import type { View } from "../frame/view.ts";

export const generalPage = definePage({
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
            <Setting of="general.origins" />
          </Card>
          <Card title="Page caches">
            <Setting of="general.purgeUrls" />
          </Card>
          <Card title="Time zone">
            <Setting of="general.timeZone" options={zoneOptions()} />
          </Card>
          <Card title="Modules" lead="Modules that are off do no work and reject requests.">
            <Setting of="general.modules.webhooks" />
            <Setting of="general.modules.coupons">
              Set them up on the <a href={view.href("/coupon")}>Coupons</a> page.
            </Setting>
            <Setting of="general.modules.carts" />
            <Setting of="general.modules.checkout" />
            <Setting of="general.modules.contactSync" />
            <Setting of="general.modules.orderEmails" />
          </Card>
        </SettingsForm>
      </>
    );
  },
});

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
