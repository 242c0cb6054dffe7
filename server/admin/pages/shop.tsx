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

type Module = "coupons" | "carts" | "checkout" | "orderEmails";

/** Says that what is set here is not done while its module is off. */
function ModuleNotice({ view, module }: { view: View; module: Module }) {
  return view.app.settings.current().general.modules[module] ? null : (
    <Notice kind="warn">
      This module is off, so nothing of this is done. Switch it on in{" "}
      <a href={view.href("/general")}>General</a>.
    </Notice>
  );
}

const template = "The id of a transactional mail at the provider.";

export const couponPage: Page = {
  path: "/coupon",
  title: TAB_TITLES.coupon,
  lead: "One code for whoever becomes active on a list, made in the shop and mailed once.",
  group: "Shop",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="coupons" />
        <SettingsForm view={view} tab="coupon">
          <Card title="Who gets one">
            <SelectField path="fields.list" label="List" options={listOptions(view, "The default list")} />
            <TextField
              path="fields.template"
              label="Mail"
              autocomplete="off"
              spellcheck={false}
              help={template}
            />
          </Card>
          <Card title="What it is worth">
            <SelectField
              path="fields.kind"
              label="Kind"
              options={[{ value: "percent", label: "Percent" }, {
                value: "fixed",
                label: "Fixed amount, in the shop's currency",
              }]}
            />
            <NumberField path="fields.amount" label="Amount" step="any" min={0} />
            <NumberField path="fields.validDays" label="Valid for" unit="days" min={1} max={3650} />
            <TextField
              path="fields.prefix"
              label="Codes begin with"
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
  generic: "Any other, by the generic hook",
  woocommerce: "WooCommerce",
  shopify: "Shopify",
};

export const checkoutPage: Page = {
  path: "/checkout",
  title: TAB_TITLES.checkout,
  lead: "The shop that sends orders, and the box that signs a buyer up.",
  group: "Shop",
  capability: "view",
  render(view) {
    const { checkout } = view.app.settings.current();
    const hook = `${view.app.config.baseUrl}/shop-hook/${checkout.shop}`;
    return (
      <SettingsForm view={view} tab="checkout">
        <Card title="The shop">
          <SelectField
            path="fields.shop"
            label="System"
            options={SHOP_KINDS.map((value) => ({ value, label: SHOP_LABELS[value] }))}
            help={
              <>
                It sends its orders to <code>{hook}</code>.
              </>
            }
          />
          <SecretField
            path="fields.secret"
            label="Secret"
            secret={checkout.secret}
            help="What the shop signs its orders with. Without one no order is taken."
          />
          <TextField
            path="fields.shopUrl"
            label="Address"
            placeholder="https://shop.example"
            help="Where coupons are made."
          />
          <SecretField
            path="fields.apiKey"
            label="Consumer key"
            secret={checkout.apiKey}
            help="WooCommerce's; other systems need none."
          />
          <SecretField
            path="fields.apiSecret"
            label="Consumer secret or access token"
            secret={checkout.apiSecret}
            help="WooCommerce's consumer secret, or Shopify's Admin API access token."
          />
        </Card>
        <Card title="The box at checkout">
          <ModuleNotice view={view} module="checkout" />
          <SelectField path="fields.list" label="List" options={listOptions(view, "The default list")} />
          <TextField
            path="fields.label"
            label="Words beside the box"
            help="Kept with every signup as proof of consent."
          />
        </Card>
      </SettingsForm>
    );
  },
};

const AUDIENCE: Option[] = [
  { value: "consented", label: "Those who have confirmed a signup, and are active at the provider now" },
  { value: "all", label: "Everybody who typed an address" },
];

export const cartsPage: Page = {
  path: "/carts",
  title: TAB_TITLES.carts,
  lead: "One reminder of a cart that was left, with a link that brings it back.",
  group: "Shop",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="carts" />
        {view.app.settings.current().general.origins.length === 0 && (
          <Notice kind="warn">
            Set allowed origins in <a href={view.href("/general")}>General</a>{" "}
            to receive cart contents from pages. Until then, only carts that your shop's server signs are
            stored.
          </Notice>
        )}
        <SettingsForm view={view} tab="carts">
          <Card title="The reminder">
            <NumberField
              path="fields.delayMinutes"
              label="After"
              unit="minutes without a change"
              min={5}
              max={43_200}
            />
            <TextField
              path="fields.template"
              label="Mail"
              autocomplete="off"
              spellcheck={false}
              help={template}
            />
            <SelectField
              path="fields.audience"
              label="To"
              options={AUDIENCE}
              help="In many countries only those who have agreed may be mailed. With everybody, strangers can have your shop mail somebody once a day."
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
  processing: "Being prepared",
  completed: "Completed",
  refunded: "Refunded",
  cancelled: "Cancelled",
  failed: "Payment failed",
};

export const ordersPage: Page = {
  path: "/orders",
  title: TAB_TITLES.orders,
  lead: "A mail when an order comes to a status, once an order and status.",
  group: "Shop",
  capability: "view",
  render(view) {
    return (
      <>
        <ModuleNotice view={view} module="orderEmails" />
        <SettingsForm view={view} tab="orders">
          <Card title="Mail by status" lead={`${template} Empty: nobody is mailed about that status.`}>
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
