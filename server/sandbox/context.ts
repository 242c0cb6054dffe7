import { Buffer } from "node:buffer";
import type { Clock, Fetch, Log, Random } from "../deps.ts";
import type { Background } from "./background.ts";

/** How long the sandbox takes where it takes its time; milliseconds. Tests hand in short ones. */
export interface Timing {
  /** Before `slow@…` is answered. */
  slowMs: number;
  /** How long a hanging request is held at most. */
  hangMs: number;
  /** How late a late webhook comes. */
  lateMs: number;
  /** Pauses before the second and third attempt to deliver a webhook. */
  retryMs: readonly [number, number];
  /** What a webhook's receiver is given to answer. */
  webhookTimeoutMs: number;
}

export const TIMING: Timing = {
  slowMs: 3_000,
  hangMs: 30_000,
  lateMs: 20_000,
  retryMs: [1_000, 5_000],
  webhookTimeoutMs: 10_000,
};

/** What every part of the sandbox is handed. */
export interface Context {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  fetch: Fetch;
  log: Log;
  background: Background;
  timing: Timing;
}

/** An id of the provider's shape: 24 hex digits. */
export function newId(random: Random): string {
  return Buffer.from(random.bytes(12)).toString("hex");
}

/** An unguessable string that needs no encoding in a URL: 192 bits. */
export function newSecret(random: Random): string {
  return Buffer.from(random.bytes(24)).toString("base64url");
}
