import { type Check, type DoctorDeps, type Finding, finding } from "./finding.ts";

/** Whether the modules that need the shop have what they need of it. */
export const shopCheck: Check = { name: "the shop is connected", look };

function look({ settings, shop }: DoctorDeps): Promise<Finding[] | "skipped"> {
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
      why: `Every order that the shop (${name}) tells of is refused.`,
      todo: "Set it on the Checkout tab, and the same in the shop.",
    }));
  }
  if (modules.coupons && !capabilities.coupons) {
    findings.push(finding("error", "shop.coupons", {
      what: `The module coupons is on, and ${name} makes no coupons.`,
      why: "Nobody gets a coupon.",
      todo: "Switch the module off, or choose another shop system on the Checkout tab.",
    }));
  } else if (modules.coupons && (coupons.length > 0 || coupon.template === "")) {
    const missing = [fields(coupons), coupon.template === "" ? "coupon.template" : ""].filter((part) =>
      part !== ""
    );
    findings.push(finding("error", "shop.coupons", {
      what: `The module coupons is on, and not set: ${missing.join(", ")}.`,
      why: "Coupons wait, three days at most, and then lie in the list of dead jobs.",
      todo: "Set it, then run: deno task cfbe jobs retry --all",
    }));
  }
  if (modules.carts && origins.length === 0) {
    findings.push(finding("warning", "carts.origins", {
      what: "The module carts is on, and no allowed origins are set.",
      why: "Cart contents from pages are refused, so only carts that the shop's server signs get a reminder.",
      todo: "Set allowed origins on the General tab: the addresses of your shop's pages.",
    }));
  }
  return Promise.resolve(findings);
}
