/** Types of the requests and responses between the widget and the server; see docs/contract.md. */
import type { SignupPage } from "./signup_page.ts";

export const NAMESPACE = "/wp-json/cfbe/v1";

/** The sources that forms send. `subscribe` accepts no other value (contract 4.3). */
export const FORM_SOURCES = ["shortcode", "block", "promo", "popup"] as const;
export type FormSource = (typeof FORM_SOURCES)[number];

/** The sources that a server with the API token can send. */
export const INTEGRATION_SOURCES = ["account", "integration"] as const;

/** All sources of signups. `checkout` is an order with a checked newsletter box. */
export const SIGNUP_SOURCES = [...FORM_SOURCES, "checkout", ...INTEGRATION_SOURCES] as const;
export type SignupSource = (typeof SIGNUP_SOURCES)[number];

/** Layouts of a named form. The layout determines the `source` that the form sends. */
export const LAYOUTS = ["inline", "block", "promo"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Returns the `source` for a layout. The contract calls an inline form `shortcode`; other names are the same. */
export function sourceOf(layout: Layout | "popup" = "inline"): FormSource {
  return layout === "inline" ? "shortcode" : layout;
}

/** Request body of `POST subscribe` (contract 4.3 to 4.11). */
export interface SubscribeRequest {
  source: FormSource;
  email: string;
  name?: string;
  interests?: string[];
  consent?: boolean;
  /** Values of the form's other fields, by name. Not in the contract. */
  fields?: Record<string, unknown>;
  cfbe_cfg?: string;
  /** Name of the form that was shown, `null` for the default form. Its settings apply, whatever `cfbe_cfg` names. */
  form?: string | null;
  /** The page that shows the form; absent or false unless the form's settings ask for it. */
  page?: SignupPage | false | undefined;
  cfbe_hp?: string;
  cfbe_token?: string;
}

/** Response codes of `POST subscribe` (contract 4.6, 4.14 to 4.17 and 5.1). */
export type SubscribeCode = "pending" | "already_active" | "invalid" | "rejected" | "rate_limited";

/** The fields that a visitor fills in, in the order of the form. */
export const VISITOR_FIELDS = ["email", "name", "interests", "consent"] as const;
export type VisitorField = (typeof VISITOR_FIELDS)[number];

/** Fields that an `invalid` response can report; the keys of its `fields`. */
export const FIELD_NAMES = ["source", ...VISITOR_FIELDS] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** A message for each invalid field: those of the contract, and the form's other fields by their names. */
export type FieldErrors = Partial<Record<FieldName, string>> & Partial<Record<string, string>>;

/** Response of `POST subscribe` (contract 4.14). Only `invalid` responses have `fields`. */
export interface SubscribeResponse {
  success: boolean;
  code: SubscribeCode;
  message: string;
  fields?: FieldErrors;
}

/** Response of `GET form-token` (contract 3.1). */
export interface FormToken {
  /** `<Unix milliseconds>.<signature>` */
  token: string;
  /** Only in attack mode: the solution follows the token, after a dot. */
  challenge?: FormChallenge | undefined;
}

/** A challenge in the ALTCHA format, version 1. */
export interface FormChallenge {
  algorithm: "SHA-256";
  /** Hexadecimal SHA-256 of `salt` and a number, which is to be found. */
  challenge: string;
  /** The number is not larger. */
  maxnumber: number;
  salt: string;
  /** Hexadecimal HMAC-SHA256 of `challenge`. */
  signature: string;
}

/** Response of `POST provider-hook` (contract 7.6). */
export type HookResponse = { ok: true; action: "queued" | "ignored" | "received" } | { ok: false };

/** Response of `POST cart-email` (contract 9.3) for every HTTP status, and of `POST {base_url}/cart`. */
export interface StoredResponse {
  stored: boolean;
  /** `/cart` only: what is wrong and what to do, for the developer of the shop. */
  error?: string;
}

/** Response of `GET {base_url}/checkout-session`: an anonymous checkout session and its nonce. */
export interface CheckoutSession {
  session: string;
  /** Value for `X-WP-Nonce`, valid for 24 hours. */
  nonce: string;
}

/** A line item of a cart. */
export interface CartItem {
  id: string;
  name: string;
  quantity: number;
  /** Unit price, in the cart's currency. */
  price?: number;
  url?: string;
  image?: string;
}

/** A visitor's cart, as the page reports it. */
export interface Cart {
  items: CartItem[];
  total: number;
  /** ISO 4217, such as `EUR`. */
  currency: string;
  /** URL of the page that restores the cart. */
  url: string;
}

/** Name in the URL fragment of a cart link, which makes the page restore the cart. */
export const CART_FRAGMENT = "cfbe-cart";
