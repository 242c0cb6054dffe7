import { keys } from "../kv/keys.ts";
import type { ConnectionResult, Provider, Trouble, TroubleCode } from "../provider/port.ts";
import { withoutAddresses } from "./log.ts";
import { type Key, typed } from "../kv/key.ts";
import { createNotedRow, type Noted } from "./noted_row.ts";

/** What one kind of call to the provider last came to; times are Unix milliseconds. */
export interface CallHealth {
  /** When it last got an answer that settled the question. */
  okAt?: number;
  /** When it last got none, and why; names no address. Rows written before codes existed have none. */
  trouble?: { at: number; code?: TroubleCode; reason: string };
}

/** By name of the call, as the port has it. */
export type Health = Record<string, CallHealth>;

export interface ProviderHealth {
  /** The same provider; what its calls come to is noted, in memory. */
  watch(provider: Provider): Provider;
  /** Write what was noted since the last time. A failed write is kept for the next; never rejects. */
  flush(): Promise<void>;
  /** What is not yet written included, and what other processes wrote. */
  read(): Promise<Health>;
}

/** What a call of the port came to. */
type Result = Trouble | Extract<ConnectionResult, { kind: "forbidden" }> | { kind: "answered" };

const healthKey = (): Key<Noted<Health>> => typed(keys.providerHealth());

/** All in one row, written once a minute: a call costs no commit. */
export function createProviderHealth(deps: Parameters<typeof createNotedRow>[0]): ProviderHealth {
  const row = createNotedRow<Health>(deps, {
    key: healthKey(),
    name: "provider_health",
    nothing: {},
    join: latest,
  });

  function note(call: string, result: Result) {
    const at = deps.clock.now();
    if (result.kind === "trouble" || result.kind === "forbidden") {
      const { code, reason } = result.kind === "trouble"
        ? result
        : { code: "forbidden" as const, reason: `HTTP 403: ${result.message}` };
      row.note({ [call]: { trouble: { at, code, reason: withoutAddresses(reason) } } });
    } else row.note({ [call]: { okAt: at } });
  }

  return {
    watch(provider) {
      return new Proxy(provider, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function" || name === "readWebhook") return member;
          return async (...args: unknown[]) => {
            const result = await member.apply(target, args);
            note(String(name), result);
            return result;
          };
        },
      });
    },
    flush: row.flush,
    read: row.read,
  };
}

/** Of each call the later good answer and the later trouble. */
function latest(one: Health, other: Health): Health {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [a = {}, b = {}] = [one[name], other[name]];
      const okAt = Math.max(a.okAt ?? 0, b.okAt ?? 0);
      const trouble = (a.trouble?.at ?? 0) > (b.trouble?.at ?? 0) ? a.trouble : b.trouble;
      return [name, { ...(okAt > 0 && { okAt }), ...(trouble && { trouble }) }];
    }),
  );
}

/** A call to the provider that failed last. */
export interface Unresolved {
  call: string;
  at: number;
  code?: TroubleCode;
  reason: string;
}

/** Returns the troubles that no good answer to the same call has followed, the latest first. */
export function unresolved(health: Health): Unresolved[] {
  return Object.entries(health)
    .flatMap(([call, { okAt = 0, trouble }]) => trouble && trouble.at > okAt ? [{ call, ...trouble }] : [])
    .sort((a, b) => b.at - a.at);
}
