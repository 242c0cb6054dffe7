/** What the widget and the server say to each other: the requests and responses of docs/contract.md, as types. */

export const NAMESPACE = "/wp-json/cfbe/v1";

/** The sources that a form in a page sends. `subscribe` accepts no other value (contract 4.3). */
export const FORM_SOURCES = ["shortcode", "block", "promo", "popup"] as const;
export type FormSource = (typeof FORM_SOURCES)[number];

/** The sources that a server with the API token can name. */
export const INTEGRATION_SOURCES = ["account", "integration"] as const;

/** Every source of a signup. `checkout` is an order whose newsletter box was checked. */
export const SIGNUP_SOURCES = [...FORM_SOURCES, "checkout", ...INTEGRATION_SOURCES] as const;
export type SignupSource = (typeof SIGNUP_SOURCES)[number];

/** How a named form is laid out; it decides the `source` that the form sends. */
export const LAYOUTS = ["inline", "block", "promo"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The contract calls what stands in the text of a page a shortcode; every other layout is its own source. */
export function sourceOf(layout: Layout | "popup" = "inline"): FormSource {
  return layout === "inline" ? "shortcode" : layout;
}

/** Body of `POST subscribe` (contract 4.3 to 4.11). */
export interface SubscribeRequest {
  source: FormSource;
  email: string;
  name?: string;
  interests?: string[];
  consent?: boolean;
  cfbe_cfg?: string;
  cfbe_hp?: string;
  cfbe_token?: string;
}

/** Codes of contract 4.14 to 4.17, and of contract 4.6 and contract 5.1. */
export type AnswerCode = "pending" | "already_active" | "invalid" | "rejected" | "rate_limited";

/** The fields that a visitor fills in, in the order of the form. */
export const VISITOR_FIELDS = ["email", "name", "interests", "consent"] as const;
export type VisitorField = (typeof VISITOR_FIELDS)[number];

/** The fields that an `invalid` answer can name. */
export const FIELD_NAMES = ["source", ...VISITOR_FIELDS] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Answer of `POST subscribe` (contract 4.14). `fields` comes with `invalid` and only then. */
export interface Answer {
  success: boolean;
  code: AnswerCode;
  message: string;
  fields?: Partial<Record<FieldName, string>>;
}

/** Answer of `GET form-token` (contract 3.1): `<time>.<signature>`. */
export interface FormToken {
  token: string;
}

/** Answer of `POST provider-hook` (contract 7.6). */
export type HookAnswer = { ok: true; action: "queued" | "ignored" | "received" } | { ok: false };

/** Answer of `POST cart-email` (contract 9.3), whatever its status, and of `POST {base_url}/cart`. */
export interface StoredAnswer {
  stored: boolean;
  /** Of `/cart` only: what is wrong and what to do, for whoever sets it up. */
  error?: string;
}

/** Answer of `GET {base_url}/checkout-session`: who shops, without a name, and what proves it. */
export interface CheckoutSession {
  session: string;
  /** For `X-WP-Nonce`; good for 24 hours. */
  nonce: string;
}

/** One thing in a cart. */
export interface CartItem {
  id: string;
  name: string;
  quantity: number;
  /** Of one piece, in the cart's currency. */
  price?: number;
  url?: string;
  image?: string;
}

/** What lies in a visitor's cart, as the page tells it. */
export interface Cart {
  items: CartItem[];
  total: number;
  /** ISO 4217, such as `EUR`. */
  currency: string;
  /** Where the cart can be taken up again. */
  url: string;
}

/** The fragment of a cart's address that tells the page to restore it. */
export const CART_FRAGMENT = "cfbe-cart";
