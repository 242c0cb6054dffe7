import { fits, sizeOf, together } from "./limits.ts";
import { collected } from "./operation.ts";
import type { AtomicOperation, Kv, KvLimits, OperationSize } from "./port.ts";

/** Returns the size of the operation that `write` describes. */
export function sizeOfWrites(write: (tx: AtomicOperation) => void): OperationSize {
  return sizeOf(collected(write));
}

/**
 * Divides pieces of work into groups, in their order, so that each group fits into one operation of the database. A piece
 * that is too large for an operation gets a group of its own.
 *
 * @param write writes one piece
 * @param also what every operation contains besides
 */
export function divide<T>(
  kv: Kv,
  pieces: Iterable<T>,
  write: (tx: AtomicOperation, piece: T) => void,
  also: OperationSize = sizeOf({}),
): T[][] {
  const limits: KvLimits = kv.engine.limits;
  const groups: T[][] = [];
  let used = also;
  for (const piece of pieces) {
    const size = sizeOfWrites((tx) => write(tx, piece));
    const next = together(used, size);
    const group = groups.at(-1);
    if (group && fits(next, limits)) {
      group.push(piece);
      used = next;
    } else {
      groups.push([piece]);
      used = together(also, size);
    }
  }
  return groups;
}
