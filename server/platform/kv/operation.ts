import {
  type AtomicCheck,
  type AtomicOperation,
  type KvCommitError,
  type KvCommitResult,
  type KvKey,
  type KvMutation,
  KvU64,
} from "./port.ts";

type CommitResult = KvCommitResult | KvCommitError;

/** An atomic operation that is collected first, so that `commit` can decide how to make it. */
export class Operation implements AtomicOperation {
  readonly checks: AtomicCheck[] = [];
  readonly mutations: KvMutation[] = [];
  /** The check of `gate`. */
  gated: AtomicCheck | undefined;
  readonly #commit: (operation: Operation) => Promise<CommitResult>;

  constructor(commit: (operation: Operation) => Promise<CommitResult>) {
    this.#commit = commit;
  }

  /** Adds the checks and mutations to `tx`, in their order. */
  addTo(tx: AtomicOperation): AtomicOperation {
    tx.check(...this.checks);
    if (this.gated) tx.gate(this.gated);
    for (const mutation of this.mutations) {
      if (mutation.type === "set") {
        const { key, value, expireIn } = mutation;
        tx.set(key, value, expireIn === undefined ? {} : { expireIn });
      } else if (mutation.type === "delete") tx.delete(mutation.key);
      else tx.mutate(mutation);
    }
    return tx;
  }

  check(...checks: AtomicCheck[]): this {
    this.checks.push(...checks);
    return this;
  }

  gate(check: AtomicCheck): this {
    this.gated = check;
    return this;
  }

  mutate(...mutations: KvMutation[]): this {
    this.mutations.push(...mutations);
    return this;
  }

  set(key: KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): this {
    return this.mutate({ type: "set", key, value, ...(expireIn !== undefined && { expireIn }) });
  }

  delete(key: KvKey): this {
    return this.mutate({ type: "delete", key });
  }

  sum(key: KvKey, n: bigint): this {
    return this.mutate({ type: "sum", key, value: new KvU64(n) });
  }

  commit(): Promise<CommitResult> {
    return this.#commit(this);
  }
}

/** Returns what `write` adds to an operation. It can't be committed. */
export function collected(write: (tx: AtomicOperation) => void): Operation {
  const operation = new Operation(() => {
    throw new TypeError("This operation is only collected.");
  });
  write(operation);
  return operation;
}
