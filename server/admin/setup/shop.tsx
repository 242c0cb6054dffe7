import { listOptions } from "../parts/lists.ts";
import { settingAt } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { ModuleNotice, PageProblems } from "./module_notices.tsx";
import { ShopFields } from "./shop_fields.tsx";

export const checkoutPage = definePage({
  path: "/checkout",
  title: TAB_TITLES.checkout,
  lead: "Connect your shop and the newsletter checkbox at checkout.",
  group: "Shop",
  icon: "checkout",
  capability: "view",
  services: ["provider", "shop"],
  render(view) {
    return (
      <SettingsForm view={view} tab="checkout">
        <PageProblems view={view} />
        <Card
          title="Shop"
          lead={
            <>
              Sends orders and creates <a href={view.href("/coupon")}>coupons</a>.
            </>
          }
        >
          <ShopFields view={view} />
        </Card>
        <Card title="Checkbox at checkout">
          <ModuleNotice view={view} module="checkout" />
          <Setting of="checkout.list" options={listOptions(view, "Default list")} />
          <Setting of="checkout.label" />
        </Card>
      </SettingsForm>
    );
  },
});

export const cartsPage = definePage({
  path: "/carts",
  title: TAB_TITLES.carts,
  lead: "Sends one reminder about an abandoned cart, with a link to restore it.",
  group: "Shop",
  icon: "carts",
  capability: "view",
  services: ["provider", "shop"],
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="carts" />
        <PageProblems view={view} />
        {view.app.settings.current().general.origins.length === 0 && (
          <Notice kind="warn">
            Set allowed origins in <a href={view.href("/general")}>General</a>{" "}
            to accept carts from your pages. Until then, only carts signed by your shop's server are stored.
          </Notice>
        )}
        <SettingsForm view={view} tab="carts">
          <Card title="Reminder">
            <Setting of="carts.delayMinutes" />
            <Setting of="carts.template" />
            <Setting of="carts.audience" />
          </Card>
        </SettingsForm>
      </>
    );
  },
});

const templates = settingAt("orders.templates").about;

export const ordersPage = definePage({
  path: "/orders",
  title: TAB_TITLES.orders,
  lead: "Sends one email per order and status.",
  group: "Shop",
  icon: "orders",
  capability: "view",
  services: ["provider", "shop"],
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="orderEmails" />
        <PageProblems view={view} />
        <SettingsForm view={view} tab="orders">
          <Card title={templates.label} lead={templates.help}>
            {Object.entries(templates.choices!).map(([status, label]) => (
              <TextField
                key={status}
                path={`fields.templates.${status}`}
                label={label}
                optional
                autocomplete="off"
                spellcheck={false}
              />
            ))}
          </Card>
        </SettingsForm>
      </>
    );
  },
});
