import type { Cart, CartItem } from "../../shared/contract.ts";
import type { Settings } from "../settings/schema.ts";
import type { SentCart } from "./cart.ts";

/**
 * Anybody can send a cart for any address, and its content ends up in an email that the shop sends. These rules keep
 * that email from carrying a stranger's links and images.
 */

/** Returns the origins that are the shop's own: the allowed origins, the connected shop's, and this service's. */
export function ownOrigins(
  { general, checkout }: Pick<Settings, "general" | "checkout">,
  baseUrl: string,
): ReadonlySet<string> {
  const addresses = [...general.origins, checkout.shopUrl, baseUrl];
  return new Set(addresses.filter((address) => address !== "").map((address) => new URL(address).origin));
}

/**
 * Returns the part of a cart that an email may carry: names without web addresses, links and images of the shop's own
 * origins. Applied when a cart arrives, and again when it is mailed or restored, since the settings may have changed.
 *
 * @param own from `ownOrigins`
 * @returns undefined when the cart itself lies on a foreign origin, so that nothing may lead to it
 */
export function ownContent(
  { items, total, currency, url }: SentCart,
  own: ReadonlySet<string>,
): Cart | undefined {
  if (!isOwn(url, own)) return undefined;
  return { items: items.map((item) => ownItem(item, own)), total, currency, url };
}

function ownItem(
  { id, name, quantity, price, url, image }: SentCart["items"][number],
  own: ReadonlySet<string>,
): CartItem {
  return {
    id,
    name: withoutAddresses(name),
    quantity,
    ...(price !== undefined && { price }),
    ...(isOwn(url, own) && { url }),
    ...(isOwn(image, own) && { image }),
  };
}

function isOwn(address: string | undefined, own: ReadonlySet<string>): address is string {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && own.has(url.origin);
}

/** A dot that may be the one of a domain, also in the forms that browsers read as a dot. */
const DOMAIN_DOT = /(?<=\S)[.\u2024\u3002\uff0e\uff61](?=\p{L})/gu;

/**
 * Breaks up what a mail program would turn into a link. A space behind the dot leaves names like "Node.js" readable,
 * which dropping the item would not.
 */
function withoutAddresses(name: string): string {
  return name.replace(/:\/\/+/g, ": ").replace(DOMAIN_DOT, ". ");
}
