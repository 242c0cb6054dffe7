import { z } from "zod";
import { isLoopback } from "../../platform/config/config.ts";
import { isRange, LOCAL_RANGES } from "../../platform/http/visitor/ip_ranges.ts";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import type { ProviderField, ProviderTable } from "../../providers/module.ts";
import { PROVIDERS, SANDBOX } from "../../providers/providers.ts";
import { formTabs, requireConsentTexts } from "./form_schema.ts";
import { listId } from "./form_values.ts";
import { oneLine } from "./one_line.ts";
import { currency } from "./currency.ts";
import { timeZone } from "./time_zone.ts";

/** Settings by tab (decision 6). Every field has a default, so `{}` is valid for each tab. */

const origin = z.string().refine((value) => {
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
}, "must be an origin such as https://shop.example, without a path");

/** Without a trailing slash. Requires https, because keys are sent there, except for this machine. */
const shopUrl = z.string().trim().max(2000).transform((value) => value.replace(/\/+$/, "")).refine(
  (value) => {
    if (value === "") return true;
    const url = URL.parse(value);
    if (!url || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
      return false;
    }
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(value));
  },
  "must be a URL such as https://shop.example, with https and no query string",
);

/** Names of the settings that the providers of a table define. */
type FieldNames<Table> = {
  [Kind in keyof Table]: Table[Kind] extends { fields: infer Fields } ? keyof Fields & string : never;
}[keyof Table];
type ProviderShape = Record<FieldNames<typeof PROVIDERS>, ProviderField["schema"]>;

/** Returns the settings of all providers, with the type of the built-in ones. Others are read by name. */
function shapeOf(providers: ProviderTable): ProviderShape {
  const fields = Object.values(providers).flatMap((module) => Object.entries(module.fields));
  return Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])) as ProviderShape;
}

const generalTab = (providers: ProviderTable) =>
  z.strictObject({
    /** The email provider. */
    provider: z.enum(
      [SANDBOX, ...Object.keys(providers)],
      `must be one of ${[SANDBOX, ...Object.keys(providers)].join(", ")}`,
    ).default(SANDBOX),
    ...shapeOf(providers),
    defaultList: listId.default(""),
    knownLists: z.array(
      z.strictObject({ id: listId, name: oneLine(200), doubleOptIn: z.boolean().optional() }),
    ).max(500)
      .default([]),
    origins: z.array(origin).max(200).default([]),
    /** The site's time zone. Empty for that of this machine. */
    timeZone: timeZone.or(z.literal("")).default(""),
    modules: z.strictObject({
      webhooks: z.boolean().default(true),
      coupons: z.boolean().default(false),
      carts: z.boolean().default(false),
      checkout: z.boolean().default(false),
      contactSync: z.boolean().default(false),
      orderEmails: z.boolean().default(false),
    }).prefault({}),
  }).prefault({});

export const tabs = {
  general: generalTab(PROVIDERS),
  ...formTabs,
  coupon: z.strictObject({
    list: listId.default(""),
    kind: z.enum(["percent", "fixed"]).default("percent"),
    amount: z.number().positive().max(100_000).default(10),
    /** Of a fixed amount, for visitors: ISO 4217. Empty shows the number alone. */
    currency: currency.or(z.literal("")).default(""),
    validDays: z.number().int().min(1).max(3650).default(30),
    prefix: z.string().trim().regex(/^([A-Za-z0-9]{1,20})?$/, "must have at most 20 letters and digits")
      .default(
        "",
      ),
    template: oneLine(200).default(""),
  }).prefault({}).refine((coupon) => coupon.kind === "fixed" || coupon.amount <= 100, {
    path: ["amount"],
    message: "must be at most 100 for a percentage",
  }),
  privacy: z.strictObject({
    ipSource: z.enum(["default", "cf-connecting-ip", "x-forwarded-for", "x-real-ip"]).default("default"),
    trustedHops: z.number().int().min(1).max(20).default(1),
    /** Proxies whose forwarded header is trusted, as IPs and CIDR ranges. */
    trustedProxies: z.array(
      z.string().trim().refine(isRange, "must be an IP or a range such as 10.0.0.0/8 or 2001:db8::/32"),
    ).max(500).default([...LOCAL_RANGES]),
    /** Name of the organization that collects the addresses, shown on proofs of consent and invitations. */
    organization: oneLine(200).default(""),
    ipRetentionDays: z.number().int().min(1).max(3650).default(90),
    /** Days after which an expired or failed signup is deleted if it was never confirmed; 0 keeps it. */
    unconfirmedRetentionDays: z.number().int().min(0).max(3650).default(30),
  }).prefault({}),
  webhooks: z.strictObject({
    secret: oneLine(500).default(""),
    registeredUrl: oneLine(2000).default(""),
    registeredAt: z.number().int().default(0),
    /** The previous secret, accepted until `previousUntil` (Unix milliseconds). */
    previousSecret: oneLine(500).default(""),
    previousUntil: z.number().int().default(0),
  }).prefault({}),
  checkout: z.strictObject({
    list: listId.default(""),
    label: oneLine(200).default(""),
    /** Secret that signs the shop's orders. Without it, all orders are rejected. */
    secret: oneLine(500).default(""),
    /**
     * The shop system that sends orders and creates coupons. Its webhook URL ends with `/shop-hook/` and this
     * value.
     */
    shop: z.enum(SHOP_KINDS).default("generic"),
    /** URL for coupons: of the shop, or of the server for generic coupon requests. */
    shopUrl: shopUrl.default(""),
    /** WooCommerce's consumer key. Not used by other systems. */
    apiKey: oneLine(500).default(""),
    /** WooCommerce's consumer secret, or Shopify's Admin API access token. */
    apiSecret: oneLine(500).default(""),
  }).prefault({}),
  carts: z.strictObject({
    delayMinutes: z.number().int().min(5).max(60 * 24 * 30).default(60),
    template: oneLine(200).default(""),
    audience: z.enum(["consented", "all"]).default("consented"),
  }).prefault({}),
  /** Email templates by order status. A status without a template sends no email. */
  orders: z.strictObject({ templates: z.partialRecord(z.enum(ORDER_STATUSES), oneLine(200)).default({}) })
    .prefault({}),
} as const;

export type Tab = keyof typeof tabs;

export const SettingsSchema = z.strictObject(tabs);

/** Returns the schema with the settings of these providers instead of the built-in ones. */
export function settingsSchema(providers: ProviderTable): typeof SettingsSchema {
  return z.strictObject({ ...tabs, general: generalTab(providers) });
}

/** Returns the schema of all settings together, which also checks what depends on several tabs. */
export function wholeSettingsSchema(providers: ProviderTable): typeof SettingsSchema {
  return settingsSchema(providers).superRefine(requireConsentTexts);
}

export type Settings = z.output<typeof SettingsSchema>;
/** The settings in a config file: any part of any tab. */
export type PartialSettings = z.input<typeof SettingsSchema>;

/** Secrets of the tabs, except the fields of providers, which declare it themselves. */
const OWN_SECRETS: readonly (readonly [Tab, string])[] = [
  ["webhooks", "secret"],
  ["webhooks", "previousSecret"],
  ["checkout", "secret"],
  ["checkout", "apiKey"],
  ["checkout", "apiSecret"],
];

/** Returns the fields that are sealed before they reach the database, as `[tab, field]`. */
export function secretFields(providers: ProviderTable = PROVIDERS): readonly (readonly [Tab, string])[] {
  const named = Object.values(providers).flatMap(({ fields }) => Object.entries(fields));
  return [
    ...named.filter(([, { secret }]) => secret).map(([name]) => ["general", name] as const),
    ...OWN_SECRETS,
  ];
}

/** Returns the secrets in a complete or partial tree of settings. */
export function secretsIn(tree: Readonly<Record<string, unknown>>, providers?: ProviderTable): string[] {
  return secretFields(providers).flatMap(([tab, field]) => {
    const secret = (tree[tab] as Record<string, unknown> | undefined)?.[field];
    return typeof secret === "string" ? [secret] : [];
  });
}
