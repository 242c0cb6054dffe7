import { Buffer } from "node:buffer";
import type { Random } from "../deps.ts";
import { encodeKey } from "./engines/key_codec.ts";
import { type ChangeRow, DatabaseMoved, type Gate, gateOf, type SeenGate } from "./gate.ts";
import { keys } from "./keys.ts";
import { requireFits, sizeOf } from "./limits.ts";
import { committing, writingOne } from "./operation.ts";
import type { Kv, KvCommitError, KvCommitResult, KvKey, KvMutation, KvOperation } from "./port.ts";
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

  async function commit(operation: KvOperation): Promise<KvCommitResult | KvCommitError> {
    requireFits(operation.size ?? sizeOf(operation), limits);
    for (;;) {
      const { row, check } = await open();
      const { checks, mutations } = operation;
      const noted = row ? [...mutations, changesOf(mutations)] : mutations;
      const result = await inner.commit({ checks, mutations: noted, gate: check });
      if (result.ok || (await read()).check.versionstamp === check.versionstamp) return result;
    }
  }

  /** Returns the row that tells a move which keys an operation writes. */
  function changesOf(mutations: readonly KvMutation[]): KvMutation {
    const changed = encode(changeOf(mutations.map(({ key }) => key))) as Uint8Array;
    return {
      type: "set",
      key: keys.moveChange(process, changes++),
      value: changed.length > MOST_CHANGE_BYTES ? encode("many" satisfies ChangeRow) : changed,
    };
  }

  return wrap(inner, {
    ...committing(commit),
    ...writingOne(commit),
  });
}

function changeOf(changed: readonly KvKey[]): ChangeRow {
  return [...new Set(changed.map((key) => Buffer.from(encodeKey(key)).toString("base64")))];
}

const isOpen = (row: Gate | undefined) => row === undefined || row.phase === "copying";
