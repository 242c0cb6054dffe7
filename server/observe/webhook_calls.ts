import { keys } from "../kv/keys.ts";
import { createNotedRow } from "./noted_row.ts";

/** What opened the hook route. */
export type HookCredential = "key" | "secret" | "previous secret";

/** One call to the hook route: enough to see whether the provider's calls arrive, and nothing about a person. */
export interface WebhookCall {
  /** Unix milliseconds. */
  at: number;
  /** Absent when nothing did. */
  by?: HookCredential;
  /** The payload's own word for what happened, or "automation". */
  type?: string;
  result: "queued" | "ignored" | "received" | "refused" | "unauthorized" | "not_json" | "too_large";
}

export interface WebhookCalls {
  /** Remember a call, in memory. */
  note(call: WebhookCall): void;
  /** Write what was noted since the last time. A failed write is kept for the next; never rejects. */
  flush(): Promise<void>;
  /** The latest calls, newest first, what is not yet written included. */
  recent(): Promise<WebhookCall[]>;
}

/** Kept apart, so that strangers who knock don't push out what the provider told. */
const KEPT = { authorized: 50, unauthorized: 10 };

/** All in one row, written once a minute: a call costs the route no commit. */
export function createWebhookCalls(deps: Parameters<typeof createNotedRow>[0]): WebhookCalls {
  const row = createNotedRow<WebhookCall[]>(deps, {
    key: keys.webhookCalls(),
    name: "hook_calls",
    nothing: [],
    join: (earlier, later) => newest([...later, ...earlier]),
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

/** What a payload says it is; only a plain word, for a body may hold an address anywhere. */
export function typeOf(payload: Record<string, unknown>): string {
  if (payload["automationId"]) return "automation";
  const type = payload["type"];
  return typeof type === "string" && PLAIN_WORD.test(type) ? type : "unknown";
}
