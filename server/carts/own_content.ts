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
  const ownUrl = ownAddress(url, own);
  if (ownUrl === undefined) return undefined;
  return { items: items.map((item) => ownItem(item, own)), total, currency, url: ownUrl };
}

function ownItem(
  { id, name, quantity, price, url, image }: SentCart["items"][number],
  own: ReadonlySet<string>,
): CartItem {
  const ownUrl = ownAddress(url, own);
  const ownImage = ownAddress(image, own);
  return {
    id,
    name: withoutAddresses(name),
    quantity,
    ...(price !== undefined && { price }),
    ...(ownUrl !== undefined && { url: ownUrl }),
    ...(ownImage !== undefined && { image: ownImage }),
  };
}

/**
 * Returns the address in its normal form, or undefined if it is not on one of the origins. Other spellings are read
 * differently: in `https://shop.example\@evil.example/`, not every mail program sees the host that browsers see.
 */
function ownAddress(address: string | undefined, own: ReadonlySet<string>): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && own.has(url.origin) ? url.href : undefined;
}

/**
 * A dot that may be the one of a domain, also in the forms that browsers read as a dot, and also before characters
 * that they drop or read as a letter (Unicode UTS #46). A number's own dot is kept.
 */
const DOMAIN_DOT = /(?<=\S)[.\u2024\u3002\ufe52\uff0e\uff61](?=[^\s\p{P}])(?!(?<=[0-9].)[0-9])/gu;

/**
 * Breaks up what a mail program would turn into a link. A space behind the dot leaves names like "Node.js" readable,
 * which dropping the item would not.
 */
function withoutAddresses(name: string): string {
  return name.replace(/:\/\/+/g, ": ").replace(DOMAIN_DOT, ". ");
}
