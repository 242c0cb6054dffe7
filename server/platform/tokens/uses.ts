import type { Clock, Log, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import type { Key } from "../kv/key.ts";
import type { Kv } from "../kv/port.ts";
import { plausibleTime } from "../time/stored_time.ts";

/** When something was last used. It is a row of its own, so that its update never conflicts with other changes. */
export interface UseRow {
  v: 1;
  at: number;
}

export interface Uses {
  /** Notes a use in memory. */
  note(id: string): void;
  /** Drops a use that is not written yet. */
  forget(id: string): void;
  /** Returns when each was last used, up to a minute too early; undefined if never, as far as known. */
  of(ids: readonly string[]): Promise<(number | undefined)[]>;
  /** Writes the noted uses. Keeps them for the next time if that fails; never rejects. */
  flush(): Promise<void>;
}

const MINUTE_MS = 60_000;

/**
 * Creates what remembers when credentials were last used. It is written once a minute, not by the request.
 *
 * @param of.parent the row that lists the credentials; a use of one that it does not list is not written
 * @param of.failed log event of a write that failed
 */
export function createUses<Parent>(
  { kv, clock, random, log }: { kv: Kv; clock: Clock; random: Random; log: Pick<Log, "error"> },
  of: {
    parent: Key<Parent>;
    lists: (row: Parent, id: string) => boolean;
    key: (id: string) => Key<UseRow>;
    failed: string;
  },
): Uses {
  /** Times of uses that are not written yet, by ID, in whole minutes. */
  const used = new Map<string, number>();
  /** The times that this process has written. */
  const written = new Map<string, number>();

  /** Writes a use, unless the credential was revoked or a later use is stored. */
  function write(id: string, at: number): Promise<void> {
    return cas(kv, { parent: of.parent, use: of.key(id) }, ({ parent, use }): Decision<void> => {
      const isKnown = parent.value !== null && of.lists(parent.value as Parent, id);
      const stored = use.value && plausibleTime((use.value as UseRow).at, clock.now());
      if (!isKnown || (stored ?? 0) >= at) return { value: undefined };
      return { value: undefined, write: (tx) => tx.set(of.key(id), { v: 1, at } satisfies UseRow) };
    }, { clock, random });
  }

  return {
    note(id) {
      used.set(id, Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS);
    },
    forget(id) {
      used.delete(id);
      written.delete(id);
    },
    async of(ids) {
      if (ids.length === 0) return [];
      const now = clock.now();
      const { uses } = await readEntries(kv, { uses: ids.map(of.key) });
      return uses.map(({ value }, index) => {
        const at = Math.max(used.get(ids[index]!) ?? 0, value ? plausibleTime(value.at, now) : 0);
        return at > 0 ? at : undefined;
      });
    },
    async flush() {
      for (const [id, at] of [...used]) {
        try {
          if (written.get(id) !== at) await write(id, at);
          written.set(id, at);
          // A later use may have been noted meanwhile.
          if (used.get(id) === at) used.delete(id);
        } catch (error) {
          log.error(of.failed, { error });
        }
      }
    },
  };
}
