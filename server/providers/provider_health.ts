import { keys } from "../platform/kv/keys.ts";
import type { ConnectionResult, Provider } from "./port/port.ts";
import type { Trouble, TroubleCode } from "./port/trouble.ts";
import { plausibleTime } from "../platform/time/stored_time.ts";
import { withoutAddresses } from "../platform/observe/log.ts";
import { createOutageEnd, isOutage } from "./outage_end.ts";
import { type Key, typed } from "../platform/kv/key.ts";
import { type BufferedValue, createBufferedRow, type FlushEffect } from "../platform/observe/buffered_row.ts";

/** The latest results of one kind of call to the provider. Times are Unix milliseconds. */
export interface CallHealth {
  /** When the call last got a definite response. */
  okAt?: number;
  /** The provider that gave it, as `general.provider` names it. Absent in rows of earlier versions. */
  okFrom?: string;
  /** When the call last failed, and why, without an address. Rows written before codes existed have no `code`. */
  trouble?: CallTrouble;
}

interface CallTrouble {
  at: number;
  /** The provider that failed. Absent in rows of earlier versions. */
  from?: string;
  /** When the first of the failures in a row was. Absent in rows of earlier versions. */
  since?: number;
  /** How many failures in a row there were. Absent in rows of earlier versions: at least one. */
  failures?: number;
  code?: TroubleCode;
  reason: string;
}

/** By name of the call in the provider port. */
export type Health = Record<string, CallHealth>;

export interface ProviderHealth {
  /**
   * Returns the same provider, with the results of its calls noted in memory.
   *
   * @param nameOf returns its name if it is the provider of the settings now; the calls of others are not noted
   */
  watch(provider: Provider, nameOf: () => string | undefined): Provider;
  /** Writes what was noted since the last flush. Keeps it for the next flush if the write fails; never rejects. */
  flush(): Promise<void>;
  /** Returns what this and other processes noted, including what is not written yet. */
  read(): Promise<Health>;
}

/** The calls of a delivery. */
export const DELIVERY_CALLS: readonly string[] = ["status", "subscribe"];
const REJECTED_EVERY_MS = 60_000;

/** The result of a call of the port. */
type Result = Trouble | Extract<ConnectionResult, { kind: "forbidden" }> | { kind: "answered" };

const healthKey = (): Key<BufferedValue<Health>> => typed(keys.providerHealth());

/** A row that is changed in the commit that stores the first success after an outage. */
export type RecoveryEffect<Row = unknown> = Omit<FlushEffect<Health, Row>, "isDue">;

/**
 * Creates the provider health. It is one row, written once a minute, so that a call needs no commit.
 *
 * @param onRecovery runs once per outage, whichever processes saw its failures and its end, and whenever they died
 * @param onOutageEnd runs in addition, before the flush, if this process saw the whole outage; see `createOutageEnd`
 * @param onRejected runs after a flush when the provider does not allow a delivery, at most once a minute
 */
export function createProviderHealth<Row = unknown>(
  deps: Parameters<typeof createBufferedRow>[0],
  onRecovery?: RecoveryEffect<Row>,
  onOutageEnd?: () => Promise<void>,
  onRejected?: () => Promise<void>,
): ProviderHealth {
  const endsOutage = createOutageEnd(deps.clock);
  const row = createBufferedRow<Health, Row>(deps, {
    key: healthKey(),
    name: "provider_health",
    nothing: {},
    join: latest,
    correct: withPlausibleTimes,
    effect: onRecovery && { ...onRecovery, isDue: hasRecovered },
  });

  let lastAt = 0;
  let rejectedAt: number | undefined;

  async function noteRejected(): Promise<void> {
    const now = deps.clock.now();
    // Absolute, because the clock may have been set back.
    if (rejectedAt !== undefined && Math.abs(now - rejectedAt) < REJECTED_EVERY_MS) return;
    rejectedAt = now;
    await row.flush();
    await onRejected?.();
  }

  /** Returns the code of a failure. */
  function note(from: string, call: string, result: Result): TroubleCode | undefined {
    const now = deps.clock.now();
    // Two results in the same millisecond keep their order: a failure that follows a success is not one that it ended.
    const at = lastAt = Math.max(now, plausibleTime(lastAt, now) + 1);
    if (result.kind === "trouble" || result.kind === "forbidden") {
      const { code, reason } = result.kind === "trouble"
        ? result
        : { code: "forbidden" as const, reason: `HTTP 403: ${result.message}` };
      row.note({ [call]: { trouble: { at, from, failures: 1, code, reason: withoutAddresses(reason) } } });
      return code;
    }
    row.note({ [call]: { okAt: at, okFrom: from } });
    return undefined;
  }

  return {
    watch(provider, nameOf) {
      return new Proxy(provider, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function" || name === "readWebhook") return member;
          return async (...args: unknown[]) => {
            const result = await member.apply(target, args);
            const from = nameOf();
            if (from === undefined) return result;
            const code = note(from, String(name), result);
            if (endsOutage(String(name), code)) await onOutageEnd?.();
            if (code === "forbidden" && DELIVERY_CALLS.includes(String(name))) await noteRejected();
            return result;
          };
        },
      });
    },
    flush: row.flush,
    read: row.read,
  };
}

/** Returns the results with times that can be right: a success a year ahead would hide every failure until then. */
function withPlausibleTimes(health: Health, now: number): Health {
  return Object.fromEntries(
    Object.entries(health).map(([call, { okAt, trouble, ...others }]) => [call, {
      ...others,
      ...(okAt !== undefined && { okAt: plausibleTime(okAt, now) }),
      ...(trouble && {
        trouble: {
          ...trouble,
          at: plausibleTime(trouble.at, now),
          ...(trouble.since !== undefined && { since: plausibleTime(trouble.since, now) }),
        },
      }),
    }]),
  );
}

/** Returns, for each call, the later success and the later failure. */
function latest(one: Health, other: Health): Health {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [a = {}, b = {}] = [one[name], other[name]];
      const { okAt = 0, okFrom } = (a.okAt ?? 0) > (b.okAt ?? 0) ? a : b;
      const trouble = laterTrouble(a, b);
      return [name, {
        ...(okAt > 0 && { okAt }),
        ...(okFrom !== undefined && { okFrom }),
        ...(trouble && { trouble }),
      }];
    }),
  );
}

/** Returns the later failure, with the time of the first one since the last success, and their number. */
function laterTrouble(a: CallHealth, b: CallHealth): CallTrouble | undefined {
  const [later, other] = (a.trouble?.at ?? 0) > (b.trouble?.at ?? 0)
    ? [a.trouble, b.trouble]
    : [b.trouble, a.trouble];
  if (!later) return undefined;
  const okBefore = Math.max(0, ...[a.okAt ?? 0, b.okAt ?? 0].filter((at) => at < later.at));
  const inARow = other && other.at > okBefore ? [later, other] : [later];
  const times = inARow.flatMap(({ at, since = at }) => [since, at]).filter((at) => at > okBefore);
  return {
    ...later,
    since: Math.min(later.at, ...times),
    failures: inARow.reduce((sum, { failures = 1 }) => sum + failures, 0),
  };
}

/** Returns whether an outage that had not ended before has ended now. */
function hasRecovered(before: Health, after: Health): boolean {
  return Object.entries(after).some(([call, { okAt = 0, trouble }]) =>
    trouble && isOutage(trouble) && okAt >= trouble.at && (before[call]?.okAt ?? 0) < trouble.at
  );
}

/** Returns what is known about one provider: without the results that others gave before it was chosen. */
export function healthOf(health: Health, provider: string): Health {
  return Object.fromEntries(
    Object.entries(health).map(([call, { okAt, okFrom = provider, trouble }]) => [call, {
      ...(okAt !== undefined && okFrom === provider && { okAt }),
      ...(trouble && (trouble.from ?? provider) === provider && { trouble }),
    }]),
  );
}

/** A call to the provider whose last attempt failed. */
export interface Unresolved {
  call: string;
  at: number;
  since?: number;
  failures?: number;
  code?: TroubleCode;
  reason: string;
}

/** Returns the failures that no success of the same call has followed, latest first. */
export function unresolved(health: Health): Unresolved[] {
  return Object.entries(health)
    .flatMap(([call, { okAt = 0, trouble }]) => trouble && trouble.at > okAt ? [{ call, ...trouble }] : [])
    .sort((a, b) => b.at - a.at);
}
