import { Buffer } from "node:buffer";
import type { Random } from "../deps.ts";
import { encodeKey } from "./engines/key_codec.ts";
import { type ChangeRow, DatabaseMoved, type Gate, gateOf, type SeenGate } from "./gate.ts";
import { keys } from "./keys.ts";
import { requireFits, sizeOf } from "./limits.ts";
import { Operation } from "./operation.ts";
import type { AtomicOperation, Kv, KvCommitError, KvCommitResult, KvKey } from "./port.ts";
import { encode } from "./portable_values.ts";
import { wrap } from "./wrap.ts";

/** A row of a move may be as large as any; a few bytes less, because of the quotes. */
const MOST_CHANGE_BYTES = 65_000;

/**
 * Returns the same database, but every commit checks the gate (`gate.ts`) and does what it says. For callers nothing
 * changes until the database is closed.
 *
 * A commit that fails because the gate has changed is made again.
 *
 * @param inner stores values as bytes
 */
export function withGate(inner: Kv, random: Pick<Random, "uuid">): Kv {
  const { limits } = inner.engine;
  const process = random.uuid();
  let changes = 0;
  let seen: SeenGate | undefined;

  async function read(): Promise<SeenGate> {
    return seen = gateOf(await inner.get(keys.move()));
  }

  /** @throws {DatabaseMoved} if commits are refused now */
  async function open(): Promise<SeenGate> {
    if (seen && isOpen(seen.row)) return seen;
    const now = await read();
    if (!isOpen(now.row)) throw new DatabaseMoved(now.row!);
    return now;
  }

  async function commit(operation: Operation): Promise<KvCommitResult | KvCommitError> {
    requireFits(sizeOf(operation), limits);
    for (;;) {
      const { row, check } = await open();
      const tx = operation.addTo(inner.atomic()).gate(check);
      if (row) noteChanges(tx, operation);
      const result = await tx.commit();
      if (result.ok || (await read()).check.versionstamp === check.versionstamp) return result;
    }
  }

  function noteChanges(tx: AtomicOperation, { mutations }: Operation): void {
    const changed = encode(changeOf(mutations.map(({ key }) => key))) as Uint8Array;
    tx.set(
      keys.moveChange(process, changes++),
      changed.length > MOST_CHANGE_BYTES ? encode("many" satisfies ChangeRow) : changed,
    );
  }

  return wrap(inner, {
    atomic: () => new Operation(commit),
    async set(...[key, value, options]: Parameters<Kv["set"]>) {
      const result = await new Operation(commit).set(key, value, options).commit();
      if (!result.ok) throw new Error("an operation without checks failed");
      return result;
    },
    delete: async (key: KvKey) => void await new Operation(commit).delete(key).commit(),
  });
}

function changeOf(changed: readonly KvKey[]): ChangeRow {
  return [...new Set(changed.map((key) => Buffer.from(encodeKey(key)).toString("base64")))];
}

const isOpen = (row: Gate | undefined) => row === undefined || row.phase === "copying";
