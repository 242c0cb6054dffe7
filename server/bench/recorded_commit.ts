/** One commit as it was made: enough to make others of the same size. */
export interface RecordedCommit {
  /** Keys that were checked. */
  checks: Deno.KvKey[];
  writes: { key: Deno.KvKey; value?: unknown; expireIn?: number }[];
}

/** Bytes of keys and values, as JSON: a measure, not what the database stores. */
export function bytesOf({ checks, writes }: RecordedCommit): number {
  return new TextEncoder().encode(JSON.stringify([checks, writes])).length;
}

/** The row behind the bytes that are stored: a commit goes to another process as JSON. */
function decoded(value: unknown): unknown {
  return value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(value)) : value;
}

/**
 * Record the commits that `work` makes, and nothing of what comes later: what is measured then runs untouched.
 * Does not know of `sum` and its like, which a commit of interest may not contain.
 */
export async function recordCommits(work: () => Promise<unknown>): Promise<RecordedCommit[]> {
  const methods = Deno.AtomicOperation.prototype;
  const { check, set, delete: remove, commit } = methods;
  const open = new WeakMap<Deno.AtomicOperation, RecordedCommit>();
  const made: RecordedCommit[] = [];
  const of = (tx: Deno.AtomicOperation) => {
    const known = open.get(tx) ?? { checks: [], writes: [] };
    open.set(tx, known);
    return known;
  };
  methods.check = function (...checks) {
    of(this).checks.push(...checks.map(({ key }) => key));
    return check.apply(this, checks);
  };
  methods.set = function (key, value, options) {
    of(this).writes.push({ key, value: decoded(value), ...options });
    return set.call(this, key, value, options);
  };
  methods.delete = function (key) {
    of(this).writes.push({ key });
    return remove.call(this, key);
  };
  methods.commit = function () {
    made.push(of(this));
    return commit.call(this);
  };
  try {
    await work();
  } finally {
    Object.assign(methods, { check, set, delete: remove, commit });
  }
  return made;
}
