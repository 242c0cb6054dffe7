import { Buffer } from "node:buffer";
import type { Operation } from "./operation.ts";

/** What an atomic operation reads, writes, and takes of the limits of one operation. Sizes are in bytes. */
export interface CommitNeeds {
  /** Keys that it checks, each as text. */
  readonly checks: readonly string[];
  /** Keys that it writes, each as text. */
  readonly writes: readonly string[];
  readonly keySizes: number;
  readonly mutationSizes: number;
}

/** Limits of one atomic operation of Deno KV (`ext/kv/config.rs` of Deno 2.9). Sizes are in bytes. */
const MAX = {
  checks: 100,
  mutations: 1_000,
  keySize: 2_048,
  valueSize: 65_536,
  keySizes: 80 * 1_024,
  mutationSizes: 800 * 1_024,
} as const;

/**
 * Returns what an operation needs. Returns undefined if it must be committed alone, because it may be invalid, too large
 * or of an unknown size: its error must not become the error of others.
 */
export function needsOf({ checks, mutations }: Operation): CommitNeeds | undefined {
  const needs = { checks: [] as string[], writes: [] as string[], keySizes: 0, mutationSizes: 0 };
  for (const { key } of checks) {
    const size = keySize(key);
    if (size === undefined) return;
    needs.checks.push(nameOf(key));
    needs.keySizes += size;
  }
  for (const mutation of mutations) {
    const size = keySize(mutation.key);
    if (size === undefined) return;
    needs.writes.push(nameOf(mutation.key));
    needs.keySizes += size;
    needs.mutationSizes += size;
    if (mutation.type === "delete") continue;
    // `sum`, `min` and `max` fail on rows of another type.
    if (mutation.type !== "set" || !(mutation.value instanceof Uint8Array)) return;
    if (mutation.value.length > MAX.valueSize) return;
    needs.mutationSizes += mutation.value.length;
  }
  return needs;
}

/** Operations that can be committed together: none writes a key that another one writes or checks. */
export class CommitGroup {
  readonly #checks = new Set<string>();
  readonly #writes = new Set<string>();
  #used = { checks: 0, mutations: 0, keySizes: 0, mutationSizes: 0 };

  /** Adds an operation, unless it depends on the others or no longer fits into one operation with them. */
  add(needs: CommitNeeds): boolean {
    if (needs.checks.some((key) => this.#writes.has(key))) return false;
    if (needs.writes.some((key) => this.#writes.has(key) || this.#checks.has(key))) return false;
    const used = {
      checks: this.#used.checks + needs.checks.length,
      mutations: this.#used.mutations + needs.writes.length,
      keySizes: this.#used.keySizes + needs.keySizes,
      mutationSizes: this.#used.mutationSizes + needs.mutationSizes,
    };
    if (
      used.checks > MAX.checks || used.mutations > MAX.mutations || used.keySizes > MAX.keySizes ||
      used.mutationSizes > MAX.mutationSizes
    ) return false;
    this.#used = used;
    for (const key of needs.checks) this.#checks.add(key);
    for (const key of needs.writes) this.#writes.add(key);
    return true;
  }
}

/** Returns an upper bound of the size of an encoded key; undefined if it may be invalid. */
function keySize(key: Deno.KvKey): number | undefined {
  let size = 0;
  for (const part of key) {
    if (typeof part === "string") {
      // A null character is encoded in two bytes.
      size += Buffer.byteLength(part) + (part.includes("\0") ? part.length : 0) + 2;
    } else if (typeof part === "number" || typeof part === "boolean") size += 9;
    else return;
  }
  return key.length > 0 && size <= MAX.keySize ? size : undefined;
}

/** Returns a text that differs for different keys of strings, numbers and booleans. */
export function nameOf(key: Deno.KvKey): string {
  let name = "";
  for (const part of key) name += typeof part === "string" ? `${part.length}:${part}` : `${String(part)};`;
  return name;
}
