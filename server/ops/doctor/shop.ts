import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

/** Checks that the modules that need the shop are configured. */
export const shopCheck: Check = { name: "the shop is connected", run: checkShop };

function checkShop({ settings, shop }: DoctorDeps): Promise<Finding[] | "skipped"> {
  const { general: { modules, origins }, coupon } = settings.current();
  const takesOrders = modules.checkout || modules.contactSync || modules.orderEmails;
  if (!takesOrders && !modules.coupons && !modules.carts) return Promise.resolve("skipped");
  const { name, capabilities, missingSettings } = shop();
  const { orders, coupons } = missingSettings();
  const findings: Finding[] = [];
  const fields = (missing: string[]) => missing.map((field) => `checkout.${field}`).join(", ");
  if (takesOrders && orders.length > 0) {
    findings.push(finding("error", "shop.orders", {
      what: `Not set: ${fields(orders)}.`,
      why: `All orders from the shop (${name}) are rejected.`,
      todo: "Set it on the Checkout page, and the same value in the shop.",
    }));
  }
  if (modules.coupons && !capabilities.coupons) {
    findings.push(finding("error", "shop.coupons", {
      what: `Coupons are on, but ${name} cannot create coupons.`,
      why: "Nobody receives a coupon.",
      todo: "Turn off coupons, or select another shop system on the Checkout page.",
    }));
  } else if (modules.coupons && (coupons.length > 0 || coupon.template === "")) {
    const missing = [fields(coupons), coupon.template === "" ? "coupon.template" : ""].filter((part) =>
      part !== ""
    );
    findings.push(finding("error", "shop.coupons", {
      what: `Coupons are on, but not set: ${missing.join(", ")}.`,
      why: "Coupon jobs wait up to three days and then fail.",
      todo: "Set them, then run: deno task cfbe jobs retry --all",
    }));
  }
  if (modules.carts && origins.length === 0) {
    findings.push(finding("warning", "carts.origins", {
      what: "Abandoned cart emails are on, but no allowed origins are set.",
      why: "Carts sent by pages are rejected, so only carts signed by the shop's server get a reminder.",
      todo: "On the General page, set the allowed origins to those of your shop's pages.",
    }));
  }
  return Promise.resolve(findings);
}
