import type { ShopKind } from "../../../shared/shop_kinds.ts";
import type { Clock, Fetch } from "../../platform/deps.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import type { Order } from "./order.ts";

/** A webhook as it arrived. The signature covers exactly these bytes. */
export interface Delivery {
  headers: Headers;
  body: Uint8Array;
  /** Secrets of the connected site that sent it, newest first, in place of the secret in the settings. */
  secrets?: readonly string[];
}

export type Verification =
  | { kind: "verified" }
  /** Unsigned, but without content: the shop tests the URL. */
  | { kind: "ping" }
  | { kind: "refused"; reason: string };

export type OrderReading =
  | { kind: "order"; order: Order }
  /** A purchase without an email address. It ends the cart of its session, and nothing else. */
  | { kind: "session"; session: string }
  /** Valid, but not for cfbe: another topic, a draft, an order without an email address and a session. */
  | { kind: "ignored"; reason: string }
  /** Rejected however often it is sent. `reason` names the invalid fields, without their values. */
  | { kind: "implausible"; reason: string };

/** A discount code to create, valid for one order. */
export interface Coupon {
  code: string;
  kind: "percent" | "fixed";
  /** Percentage, or an amount in the shop's currency. */
  amount: number;
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/**
 * `made`: the shop has the code, perhaps from before. Nobody can guess a code, so an existing one is from an earlier
 * attempt whose response was lost.
 */
export type CouponResult = { kind: "made" } | Trouble;

export interface ShopCapabilities {
  /** Whether it can create coupons. If not, `makeCoupon` always returns trouble. */
  coupons: boolean;
  /**
   * Whether it treats a 4xx as final. A shop that would retry, or disable its webhook, gets 200 instead, and the reason
   * is only in the log.
   */
  acceptsClientErrors: boolean;
}

/** Names of `checkout` settings that are required but empty. */
export interface MissingSettings {
  orders: string[];
  coupons: string[];
}

/** A shop system. No method throws, whatever was sent or received. */
export interface Shop {
  readonly name: ShopKind;
  readonly capabilities: ShopCapabilities;
  /** Maximum size of a webhook body, in bytes. */
  readonly bodyBytes: number;
  /** Returns missing settings, for the admin and the doctor. */
  missingSettings(): MissingSettings;
  /** Checks a delivery's signature. Without a secret, no delivery is verified. */
  verify(delivery: Delivery): Verification;
  /** Reads the order from a verified delivery. */
  read(delivery: Delivery): OrderReading;
  /** Creates a coupon. Idempotent by its code. Ends within 10 s. */
  makeCoupon(coupon: Coupon, signal?: AbortSignal): Promise<CouponResult>;
}

/** The `checkout` settings that adapters use. */
export interface ShopSettings {
  shop: ShopKind;
  secret: string;
  shopUrl: string;
  apiKey: string;
  apiSecret: string;
}

/** Dependencies of every adapter. Settings are read at each call, so that changes apply immediately. */
export interface ShopDeps {
  checkout: () => ShopSettings;
  /** Whether a connected site sends orders, which it signs with a secret of its own. */
  hasSite?: () => boolean;
  fetch: Fetch;
  clock: Clock;
  /** By which the timeouts run; the system's by default. */
  timer?: Pick<Clock, "sleep">;
}
