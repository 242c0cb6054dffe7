import { keys } from "../kv/keys.ts";
import { type Key, typed } from "../kv/key.ts";
import { plausibleTime } from "../time/stored_time.ts";
import { type BufferedValue, createBufferedRow } from "./buffered_row.ts";

/** What authenticated a webhook. */
export type HookCredential = "key" | "secret" | "previous secret" | "signature";

/** One call to the webhook route: enough to see whether the provider's calls arrive, without personal data. */
export interface WebhookCall {
  /** Unix milliseconds. */
  at: number;
  /** What authenticated the call; absent if it was rejected. */
  by?: HookCredential;
  /** Event type from the payload, or "automation". */
  type?: string;
  result: "queued" | "ignored" | "received" | "refused" | "unauthorized" | "not_json" | "too_large";
}

export interface WebhookCalls {
  /** Notes a call in memory. */
  note(call: WebhookCall): void;
  /** Writes what was noted since the last flush. Keeps it for the next flush if the write fails; never rejects. */
  flush(): Promise<void>;
  /** Returns the latest calls, newest first, including calls not written yet. */
  recent(): Promise<WebhookCall[]>;
}

/** Numbers of calls to keep. Rejected calls are kept separately, so that they don't displace the provider's calls. */
const KEPT = { authorized: 50, unauthorized: 10 };

const callsKey = (): Key<BufferedValue<WebhookCall[]>> => typed(keys.webhookCalls());

/** Creates the log of webhook calls. It is one row, written once a minute, so that a call needs no commit. */
export function createWebhookCalls(deps: Parameters<typeof createBufferedRow>[0]): WebhookCalls {
  const row = createBufferedRow<WebhookCall[]>(deps, {
    key: callsKey(),
    name: "hook_calls",
    nothing: [],
    join: (earlier, later) => newest([...later, ...earlier]),
    correct: (calls, now) => calls.map((call) => ({ ...call, at: plausibleTime(call.at, now) })),
  });
  return { note: (call) => row.note([call]), flush: row.flush, recent: row.read };
}

function newest(calls: WebhookCall[]): WebhookCall[] {
  const left = { ...KEPT };
  return calls.toSorted((a, b) => b.at - a.at).filter(({ by }) =>
    left[by === undefined ? "unauthorized" : "authorized"]-- > 0
  );
}

const PLAIN_WORD = /^[\w-]{1,40}$/;

/**
 * Returns a webhook's type if it is a plain word, otherwise "unknown", because a body may contain an address
 * anywhere.
 */
export function plainType(type: string): string {
  return PLAIN_WORD.test(type) ? type : "unknown";
}
