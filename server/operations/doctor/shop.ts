import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type IncompleteModule, incompleteModules } from "../alerts/incomplete_modules.ts";
import { isLimitOfProvider } from "../alerts/incomplete_module_texts.ts";
import { type Check, type DoctorDeps, type Finding, finding, type Skipped } from "./finding.ts";

/** Checks that the modules that need the shop are configured. */
export const shopCheck: Check = { name: "the shop is connected", run: checkShop };

function checkShop({ settings, shop, provider }: DoctorDeps): Promise<Finding[] | Skipped> {
  const current = settings.current();
  const { modules, origins } = current.general;
  const takesOrders = modules.checkout || modules.contactSync || modules.orderEmails;
  if (!takesOrders && !modules.coupons && !modules.carts) {
    return Promise.resolve({
      skipped:
        "Nothing uses the shop: orders, coupons and abandoned carts are off. Turn them on in General if you need them.",
    });
  }
  const findings = incompleteModules(current, shop(), provider.capabilities).map((incomplete) =>
    isLimitOfProvider(incomplete)
      ? LIMITS[incomplete.module as keyof typeof LIMITS]
      : FINDINGS[incomplete.module as keyof typeof FINDINGS](incomplete.missing, shop().name)
  );
  if (modules.carts && origins.length === 0) {
    findings.push(finding("warning", "carts.origins", {
      what: "Abandoned cart emails are on, but no allowed origins are set.",
      why: "Carts sent by pages are rejected, so only carts signed by the shop's server get a reminder.",
      todo: "On the General page, set the allowed origins to those of your shop's pages.",
    }));
  }
  return Promise.resolve(findings);
}

const noTemplates = (module: string, what: string, why: string) =>
  finding("error", `${module}.provider`, {
    what: `${what} are on, but the provider cannot send emails from a template.`,
    why,
    todo: `Turn ${module === "orders" ? "order emails" : module} off in General, or use a provider that can.`,
  });

/** What no setting solves. */
const LIMITS = {
  coupons: noTemplates("coupons", "Coupons", "Nobody receives a coupon."),
  carts: noTemplates("carts", "Abandoned cart emails", "No reminder is sent."),
  orderEmails: noTemplates("orders", "Order emails", "No email about an order is sent."),
} satisfies Partial<Record<IncompleteModule["module"], Finding>>;

const FINDINGS: Record<
  Exclude<IncompleteModule["module"], "orderEmails">,
  (missing: string[], shop: string) => Finding
> = {
  orders: (missing, shop) =>
    finding("error", "shop.orders", {
      what: `Not set: ${missing.join(", ")}.`,
      why: `All orders from the shop (${shop}) are rejected.`,
      todo: "Set it on the Checkout page, and the same value in the shop.",
    }),
  coupons: (missing, shop) =>
    missing.includes("checkout.shop")
      ? finding("error", "shop.coupons", {
        what: `Coupons are on, but ${shop} cannot create coupons.`,
        why: "Nobody receives a coupon.",
        todo: "Turn off coupons, or select another shop system on the Checkout page.",
      })
      : finding("error", "shop.coupons", {
        what: `Coupons are on, but not set: ${missing.join(", ")}.`,
        why: "Coupon jobs wait up to three days and then fail.",
        todo: `Set them on the Coupons page, then run: ${cfbeCommand()} jobs retry --all`,
      }),
  carts: (missing) =>
    finding("error", "carts.template", {
      what: `Abandoned cart emails are on, but not set: ${missing.join(", ")}.`,
      why: "Reminders wait up to three days and then fail.",
      todo: `Set it on the Carts page, then run: ${cfbeCommand()} jobs retry --all`,
    }),
};
