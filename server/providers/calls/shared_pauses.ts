import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { AlongsideRow } from "../../platform/jobs/claim.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";

/** When a pause began and until when it lasts, by the clock of the process that stored it. Unix milliseconds. */
interface StoredPause {
  at: number;
  until: number;
}

/** The latest pause of each account that has had one lately. */
interface PausesRow {
  v: 1;
  pauses: Record<string, StoredPause>;
}

/** What the processes on a database know together about the pause of one account. */
export interface SharedPause {
  /** Returns the end of the latest pause, in Unix milliseconds, or undefined if there is none. Never rejects. */
  until(): Promise<number | undefined>;
  /** Stores a pause until then, for all processes. Never rejects. */
  begin(until: number): Promise<void>;
  /** Deletes the pause with that end, because a call has succeeded after it. Never rejects. */
  end(until: number): Promise<void>;
}

export interface SharedPauses extends AlongsideRow<PausesRow> {
  /** @param account its name in the row; contains no secret */
  of(account: string): SharedPause;
}

const pausesKey = (): Key<PausesRow> => typed(keys.providerPauses());

/** How old what is known of the row may be. A claim reads it too, so that a delivery need not. In milliseconds. */
const FRESH_MS = 1_000;
/** A pause that ends so little later is not stored. */
const WORTH_STORING_MS = 1_000;

/**
 * Creates what the processes on a database know about the pauses of accounts: one row, which each process reads with its
 * jobs, and at most once a second in addition.
 *
 * @param longestMs the longest pause; a longer one was stored by a clock that is wrong
 */
export function createSharedPauses(
  { kv, clock, random, log, longestMs }: {
    kv: Kv;
    clock: Clock;
    random: Random;
    log: Log;
    longestMs: number;
  },
): SharedPauses {
  const key = pausesKey();
  /** What is known of each account, with the end of its pause by the clock of this process. */
  let known = new Map<string, { stored: StoredPause; until: number }>();
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;

  function note(row: PausesRow | null): void {
    const now = clock.now();
    readAt = now;
    known = new Map(
      Object.entries(row?.pauses ?? {}).map(([account, stored]) => {
        const before = known.get(account);
        return [
          account,
          before && isSame(before.stored, stored) ? before : { stored, until: endOf(stored, now) },
        ];
      }),
    );
  }

  /** Returns the end of a pause. One that seems to begin later was stored by a clock that is ahead: it begins now. */
  function endOf({ at, until }: StoredPause, now: number): number {
    const lasts = Math.min(until - at, longestMs);
    return Math.min(at, now) + lasts;
  }

  async function refresh(): Promise<void> {
    // Absolute, because the clock may have been set back.
    if (readAt !== undefined && Math.abs(clock.now() - readAt) < FRESH_MS) return;
    reading ??= readRow(kv, key).then(note, (error) => {
      readAt = clock.now();
      log.error("provider_pauses.not_read", { error });
    }).finally(() => reading = undefined);
    await reading;
  }

  /** @param change returns the account's pause, undefined for none, or its argument if nothing is to be written */
  async function store(
    account: string,
    change: (before: StoredPause | undefined, now: number) => StoredPause | undefined,
  ): Promise<void> {
    try {
      const row = await cas(kv, { row: key }, ({ row: { value } }) => {
        const now = clock.now();
        const before = value?.pauses[account];
        const after = change(before, now);
        if (after === before) return { value };
        const others = Object.entries(value?.pauses ?? {})
          .filter(([name, other]) => name !== account && endOf(other, now) > now);
        const pauses = Object.fromEntries([...others, ...(after ? [[account, after] as const] : [])]);
        const changed: PausesRow = { v: 1, pauses };
        return {
          value: changed,
          // The account may never be called again.
          write: (tx) => void tx.set(key, changed, { expireIn: 2 * longestMs }),
        };
      }, { clock, random });
      note(row);
    } catch (error) {
      log.error("provider_pauses.not_stored", { error });
    }
  }

  return {
    key,
    note,
    of: (account) => ({
      async until() {
        await refresh();
        return known.get(account)?.until;
      },
      begin: (until) =>
        store(account, (before, now) => {
          const isKnown = before && before.at <= now && endOf(before, now) >= until - WORTH_STORING_MS;
          return isKnown ? before : { at: now, until };
        }),
      async end(until) {
        const ended = known.get(account);
        if (ended?.until !== until) return;
        await store(account, (before) => before && isSame(before, ended.stored) ? undefined : before);
      },
    }),
  };
}

const isSame = (a: StoredPause, b: StoredPause): boolean => a.at === b.at && a.until === b.until;
