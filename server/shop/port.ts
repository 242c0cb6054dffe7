import type { ShopKind } from "../../shared/shop_kinds.ts";
import type { Clock, Fetch } from "../deps.ts";
import type { Trouble } from "../provider/port.ts";
import type { Order } from "./order.ts";

/** A webhook as it arrived: signatures are over these very bytes. */
export interface Delivery {
  headers: Headers;
  body: Uint8Array;
}

export type Verification =
  /** It is the shop's. */
  | { kind: "verified" }
  /** Nobody's word, but nothing is asked for either: a shop that tries whether somebody is there. */
  | { kind: "ping" }
  | { kind: "refused"; reason: string };

export type Reading =
  | { kind: "order"; order: Order }
  /** Sound, and nothing for us: another topic, a draft, an order without an address. */
  | { kind: "none"; reason: string }
  /** It will be refused again: `reason` names the members that make no sense. */
  | { kind: "absurd"; reason: string };

/** A code to be made, good for one order. */
export interface Coupon {
  code: string;
  kind: "percent" | "fixed";
  /** Per cent, or money in the shop's own currency. */
  amount: number;
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt: number;
}

/**
 * `made`: the shop has it, also when it had it already. Codes are unguessable and each is one mailbox's, so one that
 * exists is ours from an attempt whose answer was lost.
 */
export type CouponResult = { kind: "made" } | Trouble;

export interface ShopCapabilities {
  /** It can make coupons. Without it `makeCoupon` is always trouble. */
  coupons: boolean;
  /**
   * It takes a 4xx for what it is. One that repeats what was refused, or gives up its webhook over it, is told 200
   * instead, and the reason is in the log alone.
   */
  acceptsClientErrors: boolean;
}

/** Settings, as `checkout.secret`, that are still unset; empty where nothing is missing. */
export interface MissingSettings {
  orders: string[];
  coupons: string[];
}

/** What the service asks of a shop system. Nothing here throws, whatever was sent or answered. */
export interface Shop {
  readonly name: ShopKind;
  readonly capabilities: ShopCapabilities;
  /** Most bytes that an order of it takes. */
  readonly bodyBytes: number;
  /** What the admin and the doctor show. */
  missingSettings(): MissingSettings;
  /** Whether a delivery is the shop's own word. With no secret set, none is. */
  verify(delivery: Delivery): Verification;
  /** What a verified delivery says. */
  read(delivery: Delivery): Reading;
  /** Idempotent by its code. Ends within its time-out. */
  makeCoupon(coupon: Coupon, signal?: AbortSignal): Promise<CouponResult>;
}

/** The settings of the Checkout tab that shops work with. */
export interface ShopSettings {
  shop: ShopKind;
  secret: string;
  shopUrl: string;
  apiKey: string;
  apiSecret: string;
}

/** What every adapter works with. Settings are asked for at each call, so that what an admin saves counts at once. */
export interface ShopDeps {
  checkout: () => ShopSettings;
  fetch: Fetch;
  clock: Clock;
  /** How long a call may take, milliseconds; 10 s unless given. */
  timeoutMs?: number;
}
