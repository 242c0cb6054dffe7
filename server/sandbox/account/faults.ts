import { z } from "zod";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Context } from "./context.ts";

/**
 * Faults of the API that can be simulated, in the order of the page (an object would put 403 before "none").
 */
export const FAULT_MODES = [
  { value: "none", label: "None" },
  { value: "429", label: "429: too many requests" },
  { value: "500", label: "500: provider error" },
  { value: "503", label: "503: provider is down" },
  { value: "hang", label: "Timeout before the change is applied" },
  { value: "hang-after", label: "Timeout after the change was applied" },
  { value: "error-after", label: "500 after the change was applied" },
  { value: "reset", label: "Connection reset" },
  { value: "garbage", label: "Response is not JSON" },
  { value: "403", label: "403: API key rejected" },
  { value: "whitelist", label: "403: site not on the allowlist" },
  { value: "credits", label: "405: out of credits" },
] as const;
export type FaultMode = (typeof FAULT_MODES)[number]["value"];

/** Faults of webhooks that can be simulated. */
export const WEBHOOK_MODES = [
  { value: "deliver", label: "Delivered" },
  { value: "lose", label: "Lost" },
  { value: "twice", label: "Delivered twice" },
  { value: "late", label: "Delivered late" },
] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number]["value"];

/** The body of `POST /sandbox/faults`. Missing members keep their value. */
export const faultsPatch = z.strictObject({
  mode: z.enum(FAULT_MODES.map((mode) => mode.value)).optional(),
  /** Seconds; sent with 429 and 503. An empty form field removes it. */
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

export async function readFaults(kv: Kv): Promise<Faults> {
  return withoutVersion(await readRow(kv, faultsKey()));
}

/** Changes the faults that `patch` contains. */
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
