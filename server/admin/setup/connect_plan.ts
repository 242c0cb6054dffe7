import type { ConnectRequest } from "../../platform/tokens/sites/connect_request.ts";
import type { SiteModule } from "../../platform/tokens/sites/row.ts";
import type { Scope } from "../../platform/tokens/scopes.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { TabEdit } from "../../settings/forms/form_edits.ts";

/** What an admin chooses for a site that asks to be connected. */
export interface ConnectChoices {
  /** Lets WordPress's tools for personal data read and erase people. */
  personal: boolean;
  /** Reads the shop's orders, and signs up who ticks the box at the checkout. */
  checkout: boolean;
  /** Reads the shop's orders, and reminds of abandoned carts. */
  carts: boolean;
  /** Stops sites without an allowed origin from embedding forms, if there are no allowed origins yet. */
  only: boolean;
}

/** What connecting a site sets in cfbe. */
export interface ConnectPlan {
  scopes: Scope[];
  modules: SiteModule[];
  edits: TabEdit[];
  origin: {
    value: string;
    /** `any`: there are no allowed origins, so every site may embed forms. `locked`: it has to be added elsewhere. */
    state: "allowed" | "added" | "any" | "locked";
  };
  /** Why cfbe reads no orders of the site's shop; undefined if it can, or if the site has none. */
  noOrders?: "other-shop" | "locked";
}

const MODULES: readonly SiteModule[] = ["checkout", "carts"];

/** Returns the choices that an admin is shown first. */
export function firstChoices(
  { general: { modules } }: Settings,
  { hasShop }: ConnectRequest,
): ConnectChoices {
  return { personal: false, checkout: hasShop, carts: hasShop && modules.carts, only: false };
}

/**
 * Decides what connecting a site sets.
 *
 * @param isLocked whether a setting is set outside of the admin
 */
export function connectPlan(
  { general, checkout }: Pick<Settings, "general" | "checkout">,
  isLocked: (path: string) => boolean,
  { url, hasShop }: Pick<ConnectRequest, "url" | "hasShop">,
  choices: ConnectChoices,
): ConnectPlan {
  const origin = originPlan(general.origins, isLocked("general.origins"), new URL(url).origin, choices);
  const noOrders = hasShop ? whyNoOrders(checkout, isLocked) : undefined;
  const modules = MODULES.filter((module) => hasShop && !noOrders && choices[module]);
  const off = modules.filter((module) => !general.modules[module] && !isLocked(`general.modules.${module}`));
  const generalFields = {
    ...(origin.state === "added" && { origins: [...general.origins, origin.value] }),
    ...(off.length > 0 && {
      modules: { ...general.modules, ...Object.fromEntries(off.map((module) => [module, true])) },
    }),
  };
  const isNewShop = modules.length > 0 && checkout.shop !== "woocommerce";
  return {
    scopes: ["read", "signup", ...(choices.personal ? ["people" as const] : [])],
    modules,
    edits: [
      ...(Object.keys(generalFields).length > 0
        ? [{
          tab: "general" as const,
          fields: generalFields,
          // Only what changes: other modules may be set elsewhere.
          fixedBy: {
            ...(generalFields.origins && { origins: generalFields.origins }),
            ...(off.length > 0 && { modules: Object.fromEntries(off.map((module) => [module, true])) }),
          },
        }]
        : []),
      ...(isNewShop ? [{ tab: "checkout" as const, fields: { shop: "woocommerce" } }] : []),
    ],
    origin,
    ...(noOrders && { noOrders }),
  };
}

function originPlan(
  origins: readonly string[],
  locked: boolean,
  value: string,
  { only }: ConnectChoices,
): ConnectPlan["origin"] {
  if (origins.includes(value)) return { value, state: "allowed" };
  // Without any, all sites may embed forms: the first one would shut out the others.
  if (origins.length === 0 && !only) return { value, state: "any" };
  return { value, state: locked ? "locked" : "added" };
}

/** A shop system that is in use is never replaced. */
function whyNoOrders(
  { shop, secret, shopUrl }: Settings["checkout"],
  isLocked: (path: string) => boolean,
): ConnectPlan["noOrders"] {
  if (shop === "woocommerce") return undefined;
  if (secret !== "" || shopUrl !== "") return "other-shop";
  return isLocked("checkout.shop") ? "locked" : undefined;
}
