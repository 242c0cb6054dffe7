import { type IncompleteModule, incompleteModules } from "../../alerts/incomplete_modules.ts";
import { TAB_TITLES } from "../../settings/tabs.ts";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import type { Page } from "../page.ts";
import { Card } from "../parts/card.tsx";
import { NumberField, type Option, SelectField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { SecretField } from "../parts/secret_field.tsx";
import type { View } from "../view.ts";
import { listOptions } from "./general.tsx";
import { incompleteText, pageToComplete } from "../../alerts/incomplete_module_texts.ts";

const MODULE_LABELS = {
  coupons: "Coupons",
  carts: "Abandoned cart emails",
  checkout: "Signup at checkout",
  orderEmails: "Order emails",
};

/** Warns that the settings have no effect while their module is off. */
function ModuleNotice({ view, module }: { view: View; module: keyof typeof MODULE_LABELS }) {
  return view.app.settings.current().general.modules[module] ? null : (
    <Notice kind="warn">
      The module “{MODULE_LABELS[module]}” is off, so these settings have no effect. Turn it on in{" "}
      <a href={view.href("/general")}>General</a>.
    </Notice>
  );
}

/** Says what a module that is on still needs, on the pages of its settings. */
function IncompleteNotice({ view, module }: { view: View; module: IncompleteModule["module"] }) {
  const { settings, shop } = view.app;
  const incomplete = incompleteModules(settings.current(), shop()).find((each) => each.module === module);
  if (!incomplete) return null;
  const tab = pageToComplete(incomplete);
  return (
    <Notice kind="warn">
      {incompleteText(incomplete)}{" "}
      {view.path !== `/${tab}` && <a href={view.href(`/${tab}`)}>Go to {TAB_TITLES[tab]}</a>}
    </Notice>
  );
}

const TEMPLATE_HELP = "ID of the transactional email at the provider.";

export const couponPage: Page = {
  path: "/coupon",
  title: TAB_TITLES.coupon,
  lead: "Creates one discount code in your shop for each new confirmed subscriber and emails it once.",
  group: "Shop",
  icon: "coupon",
  shortcut: "c",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="coupons" />
        <IncompleteNotice view={view} module="coupons" />
        <SettingsForm view={view} tab="coupon">
          <Card title="Recipients">
            <SelectField path="fields.list" label="List" options={listOptions(view, "Default list")} />
            <TextField
              path="fields.template"
              label="Email template"
              autocomplete="off"
              spellcheck={false}
              help={TEMPLATE_HELP}
            />
          </Card>
          <Card title="Discount">
            <SelectField
              path="fields.kind"
              label="Type"
              options={[{ value: "percent", label: "Percentage" }, {
                value: "fixed",
                label: "Fixed amount in the shop's currency",
              }]}
            />
            <NumberField path="fields.amount" label="Amount" step="any" min={0} />
            <NumberField path="fields.validDays" label="Valid for" unit="days" min={1} max={3650} />
            <TextField
              path="fields.prefix"
              label="Code prefix"
              autocomplete="off"
              spellcheck={false}
              placeholder="HELLO-"
            />
          </Card>
        </SettingsForm>
      </>
    );
  },
};

const SHOP_LABELS: Record<typeof SHOP_KINDS[number], string> = {
  generic: "Other (generic webhook)",
  woocommerce: "WooCommerce",
  shopify: "Shopify",
};

export const checkoutPage: Page = {
  path: "/checkout",
  title: TAB_TITLES.checkout,
  lead: "Connect your shop and the newsletter checkbox at checkout.",
  group: "Shop",
  icon: "checkout",
  capability: "view",
  render(view) {
    const { checkout } = view.app.settings.current();
    const hook = `${view.app.config.baseUrl}/shop-hook/${checkout.shop}`;
    return (
      <SettingsForm view={view} tab="checkout">
        <IncompleteNotice view={view} module="orders" />
        <IncompleteNotice view={view} module="coupons" />
        <Card title="Shop">
          <SelectField
            path="fields.shop"
            label="Shop system"
            options={SHOP_KINDS.map((value) => ({ value, label: SHOP_LABELS[value] }))}
            help={
              <>
                Have it send order webhooks to <code>{hook}</code>.
              </>
            }
          />
          <SecretField
            path="fields.secret"
            label="Secret"
            secret={checkout.secret}
            help="Secret used to sign order webhooks. Without it, all orders are rejected."
          />
          <TextField
            path="fields.shopUrl"
            label="Shop URL"
            placeholder="https://shop.example"
            help="The shop where coupons are created."
          />
          <SecretField
            path="fields.apiKey"
            label="Consumer key"
            secret={checkout.apiKey}
            help="WooCommerce only."
          />
          <SecretField
            path="fields.apiSecret"
            label="Consumer secret or access token"
            secret={checkout.apiSecret}
            help="The WooCommerce consumer secret, or the Shopify Admin API access token."
          />
        </Card>
        <Card title="Checkbox at checkout">
          <ModuleNotice view={view} module="checkout" />
          <SelectField path="fields.list" label="List" options={listOptions(view, "Default list")} />
          <TextField
            path="fields.label"
            label="Checkbox label"
            help="Stored with every signup as proof of consent."
          />
        </Card>
      </SettingsForm>
    );
  },
};

const AUDIENCE: Option[] = [
  { value: "consented", label: "Confirmed subscribers who are active at the provider" },
  { value: "all", label: "Everyone who entered an email address" },
];

export const cartsPage: Page = {
  path: "/carts",
  title: TAB_TITLES.carts,
  lead: "Sends one reminder about an abandoned cart, with a link to restore it.",
  group: "Shop",
  icon: "carts",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="carts" />
        <IncompleteNotice view={view} module="carts" />
        {view.app.settings.current().general.origins.length === 0 && (
          <Notice kind="warn">
            Set allowed origins in <a href={view.href("/general")}>General</a>{" "}
            to accept carts from your pages. Until then, only carts signed by your shop's server are stored.
          </Notice>
        )}
        <SettingsForm view={view} tab="carts">
          <Card title="Reminder">
            <NumberField
              path="fields.delayMinutes"
              label="Send after"
              unit="minutes without changes"
              min={5}
              max={43_200}
            />
            <TextField
              path="fields.template"
              label="Email template"
              autocomplete="off"
              spellcheck={false}
              help={TEMPLATE_HELP}
            />
            <SelectField
              path="fields.audience"
              label="Recipients"
              options={AUDIENCE}
              help="In many countries, you may email only people who have agreed to it. If you email everyone, strangers can make your shop email someone once per day."
            />
          </Card>
        </SettingsForm>
      </>
    );
  },
};

const STATUS_LABELS: Record<typeof ORDER_STATUSES[number], string> = {
  pending: "Awaiting payment",
  "on-hold": "On hold",
  processing: "Processing",
  completed: "Completed",
  refunded: "Refunded",
  cancelled: "Canceled",
  failed: "Payment failed",
};

export const ordersPage: Page = {
  path: "/orders",
  title: TAB_TITLES.orders,
  lead: "Sends one email per order and status.",
  group: "Shop",
  icon: "orders",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="orderEmails" />
        <IncompleteNotice view={view} module="orders" />
        <SettingsForm view={view} tab="orders">
          <Card
            title="Email template by status"
            lead={`${TEMPLATE_HELP} Leave empty to send no email for that status.`}
          >
            {ORDER_STATUSES.map((status) => (
              <TextField
                key={status}
                path={`fields.templates.${status}`}
                label={STATUS_LABELS[status]}
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
};
