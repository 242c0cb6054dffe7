import type { Cart, CartItem } from "../../../shared/contract.ts";
import { withoutLinks } from "../mail/without_links.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SentCart } from "./cart.ts";

/**
 * Anyone can send a cart for any email address, and its content ends up in an email from the shop. These rules keep a
 * stranger's links and images out of that email.
 */

/** Returns the origins that are the shop's own: the allowed origins, the connected shop's, and cfbe's. */
export function ownOrigins(
  { general, checkout }: Pick<Settings, "general" | "checkout">,
  baseUrl: string,
): ReadonlySet<string> {
  const addresses = [...general.origins, checkout.shopUrl, baseUrl];
  return new Set(addresses.filter((address) => address !== "").map((address) => new URL(address).origin));
}

/**
 * Returns the part of a cart that an email may contain: names without web addresses, and links and images on the
 * shop's own origins. Applied when a cart arrives, and again when it is emailed or restored, because the settings may
 * have changed.
 *
 * @param own from `ownOrigins`
 * @returns undefined if the cart's own page is on a foreign origin, so that nothing may link to it
 */
export function ownContent(
  { items, total, currency, url }: SentCart,
  own: ReadonlySet<string>,
): Cart | undefined {
  const ownUrl = ownUrlOf(url, own);
  if (ownUrl === undefined) return undefined;
  return { items: items.map((item) => allowedItem(item, own)), total, currency, url: ownUrl };
}

function allowedItem(
  { id, name, quantity, price, url, image }: SentCart["items"][number],
  own: ReadonlySet<string>,
): CartItem {
  const ownUrl = ownUrlOf(url, own);
  const ownImage = ownUrlOf(image, own);
  return {
    id,
    name: withoutLinks(name),
    quantity,
    ...(price !== undefined && { price }),
    ...(ownUrl !== undefined && { url: ownUrl }),
    ...(ownImage !== undefined && { image: ownImage }),
  };
}

/**
 * Returns the URL in its normal form, or undefined if it is not on one of the origins. Programs disagree about other
 * spellings: in `https://shop.example\@evil.example/`, some email clients see another host than browsers do.
 */
function ownUrlOf(address: string | undefined, own: ReadonlySet<string>): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && own.has(url.origin) ? url.href : undefined;
}
