import {
  type AtomicCheck,
  type AtomicOperation,
  type Kv,
  type KvCommitError,
  type KvCommitResult,
  type KvKey,
  type KvMutation,
  type KvOperation,
  KvU64,
} from "./port.ts";

/** An operation that is collected. */
export class Operation implements AtomicOperation, KvOperation {
  readonly checks: AtomicCheck[] = [];
  readonly mutations: KvMutation[] = [];
  readonly #commit: Kv["commit"];

  constructor(commit: Kv["commit"]) {
    this.#commit = commit;
  }

  check(...checks: AtomicCheck[]): this {
    this.checks.push(...checks);
    return this;
  }

  mutate(...mutations: KvMutation[]): this {
    this.mutations.push(...mutations);
    return this;
  }

  set(key: KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): this {
    this.mutations.push(
      expireIn === undefined ? { type: "set", key, value } : { type: "set", key, value, expireIn },
    );
    return this;
  }

  delete(key: KvKey): this {
    this.mutations.push({ type: "delete", key });
    return this;
  }

  sum(key: KvKey, n: bigint): this {
    this.mutations.push({ type: "sum", key, value: new KvU64(n) });
    return this;
  }

  commit(): Promise<KvCommitResult | KvCommitError> {
    return this.#commit(this);
  }
}

/** Returns the members of a database that make operations by `commit`. */
export function committing(commit: Kv["commit"]): Pick<Kv, "commit" | "atomic"> {
  return { commit, atomic: () => new Operation(commit) };
}

/** Returns the members that write one row without a check by `commit`. */
export function writingOne(commit: Kv["commit"]): Pick<Kv, "set" | "delete"> {
  return {
    async set(key, value, options) {
      const result = await new Operation(commit).set(key, value, options).commit();
      if (!result.ok) throw new Error("an operation without checks failed");
      return result;
    },
    delete: async (key) => void await new Operation(commit).delete(key).commit(),
  };
}

/** Returns what `write` adds to an operation. It can't be committed. */
export function collected(write: (tx: AtomicOperation) => void): Operation {
  const operation = new Operation(() => {
    throw new TypeError("This operation is only collected.");
  });
  write(operation);
  return operation;
}
