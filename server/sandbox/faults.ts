import { z } from "zod";
import { cas } from "../kv/cas.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { Context } from "./context.ts";

/** What may be made to go wrong at the API, in the order of the page (an object would put 403 before "none"). */
export const FAULT_MODES = [
  { value: "none", label: "Everything works" },
  { value: "429", label: "429: too many requests" },
  { value: "500", label: "500: an error at the provider" },
  { value: "503", label: "503: the provider is down" },
  { value: "hang", label: "No answer; nothing happens" },
  { value: "hang-after", label: "No answer, but it took effect" },
  { value: "error-after", label: "500, but it took effect" },
  { value: "reset", label: "The connection breaks" },
  { value: "garbage", label: "An answer that is no JSON" },
  { value: "403", label: "403: the key is refused" },
  { value: "whitelist", label: "403: this site is not on the whitelist" },
  { value: "credits", label: "405: out of credits" },
] as const;
export type FaultMode = (typeof FAULT_MODES)[number]["value"];

/** What may be made to go wrong with webhooks. */
export const WEBHOOK_MODES = [
  { value: "deliver", label: "Delivered" },
  { value: "lose", label: "Lost on the way" },
  { value: "twice", label: "Delivered twice" },
  { value: "late", label: "Delivered late" },
] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number]["value"];

/** The body of `POST /sandbox/faults`: what is not named stays as it is. */
export const faultsPatch = z.strictObject({
  mode: z.enum(FAULT_MODES.map((mode) => mode.value)).optional(),
  /** Seconds; sent with 429 and 503. An empty field of the form takes it away. */
  retryAfterSeconds: z.union([
    z.literal("").transform(() => null),
    z.coerce.number().int().min(0).max(86_400),
  ])
    .nullable().optional(),
  webhooks: z.enum(WEBHOOK_MODES.map((mode) => mode.value)).optional(),
});
export type FaultsPatch = z.infer<typeof faultsPatch>;

export interface Faults {
  mode: FaultMode;
  retryAfterSeconds?: number;
  webhooks: WebhookMode;
}

type FaultsRow = Faults & { v: 1 };

const faultsKey = (): Key<FaultsRow> => typed(keys.sandboxFaults());

const NO_FAULTS: Faults = { mode: "none", webhooks: "deliver" };

export async function readFaults(kv: Deno.Kv): Promise<Faults> {
  return withoutVersion(await readRow(kv, faultsKey()));
}

/** Changes what `patch` names. */
export function setFaults(context: Context, patch: FaultsPatch): Promise<Faults> {
  return cas(context.kv, { faults: faultsKey() }, (read) => {
    const now = withoutVersion(read.faults.value);
    const retry = patch.retryAfterSeconds === undefined ? now.retryAfterSeconds : patch.retryAfterSeconds;
    const faults: Faults = { mode: patch.mode ?? now.mode, webhooks: patch.webhooks ?? now.webhooks };
    if (typeof retry === "number") faults.retryAfterSeconds = retry;
    return { value: faults, write: (tx) => void tx.set(faultsKey(), { v: 1, ...faults }) };
  }, context);
}

function withoutVersion(row: FaultsRow | null): Faults {
  if (!row) return NO_FAULTS;
  const { v: _, ...faults } = row;
  return faults;
}
