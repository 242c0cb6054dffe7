import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";

/** What opened the hook route. */
export type HookCredential = "key" | "secret" | "previous secret";

/** One call to the hook route: enough to see whether the provider's calls arrive, and nothing about a person. */
export interface HookCall {
  /** Unix milliseconds. */
  at: number;
  /** Absent when nothing did. */
  by?: HookCredential;
  /** The payload's own word for what happened, or "automation". */
  type?: string;
  result: "queued" | "ignored" | "received" | "refused" | "unauthorized" | "not_json" | "too_large";
}

export interface HookCalls {
  /** Remember a call, in memory. */
  note(call: HookCall): void;
  /** Write what was noted since the last time. A failed write is kept for the next; never rejects. */
  flush(): Promise<void>;
  /** The latest calls, newest first, what is not yet written included. */
  recent(): Promise<HookCall[]>;
}

interface HookCallsRow {
  v: 1;
  calls: HookCall[];
}

/** Kept apart, so that strangers who knock don't push out what the provider told. */
const KEPT = { authorized: 50, unauthorized: 10 };

/** All in one row, written once a minute: a call costs the route no commit. */
export function createHookCalls(
  { kv, clock, random, log }: { kv: Deno.Kv; clock: Clock; random: Random; log: Log },
): HookCalls {
  let noted: HookCall[] = [];

  return {
    note(call) {
      noted = newest([...noted, call]);
    },
    async flush() {
      if (noted.length === 0) return;
      const calls = noted;
      noted = [];
      try {
        await cas(kv, [keys.hookCalls()], ([{ value }]: [Deno.KvEntryMaybe<HookCallsRow>]) => ({
          value: undefined,
          write(tx) {
            const row: HookCallsRow = { v: 1, calls: newest([...calls, ...value?.calls ?? []]) };
            tx.set(keys.hookCalls(), row);
          },
        }), { clock, random });
      } catch (error) {
        log.error("hook_calls.flush", { error });
        noted = newest([...calls, ...noted]);
      }
    },
    async recent() {
      const written = (await kv.get<HookCallsRow>(keys.hookCalls())).value?.calls ?? [];
      return newest([...noted, ...written]);
    },
  };
}

function newest(calls: HookCall[]): HookCall[] {
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
