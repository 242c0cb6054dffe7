import { Buffer } from "node:buffer";
import { decodeKey } from "../../platform/kv/engines/key_codec.ts";
import { type ChangeRow } from "../../platform/kv/gate.ts";
import { readAll } from "../../platform/kv/entries.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicCheck, Kv, KvKey } from "../../platform/kv/port.ts";
import type { Comparison } from "./compare.ts";
import { isMoved, nameOfKey, type Stored, storedOf } from "./rows.ts";
import { copyOf, createWriter } from "./write.ts";

/** As many as are handled together. */
const CHANGES = 500;

export interface ChangesDeps {
  source: { kv: Kv; gate: AtomicCheck };
  target: { kv: Kv; gate: AtomicCheck };
  /** Kept correct, if there is one. */
  comparison: Comparison | undefined;
}

export interface Applied {
  /** How many notes of changes were read: none if nothing has changed. */
  notes: number;
  /** How many rows were copied again. */
  rows: number;
  /** A commit changed so many rows that all rows have to be compared. */
  many: boolean;
}

/**
 * Copies again what has changed in the source since its changes were last copied, and what is known to differ. Deletes the
 * notes of these changes afterward, so that nothing is missed if the process ends before.
 */
export async function applyChanges(deps: ChangesDeps): Promise<Applied> {
  const { source, comparison } = deps;
  const noted: KvKey[] = [];
  const changed = new Map<string, KvKey>();
  let many = false;
  for await (const { key, value } of source.kv.list({ prefix: keys.moveChangeAll() }, { limit: CHANGES })) {
    noted.push(key);
    const change: ChangeRow = JSON.parse(new TextDecoder().decode(value as Uint8Array));
    if (change === "many") many = true;
    else for (const text of change) add(decodeKey(Buffer.from(text, "base64")));
  }
  for (const { key } of comparison?.different.values().take(CHANGES) ?? []) add(key);
  function add(key: KvKey) {
    if (isMoved(key)) changed.set(nameOfKey(key), key);
  }
  await copyAgain(deps, changed);
  const forget = createWriter(source.kv, source.gate);
  for (const key of noted) await forget.add({ type: "delete", key });
  await forget.flush();
  return { notes: noted.length, rows: changed.size, many };
}

async function copyAgain(
  { source, target, comparison }: ChangesDeps,
  changed: ReadonlyMap<string, KvKey>,
): Promise<void> {
  const [names, all] = [[...changed.keys()], [...changed.values()]];
  const read = async (kv: Kv): Promise<(Stored | undefined)[]> =>
    (await readAll(kv, all)).map(({ value, versionstamp }) =>
      versionstamp === null ? undefined : storedOf(value)
    );
  const [values, before] = await Promise.all([read(source.kv), comparison ? read(target.kv) : []]);
  const writer = createWriter(target.kv, target.gate);
  for (const [at, key] of all.entries()) await writer.add(copyOf(key, values[at]));
  await writer.flush();
  if (!comparison) return;
  const after = await read(target.kv);
  for (const [at, key] of all.entries()) {
    comparison.again({ key, name: names[at]! }, {
      before: before[at],
      source: values[at],
      target: after[at],
    });
  }
}
