import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { settingAt, type SettingPath, type Settings, type Tab } from "../../settings/schema/schema.ts";
import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { check, type Found } from "./check.ts";

const SHOP_LINE = "the shop is connected";
const LIST = new Intl.ListFormat("en");

/** Returns missing settings in words, such as "the shop's secret and the shop URL". @param paths such as `checkout.secret` */
export function missingText(paths: readonly string[]): string {
  return LIST.format(paths.map((path) => settingAt(path as SettingPath).about.noun ?? path));
}

const inCheckout = (fields: readonly string[]) => fields.map((field) => `checkout.${field}`);
const takesOrders = ({ checkout, contactSync, orderEmails }: Settings["general"]["modules"]) =>
  checkout || contactSync || orderEmails;

/** Links to a page of settings, by its tab. */
const linkTo = (tab: Tab) => ({ to: `/${tab}`, label: `Go to ${TAB_TITLES[tab]}` });

/** A module that is on, but whose emails the provider can't send. */
const noTemplates = (
  id: string,
  { on, can, what, effect, pages }: {
    on: keyof Settings["general"]["modules"];
    can: "transactional" | "triggered";
    what: string;
    effect: string;
    pages: readonly string[];
  },
) =>
  check(id, "bad", {
    in: { overview: true, doctor: SHOP_LINE, pages },
    reads: ["settings", "capabilities"],
    find: ({ settings, capabilities }) =>
      settings.general.modules[on] && !capabilities[can] && {
        what: `${what} are on, but your provider cannot send emails from a template: ${effect}.`,
        why: "No setting of cfbe changes that.",
        todo: `Turn them off in ${TAB_TITLES.general}, or move to a provider that can.`,
        link: linkTo("general"),
      },
  });

/** Returns the problem of a module that lacks settings, if it does. */
const incomplete = (
  missing: readonly string[],
  { tab, what, retried = true }: { tab: Tab; what: string; retried?: boolean },
): Found | false =>
  missing.length > 0 && {
    what: `${what} until you enter ${missingText(missing)} on the ${TAB_TITLES[tab]} page.`,
    why: `Not set: ${missing.join(", ")}.`,
    todo: retried
      ? `What is due is retried for three days and then fails. Then run \`${cfbeCommand()} jobs retry --all\`.`
      : "Enter the same secret in the shop. Signups at checkout are lost until then.",
    ...(retried && {
      todoForOthers: "What is due is retried for three days and then fails. Failed jobs can be retried.",
    }),
    link: linkTo(tab),
  };

/** The modules that need the shop or email templates, while they are on. */
export const moduleChecks = [
  check("shop.orders", "bad", {
    in: { overview: true, doctor: SHOP_LINE, pages: ["/checkout", "/orders"] },
    reads: ["settings", "shop"],
    find({ settings: { general: { modules } }, shop }) {
      if (!takesOrders(modules)) {
        return !modules.coupons && !modules.carts && {
          skipped:
            "Nothing uses the shop: orders, coupons and abandoned carts are off. Turn them on in General if you need them.",
        };
      }
      return incomplete(inCheckout(shop.missingSettings().orders), {
        tab: "checkout",
        what: "The shop is not connected: its orders are rejected",
        retried: false,
      });
    },
  }),
  check("shop.coupons", "bad", {
    in: { overview: true, doctor: SHOP_LINE, pages: ["/checkout", "/coupon"] },
    reads: ["settings", "shop", "capabilities"],
    find({ settings: { general: { modules }, coupon }, shop, capabilities }) {
      if (!modules.coupons || !capabilities.transactional) return undefined;
      const missing = shop.capabilities.coupons
        ? [
          ...inCheckout(shop.missingSettings().coupons),
          ...(coupon.template === "" ? ["coupon.template"] : []),
        ]
        : ["checkout.shop"];
      return incomplete(missing, {
        tab: "coupon",
        what: "Coupons are incomplete: nobody receives one",
      });
    },
  }),
  noTemplates("coupons.provider", {
    on: "coupons",
    can: "transactional",
    what: "Coupons",
    effect: "nobody receives one",
    pages: ["/checkout", "/coupon"],
  }),
  check("coupons.failing", "warn", {
    in: { overview: true },
    reads: ["couponTrouble"],
    find: ({ couponTrouble }) =>
      couponTrouble !== undefined && {
        what: `Discount codes can't be created: ${asSentence(couponTrouble)}`,
        todo:
          "New subscribers wait for their codes, for up to three days. Fix the cause, then create a test code to check it.",
        link: linkTo("coupon"),
      },
  }),
  check("carts.template", "bad", {
    in: { overview: true, doctor: SHOP_LINE, pages: ["/carts"] },
    reads: ["settings", "capabilities"],
    find: ({ settings: { general: { modules }, carts }, capabilities }) =>
      modules.carts && capabilities.triggered && carts.template === "" &&
      incomplete(["carts.template"], {
        tab: "carts",
        what: "Abandoned cart emails are incomplete: no reminders are sent",
      }),
  }),
  noTemplates("carts.provider", {
    on: "carts",
    can: "triggered",
    what: "Abandoned cart emails",
    effect: "no reminders are sent",
    pages: ["/carts"],
  }),
  check("carts.origins", "warn", {
    in: { doctor: SHOP_LINE },
    reads: ["settings"],
    find: ({ settings: { general: { modules, origins } } }) =>
      modules.carts && origins.length === 0 && {
        what: "Abandoned cart emails are on, but no allowed origins are set.",
        why: "Carts sent by pages are rejected, so only carts signed by the shop's server get a reminder.",
        todo: "On the General page, set the allowed origins to those of your shop's pages.",
      },
  }),
  noTemplates("orders.provider", {
    on: "orderEmails",
    can: "transactional",
    what: "Order emails",
    effect: "none is sent",
    pages: ["/orders"],
  }),
];
