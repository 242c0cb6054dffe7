import { listing } from "./listing.ts";
import { committing } from "./operation.ts";
import type {
  AtomicCheck,
  Kv,
  KvChanges,
  KvCommitError,
  KvCommitResult,
  KvEntryMaybe,
  KvKey,
  KvOperation,
} from "./port.ts";
import { wrap } from "./wrap.ts";

/** A database that can be replaced by another one with the same rows, while it is used. */
export interface Switchable {
  readonly kv: Kv;
  /** All later calls go to `next`. Lists that have begun go on in it. */
  replace(next: Kv): void;
}

/**
 * Returns a database that can be replaced. Versions of the earlier one mean nothing in the next: a commit that checks one
 * fails as if the row had changed, so that its caller reads the row again.
 */
export function createSwitchable(first: Kv): Switchable {
  let current = first;
  /** Begins the versions of the current database; empty for the first one. Sorts after all earlier versions. */
  let mark = "";

  const marked = <R extends { versionstamp: string | null }>(result: R, by: string): R =>
    result.versionstamp === null || by === ""
      ? result
      : { ...result, versionstamp: by + result.versionstamp };

  async function marking<R extends { versionstamp: string | null }>(
    call: (kv: Kv) => Promise<R>,
  ): Promise<R> {
    const by = mark;
    return marked(await call(current), by);
  }

  async function commit(operation: KvOperation): Promise<KvCommitResult | KvCommitError> {
    // Nothing has been replaced.
    if (mark === "") return await current.commit(operation);
    const [kv, by] = [current, mark];
    const checks: AtomicCheck[] = [];
    for (const { key, versionstamp } of operation.checks) {
      const own = versionOf(versionstamp, by);
      if (own === undefined) return { ok: false };
      checks.push({ key, versionstamp: own });
    }
    const result = await kv.commit({ ...operation, checks });
    return result.ok ? marked(result, by) : result;
  }

  /** Each begins to follow the current database. */
  const followers: (() => void)[] = [];
  const changes: KvChanges = {
    follow(heard, signal) {
      let replaced = new AbortController();
      const follow = () => {
        replaced.abort("replaced");
        replaced = new AbortController();
        current.changes?.follow(heard, AbortSignal.any([signal, replaced.signal]));
      };
      followers.push(follow);
      follow();
    },
    announce: async () => await current.changes?.announce(),
    arrive: () => current.changes?.arrive(),
  };

  const kv = wrap(first, {
    get engine() {
      return current.engine;
    },
    get now() {
      return current.now;
    },
    changes,
    get: <T>(key: KvKey) => marking((kv) => kv.get<T>(key)),
    async getMany(...[keys]: Parameters<Kv["getMany"]>) {
      const by = mark;
      const entries = await current.getMany<unknown[]>(keys as readonly KvKey[]) as KvEntryMaybe<unknown>[];
      return entries.map((entry) => marked(entry, by));
    },
    ...listing(async (...args) => {
      const by = mark;
      const { entries, more } = await current.page(...args);
      return { entries: entries.map((entry) => marked(entry, by)), more };
    }),
    set: (...args: Parameters<Kv["set"]>) => marking((kv) => kv.set(...args)),
    delete: (key: KvKey) => current.delete(key),
    ...committing(commit),
    changeGate: (...args: Parameters<Kv["changeGate"]>) => current.changeGate(...args),
  });
  return {
    kv,
    replace(next) {
      current = next;
      mark += "m";
      for (const follow of followers) follow();
    },
  };
}

/** Returns a version without the mark of its database; undefined if it is one of another database. */
function versionOf(versionstamp: AtomicCheck["versionstamp"], mark: string): string | null | undefined {
  if (versionstamp === null) return null;
  const own = /^m*/.exec(versionstamp)![0];
  return own === mark ? versionstamp.slice(own.length) : undefined;
}
