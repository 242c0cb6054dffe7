import type { Clock, Log, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Provider } from "../provider/port.ts";
import { withoutAddresses } from "./log.ts";

/** What one kind of call to the provider last came to; times are Unix milliseconds. */
export interface CallHealth {
  /** When it last got an answer that settled the question. */
  okAt?: number;
  /** When it last got none, and why; names no address. */
  trouble?: { at: number; reason: string };
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

interface HealthRow {
  v: 1;
  calls: Health;
}

/** All in one row, written once a minute: a call costs no commit. */
export function createProviderHealth(
  { kv, clock, random, log }: { kv: Deno.Kv; clock: Clock; random: Random; log: Log },
): ProviderHealth {
  let noted: Health = {};

  function note(call: string, result: { kind: string; reason?: string; message?: string }) {
    const at = clock.now();
    const reason = result.kind === "trouble"
      ? result.reason
      : result.kind === "forbidden"
      ? `HTTP 403: ${result.message}`
      : undefined;
    noted[call] = {
      ...noted[call],
      ...(reason === undefined ? { okAt: at } : { trouble: { at, reason: withoutAddresses(reason) } }),
    };
  }

  return {
    watch(provider) {
      return new Proxy(provider, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          return async (...args: unknown[]) => {
            const result = await member.apply(target, args);
            note(String(name), result);
            return result;
          };
        },
      });
    },
    async flush() {
      if (Object.keys(noted).length === 0) return;
      const calls = noted;
      noted = {};
      try {
        await cas(kv, [keys.providerHealth()], ([{ value }]: [Deno.KvEntryMaybe<HealthRow>]) => ({
          value: undefined,
          write(tx) {
            const row: HealthRow = { v: 1, calls: latest(value?.calls ?? {}, calls) };
            tx.set(keys.providerHealth(), row);
          },
        }), { clock, random });
      } catch (error) {
        log.error("provider_health.flush", { error });
        noted = latest(calls, noted);
      }
    },
    async read() {
      const written = (await kv.get<HealthRow>(keys.providerHealth())).value?.calls ?? {};
      return latest(written, noted);
    },
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

/** The troubles that no good answer to the same call has followed, the latest first. */
export function unresolved(health: Health): { call: string; at: number; reason: string }[] {
  return Object.entries(health)
    .flatMap(([call, { okAt = 0, trouble }]) => trouble && trouble.at > okAt ? [{ call, ...trouble }] : [])
    .sort((a, b) => b.at - a.at);
}
