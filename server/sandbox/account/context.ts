import { Buffer } from "node:buffer";
import type { Clock, Fetch, Log, Random } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Background } from "./background.ts";

/** Delays and timeouts in milliseconds. Tests pass short ones. */
export interface Timing {
  /** Delay of the responses to requests about `slow@…`. */
  slowMs: number;
  /** Maximum time a hanging request is kept open. */
  hangMs: number;
  /** Delay of a late webhook. */
  lateMs: number;
  /** Delays before the second and third attempt to deliver a webhook. */
  retryMs: readonly [number, number];
  /** Timeout for the webhook receiver's response. */
  webhookTimeoutMs: number;
}

export const TIMING: Timing = {
  slowMs: 3_000,
  hangMs: 30_000,
  lateMs: 20_000,
  retryMs: [1_000, 5_000],
  webhookTimeoutMs: 10_000,
};

/** The dependencies that all parts of the sandbox share. */
export interface Context {
  kv: Kv;
  clock: Clock;
  random: Random;
  fetch: Fetch;
  log: Log;
  background: Background;
  timing: Timing;
}

/** Returns an ID in the provider's format: 24 hex digits. */
export function newId(random: Random): string {
  return Buffer.from(random.bytes(12)).toString("hex");
}

/** Returns 192 random bits as a string that needs no encoding in a URL. */
export function newSecret(random: Random): string {
  return Buffer.from(random.bytes(24)).toString("base64url");
}
