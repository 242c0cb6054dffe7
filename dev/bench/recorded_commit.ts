/** A recorded commit, with what is needed to make others of the same size. */
export interface RecordedCommit {
  /** Keys of the commit's checks. */
  checks: Deno.KvKey[];
  writes: { key: Deno.KvKey; value?: unknown; expireIn?: number }[];
}

/** Returns the size of keys and values as JSON, which is only a measure of what the database stores. */
export function bytesOf({ checks, writes }: RecordedCommit): number {
  return new TextEncoder().encode(JSON.stringify([checks, writes])).length;
}

/** Decodes a stored row, because the commit is sent to another process as JSON. */
function decoded(value: unknown): unknown {
  return value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(value)) : value;
}

/**
 * Records the commits that `work` makes, and none after it, so that the recorder does not affect the
 * measurement. Does not support `sum` and similar mutations.
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
