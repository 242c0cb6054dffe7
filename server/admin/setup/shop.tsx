import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import type { Page } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { NumberField, type Option, SelectField, TextField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { listOptions } from "./list_options.ts";
import { IncompleteNotice, ModuleNotice } from "./module_notices.tsx";
import { ShopFields } from "./shop_fields.tsx";

const TEMPLATE_HELP = "ID of the transactional email at the provider.";

export const checkoutPage: Page = {
  path: "/checkout",
  title: TAB_TITLES.checkout,
  lead: "Connect your shop and the newsletter checkbox at checkout.",
  group: "Shop",
  icon: "checkout",
  capability: "view",
  render(view) {
    return (
      <SettingsForm view={view} tab="checkout">
        <IncompleteNotice view={view} module="orders" />
        <IncompleteNotice view={view} module="coupons" />
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
