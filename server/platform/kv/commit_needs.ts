import { fits, sizeOf, together } from "./limits.ts";
import type { KvKey, KvLimits, KvMutation, KvOperation, OperationSize } from "./port.ts";

/** What an atomic operation checks and writes, by names of the keys, and its size. */
export interface CommitNeeds {
  readonly checks: readonly string[];
  readonly writes: readonly string[];
  readonly size: OperationSize;
}

/**
 * Returns what an operation needs. Returns undefined if it must be committed alone, because it may be invalid, too large
 * or of an unknown size: its error must not become the error of others.
 */
export function needsOf(operation: KvOperation, limits: KvLimits): CommitNeeds | undefined {
  const { checks, mutations } = operation;
  if (!checks.every(({ key }) => isPlain(key)) || !mutations.every(isShareable)) return;
  const size = sizeOf(operation);
  if (!fits(size, limits)) return;
  // Named when they are first needed, which may be never, and only once: an operation can be left for many groups.
  let names: Pick<CommitNeeds, "checks" | "writes"> | undefined;
  const named = () => names ??= { checks: namesOf(checks), writes: namesOf(mutations) };
  return {
    size,
    get checks() {
      return named().checks;
    },
    get writes() {
      return named().writes;
    },
  };
}

/** Operations that can be committed together: none writes a key that another one writes or checks. */
export class CommitGroup {
  readonly #checks: Set<string>;
  readonly #writes: Set<string>;
  readonly #limits: KvLimits;
  #size: OperationSize;

  /** @param first fits into one operation, as everything that has `needsOf` does */
  constructor(first: CommitNeeds, limits: KvLimits) {
    this.#limits = limits;
    this.#size = first.size;
    this.#checks = new Set(first.checks);
    this.#writes = new Set(first.writes);
  }

  get size(): OperationSize {
    return this.#size;
  }

  /** Adds an operation, unless it depends on the others or no longer fits into one operation with them. */
  add(needs: CommitNeeds): boolean {
    // First, because most of those that wait while a group is full need no more than this.
    const all = together(this.#size, needs.size);
    if (!fits(all, this.#limits)) return false;
    const { checks, writes } = needs;
    if (checks.some((key) => this.#writes.has(key))) return false;
    if (writes.some((key) => this.#writes.has(key) || this.#checks.has(key))) return false;
    this.#size = all;
    for (const key of checks) this.#checks.add(key);
    for (const key of writes) this.#writes.add(key);
    return true;
  }
}

/** `sum` fails on rows of another type. */
function isShareable(mutation: KvMutation): boolean {
  if (!isPlain(mutation.key) || mutation.type === "sum") return false;
  return mutation.type === "delete" || mutation.value instanceof Uint8Array;
}

const namesOf = (rows: readonly { readonly key: KvKey }[]): string[] => rows.map(({ key }) => nameOf(key));

/** Returns whether a key has only parts that `nameOf` can tell apart. */
function isPlain(key: KvKey): boolean {
  return key.length > 0 && key.every((part) => ["string", "number", "boolean"].includes(typeof part));
}

/** Returns a text that differs for different keys of strings, numbers and booleans. */
export function nameOf(key: KvKey): string {
  let name = "";
  for (const part of key) name += typeof part === "string" ? `${part.length}:${part}` : `${String(part)};`;
  return name;
}
