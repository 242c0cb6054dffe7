import { keys } from "../kv/keys.ts";
import { type Key, typed } from "../kv/key.ts";
import { createNotedRow, type Noted } from "./noted_row.ts";

/** What authenticated a webhook. */
export type HookCredential = "key" | "secret" | "previous secret" | "signature";

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

const callsKey = (): Key<Noted<WebhookCall[]>> => typed(keys.webhookCalls());

/** All in one row, written once a minute: a call costs the route no commit. */
export function createWebhookCalls(deps: Parameters<typeof createNotedRow>[0]): WebhookCalls {
  const row = createNotedRow<WebhookCall[]>(deps, {
    key: callsKey(),
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

/** Returns a webhook's type if it is a plain word, else "unknown": a body may hold an address anywhere. */
export function plainType(type: string): string {
  return PLAIN_WORD.test(type) ? type : "unknown";
}
