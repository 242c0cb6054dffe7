import type { AuditChange } from "./changes.ts";
import type { AuditRow, Link } from "./row.ts";

/**
 * The chain of the log: each entry contains a keyed hash of itself and of the entry before it, so an entry can't be
 * changed, removed or inserted without the key. The result of an action, which comes later, has a hash of its own.
 *
 * Who has the database and the salt can compute all hashes again. Note the newest link elsewhere to notice that.
 */

/** What precedes the first entry. */
export const NO_LINK: Link = { n: 0, hash: "" };

/** Returns a keyed hash of a text. */
export type Hash = (text: string) => string;

/** What an entry says when its action begins, and its ID. */
type Begun = Pick<AuditRow, "at" | "who" | "action" | "target" | "device"> & { id: string };

/** Returns a hash of what an entry says when its action begins. */
export const hashOfEntry = (hash: Hash, { id, at, who, action, target, device }: Begun): string =>
  hash(JSON.stringify([id, at, who, action, target ?? null, device ?? null]));

/** Returns the link of an entry after another link. @param entry as returned by `hashOfEntry` */
export function linkAfter(hash: Hash, before: Link, entry: string): Link {
  const n = before.n + 1;
  return { n, hash: hash(`${n} ${before.hash} ${entry}`) };
}

/** Returns the hash of an action's result. */
export function sealOf(
  hash: Hash,
  link: Link,
  { result, changes = [], otherChanges = 0 }: Pick<AuditRow, "result" | "otherChanges"> & {
    changes?: readonly AuditChange[];
  },
): string {
  return hash(JSON.stringify(["result", link.hash, result, changes, otherChanges]));
}
