import { z } from "zod";
import { httpUrl, isLoopback, shownHttpUrl } from "../../platform/config/config.ts";
import { isRange, LOCAL_RANGES } from "../../platform/http/visitor/ip_ranges.ts";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { ORDER_STATUSES } from "../../../shared/order_statuses.ts";
import type { ProviderField, ProviderTable } from "../../providers/module.ts";
import { PROVIDERS, SANDBOX } from "../../providers/providers.ts";
import { formTabs, requireConsentTexts } from "./form_schema.ts";
import { listId } from "./form_values.ts";
import { oneLine } from "./one_line.ts";
import { currency } from "./currency.ts";
import { ABOUT, either, secretsAmong, type Setting, settingsIn } from "../../platform/config/setting.ts";
import { timeZone } from "./time_zone.ts";

/**
 * Settings by tab (decision 6). Every field has a default, so `{}` is valid for each tab. The admin's inputs, secrets,
 * environment variables, the command line, docs/configure.md and OpenAPI derive from what is registered here.
 */

const origin = z.string().refine((value) => {
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
}, "must be an origin such as https://shop.example, without a path");

/** Called without a key, so http is enough, as for a site on this machine. */
/** Requests are signed, so it needs no credentials, which everybody who can open the admin would see. */
const purgeUrl = shownHttpUrl("a URL that empties a page cache").pipe(z.string().max(500));

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
  const fields = Object.values(providers).flatMap(({ title, fields }) =>
    Object.entries(fields).map(([name, { schema, ...field }]) =>
      [name, schema.register(ABOUT, { provider: title, ...field })] as const
    )
  );
  return Object.fromEntries(fields) as ProviderShape;
}

const generalTab = (providers: ProviderTable) => {
  const kinds = [SANDBOX, ...Object.keys(providers)];
  return z.strictObject({
    provider: z.enum(kinds, `must be one of ${kinds.join(", ")}`).default(SANDBOX).register(ABOUT, {
      label: "Provider",
      help: "The email provider.",
      variable: "CFBE_PROVIDER",
      inVariable: z.enum(kinds, `must be ${either(kinds)}`),
    }),
    ...shapeOf(providers),
    defaultList: listId.default("").register(ABOUT, {
      label: "Default list",
      help: "Used by every form that has no list of its own.",
    }),
    knownLists: z.array(
      z.strictObject({ id: listId, name: oneLine(200), doubleOptIn: z.boolean().optional() }),
    ).max(500).default([]).register(ABOUT, {
      label: "Known lists",
      help: "The lists at the provider, each with `id`, `name` and `doubleOptIn`. The admin loads them.",
    }),
    origins: z.array(origin).max(200).default([]).register(ABOUT, {
      label: "Sites that may show your forms",
      help:
        "The origin of each site: its address without a path, one per line. Pages on other sites show no form, and the Overview names these sites. Leave empty to let any site show your forms.",
      placeholder: "https://shop.example",
    }),
    timeZone: timeZone.or(z.literal("")).default("").register(ABOUT, {
      label: "Time zone of the site",
      help:
        "Days in the admin, the weekly summary, schedules of forms, and times in their targeting that name no zone of their own. Schedules keep what the clock shows: if you choose another zone, forms start and end earlier or later.",
    }),
    purgeUrls: z.array(purgeUrl).max(10).default([]).register(ABOUT, {
      label: "Purge URLs",
      help:
        "One URL per line. After you save settings that change your pages, cfbe calls each, so that it empties its page cache. WordPress shows its URL under Settings → cfbe.",
      placeholder: "https://shop.example/wp-json/cfbe-bridge/v1/purge",
    }),
    modules: z.strictObject({
      webhooks: z.boolean().default(true).register(ABOUT, {
        label: "Inbound webhooks",
        help: "Forward every authenticated webhook to your own code.",
      }),
      coupons: z.boolean().default(false).register(ABOUT, {
        label: "Coupons",
        help: "Send each confirmed subscriber one coupon.",
      }),
      carts: z.boolean().default(false).register(ABOUT, {
        label: "Abandoned cart emails",
        help: "Send one reminder about an abandoned cart.",
      }),
      checkout: z.boolean().default(false).register(ABOUT, {
        label: "Signup at checkout",
        help: "Accept signups from a checkbox at checkout.",
      }),
      contactSync: z.boolean().default(false).register(ABOUT, {
        label: "Contact sync",
        help: "Send everyone who orders to the provider.",
      }),
      orderEmails: z.boolean().default(false).register(ABOUT, {
        label: "Order emails",
        help: "Send an email when an order changes its status.",
      }),
    }).prefault({}),
  }).prefault({});
};

const TEMPLATE_HELP = "ID of the transactional email at the provider.";
const secret = () => oneLine(500).default("");

export const tabs = {
  general: generalTab(PROVIDERS),
  ...formTabs,
  coupon: z.strictObject({
    list: listId.default("").register(ABOUT, { label: "List" }),
    kind: z.enum(["percent", "fixed"]).default("percent").register(ABOUT, {
      label: "Type",
      choices: { percent: "Percentage", fixed: "Fixed amount in the shop's currency" },
    }),
    amount: z.number().positive().max(100_000).default(10).register(ABOUT, { label: "Amount" }),
    currency: currency.or(z.literal("")).default("").register(ABOUT, {
      label: "Currency",
      help: "Three letters, as in EUR. Promo bars show it with a fixed amount, in the visitor's language.",
      placeholder: "EUR",
      code: true,
    }),
    validDays: z.number().int().min(1).max(3650).default(30).register(ABOUT, {
      label: "Valid for",
      unit: "days",
      help: "Until the end of the last day in the last time zone (UTC−12).",
    }),
    prefix: z.string().trim().regex(/^([A-Za-z0-9]{1,20})?$/, "must have at most 20 letters and digits")
      .default("").register(ABOUT, {
        label: "Code prefix",
        help: "Letters and digits at the start of every code, as in HELLO-K7MPC-9XQ4D-WTRH3.",
        placeholder: "HELLO",
        code: true,
      }),
    template: oneLine(200).default("").register(ABOUT, {
      label: "Email template",
      noun: "an email template",
      help: TEMPLATE_HELP,
      code: true,
    }),
  }).prefault({}).refine((coupon) => coupon.kind === "fixed" || coupon.amount <= 100, {
    path: ["amount"],
    message: "must be at most 100 for a percentage",
  }),
  privacy: z.strictObject({
    ipSource: z.enum(["default", "cf-connecting-ip", "x-forwarded-for", "x-real-ip"]).default("default")
      .register(ABOUT, {
        label: "IP source",
        choices: {
          default: "Direct connection",
          "cf-connecting-ip": "CF-Connecting-IP (Cloudflare)",
          "x-forwarded-for": "X-Forwarded-For (proxy or load balancer)",
          "x-real-ip": "X-Real-IP (proxy)",
        },
      }),
    trustedHops: z.number().int().min(1).max(20).default(1).register(ABOUT, {
      label: "Number of proxies",
      help: "For X-Forwarded-For: number of trusted proxies, counted from the right.",
    }),
    trustedProxies: z.array(
      z.string().trim().refine(isRange, "must be an IP or a range such as 10.0.0.0/8 or 2001:db8::/32"),
    ).max(500).default([...LOCAL_RANGES]).register(ABOUT, {
      label: "Trusted proxies",
      help:
        "One IP or range per line, such as `203.0.113.7` or `10.0.0.0/8`. cfbe reads the header only on connections from these. By default: this machine and private networks.",
      placeholder: "10.0.0.0/8",
    }),
    organization: oneLine(200).default("").register(ABOUT, {
      label: "Organization",
      help:
        "Who collects the addresses, such as Example Ltd. Shown on printed proofs of consent and on invitations.",
    }),
    ipRetentionDays: z.number().int().min(1).max(3650).default(90).register(ABOUT, {
      label: "Delete IP addresses after",
      unit: "days",
      help: "The rest of the consent record is kept.",
    }),
    unconfirmedRetentionDays: z.number().int().min(0).max(3650).default(30).register(ABOUT, {
      label: "Delete unconfirmed signups after",
      unit: "days",
      help:
        "Counted from the day a signup expired (30 days after it was last made) or failed. 0 keeps them forever.",
    }),
    attackMode: z.enum(["auto", "on", "off"]).default("auto").register(ABOUT, {
      label: "Attack mode",
      help:
        "During an attack, browsers solve a small computing task before a signup, and cfbe drops signups without a solution. Visitors notice at most a short wait.",
      choices: { auto: "On during an attack", on: "Always on", off: "Always off" },
    }),
    attackNetworkSignups: z.number().int().min(1).max(100_000).default(80).register(ABOUT, {
      label: "Signups from one network",
      unit: "per hour",
      help: "More than these are an attack. A network is a /24 of IPv4, or a /48 or /56 of IPv6.",
    }),
    attackSignups: z.number().int().min(1).max(100_000).default(40).register(ABOUT, {
      label: "Signups that hardly anybody confirms",
      unit: "more than usual",
      help:
        "So many more than usual in an hour or a day are an attack if less than a quarter of the expected part is confirmed.",
    }),
    attackTokenSignups: z.number().int().min(1).max(100_000).default(60).register(ABOUT, {
      label: "Signups with one form token",
      unit: "per hour",
      help: "More than these are an attack if hardly anybody confirms.",
    }),
    attackHold: z.boolean().default(false).register(ABOUT, {
      label: "Hold confirmation emails during an attack",
      help:
        "Signups are accepted, and their confirmation emails wait until accepted signups no longer look like an attack, at most for a day. Cancel those of bots on the Jobs page.",
    }),
    attackCalmMinutes: z.number().int().min(1).max(1440).default(30).register(ABOUT, {
      label: "End attack mode after",
      unit: "minutes",
      help: "For so long, there must be no sign of an attack.",
    }),
  }).prefault({}),
  webhooks: z.strictObject({
    secret: secret().register(ABOUT, {
      label: "Secret",
      help: "Automation steps of the provider send it as `X-CFBE-Secret`.",
      secret: true,
      variable: "CFBE_WEBHOOK_SECRET",
    }),
    registeredUrl: oneLine(2000).default(""),
    registeredAt: z.number().int().default(0),
    /** Accepted until `previousUntil` (Unix milliseconds). */
    previousSecret: secret().register(ABOUT, { label: "Previous secret", secret: true, internal: true }),
    previousUntil: z.number().int().default(0),
  }).prefault({}),
  checkout: z.strictObject({
    list: listId.default("").register(ABOUT, { label: "List" }),
    label: oneLine(200).default("").register(ABOUT, {
      label: "Checkbox label",
      help: "Stored with every signup as proof of consent.",
    }),
    secret: secret().register(ABOUT, {
      label: "Secret",
      noun: "the shop's secret",
      help: "Secret used to sign order webhooks. Without it, all orders are rejected.",
      secret: true,
      variable: "CFBE_SHOP_SECRET",
      inVariable: z.string().min(16, "must have at least 16 characters"),
    }),
    /** Its webhook URL ends with `/shop-hook/` and this value. */
    shop: z.enum(SHOP_KINDS).default("generic").register(ABOUT, {
      label: "Shop system",
      noun: "a shop system that can create coupons",
      choices: {
        generic: "Other (generic webhook)",
        woocommerce: "WooCommerce",
        shopify: "Shopify",
      },
      variable: "CFBE_SHOP",
      inVariable: z.enum(SHOP_KINDS, `must be one of ${SHOP_KINDS.join(", ")}`),
    }),
    /** Of the shop, or of the server for generic coupon requests. */
    shopUrl: shopUrl.default("").register(ABOUT, {
      label: "Shop URL",
      noun: "the shop URL",
      help: "The shop where coupons are created.",
      placeholder: "https://shop.example",
      variable: "CFBE_SHOP_URL",
      inVariable: httpUrl("the URL of the shop"),
    }),
    apiKey: secret().register(ABOUT, {
      label: "Consumer key",
      noun: "the consumer key",
      help:
        "In WooCommerce, open Settings → Advanced → REST API and add a key with the permission Read/Write. It shows the consumer key and the consumer secret once.",
      secret: true,
      variable: "CFBE_SHOP_API_KEY",
    }),
    apiSecret: secret().register(ABOUT, {
      label: "Consumer secret or access token",
      noun: "the consumer secret or access token",
      help: "The WooCommerce consumer secret, or the Shopify Admin API access token.",
      secret: true,
      variable: "CFBE_SHOP_API_SECRET",
    }),
  }).prefault({}),
  carts: z.strictObject({
    delayMinutes: z.number().int().min(5).max(60 * 24 * 30).default(60).register(ABOUT, {
      label: "Send after",
      unit: "minutes without changes",
    }),
    template: oneLine(200).default("").register(ABOUT, {
      label: "Email template",
      noun: "an email template",
      help: TEMPLATE_HELP,
      code: true,
    }),
    audience: z.enum(["consented", "all"]).default("consented").register(ABOUT, {
      label: "Recipients",
      help:
        "In many countries, you may email only people who have agreed to it. If you email everyone, strangers can make your shop email someone once per day.",
      choices: {
        consented: "Confirmed subscribers who are active at the provider",
        all: "Everyone who entered an email address",
      },
    }),
  }).prefault({}),
  orders: z.strictObject({
    templates: z.partialRecord(z.enum(ORDER_STATUSES), oneLine(200)).default({}).register(ABOUT, {
      label: "Email template by status",
      help: `${TEMPLATE_HELP} Leave empty to send no email for that status.`,
      choices: {
        pending: "Awaiting payment",
        "on-hold": "On hold",
        processing: "Processing",
        completed: "Completed",
        refunded: "Refunded",
        cancelled: "Canceled",
        failed: "Payment failed",
      } satisfies Record<typeof ORDER_STATUSES[number], string>,
    }),
  }).prefault({}),
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

/** The path of a setting that no provider defines. */
export type SettingPath =
  | { [T in Tab]: `${T}.${Exclude<keyof Settings[T] & string, "modules">}` }[Tab]
  | `general.modules.${keyof Settings["general"]["modules"]}`;

const declared = new WeakMap<ProviderTable, Setting[]>();

/** Returns all settings. */
export function settingsOf(providers: ProviderTable = PROVIDERS): readonly Setting[] {
  const known = declared.get(providers) ?? settingsIn(settingsSchema(providers));
  declared.set(providers, known);
  return known;
}

/** Returns the setting at a path. */
export function settingAt(path: SettingPath): Setting {
  return settingsOf().find((setting) => setting.path === path)!;
}

/** Returns the fields that are sealed before they reach the database, as `[tab, field]`. */
export function secretFields(providers?: ProviderTable): readonly (readonly [Tab, string])[] {
  return secretsAmong(settingsOf(providers)) as [Tab, string][];
}

/** Returns the secrets in a complete or partial tree of settings. */
export function secretsIn(tree: Readonly<Record<string, unknown>>, providers?: ProviderTable): string[] {
  return secretFields(providers).flatMap(([tab, field]) => {
    const secret = (tree[tab] as Record<string, unknown> | undefined)?.[field];
    return typeof secret === "string" ? [secret] : [];
  });
}
