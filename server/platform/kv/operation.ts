type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

/** An atomic operation that is collected first, so that `commit` can decide how to make it. */
export class Operation implements Deno.AtomicOperation {
  readonly checks: Deno.AtomicCheck[] = [];
  readonly mutations: Deno.KvMutation[] = [];
  readonly #commit: (operation: Operation) => Promise<CommitResult>;

  constructor(commit: (operation: Operation) => Promise<CommitResult>) {
    this.#commit = commit;
  }

  /** Adds the checks and mutations to `tx`, in their order. */
  addTo(tx: Deno.AtomicOperation): Deno.AtomicOperation {
    tx.check(...this.checks);
    for (const mutation of this.mutations) {
      if (mutation.type === "set") {
        const { key, value, expireIn } = mutation;
        tx.set(key, value, expireIn === undefined ? {} : { expireIn });
      } else if (mutation.type === "delete") tx.delete(mutation.key);
      else tx.mutate(mutation);
    }
    return tx;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.checks.push(...checks);
    return this;
  }

  mutate(...mutations: Deno.KvMutation[]): this {
    this.mutations.push(...mutations);
    return this;
  }

  set(key: Deno.KvKey, value: unknown, { expireIn }: { expireIn?: number } = {}): this {
    return this.mutate({ type: "set", key, value, ...(expireIn !== undefined && { expireIn }) });
  }

  delete(key: Deno.KvKey): this {
    return this.mutate({ type: "delete", key });
  }

  sum(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "sum", key, value: new Deno.KvU64(n) });
  }

  min(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "min", key, value: new Deno.KvU64(n) });
  }

  max(key: Deno.KvKey, n: bigint): this {
    return this.mutate({ type: "max", key, value: new Deno.KvU64(n) });
  }

  /** @throws always: jobs are rows (decision 23), because Deno's queues can't be listed, retried or backed up */
  enqueue(): this {
    throw new TypeError("The queues of Deno KV are not used; add a job (server/platform/jobs/add.ts).");
  }

  commit(): Promise<CommitResult> {
    return this.#commit(this);
  }
}

/** Returns what `write` adds to an operation. It can't be committed. */
export function collected(write: (tx: Deno.AtomicOperation) => void): Operation {
  const operation = new Operation(() => {
    throw new TypeError("This operation is only collected.");
  });
  write(operation);
  return operation;
}
