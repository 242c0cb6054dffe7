import { expiry } from "../backup/families.ts";
import { fits, sizeOf, together } from "../../platform/kv/limits.ts";
import type {
  AtomicCheck,
  AtomicOperation,
  Kv,
  KvKey,
  KvMutation,
  OperationSize,
} from "../../platform/kv/port.ts";
import { collected } from "../../platform/kv/operation.ts";
import type { Stored } from "./rows.ts";

/** Another command has canceled the move or goes on with it, or this one was stopped for too long. */
export class MoveLost extends Error {
  override readonly name = "MoveLost";
  constructor() {
    super("The move was canceled, or another command goes on with it.");
  }
}

/** Writes to a database whose gate this move owns. */
export interface Writer {
  /** Adds a write. Resolves when more can be added. */
  add(mutation: KvMutation): Promise<void>;
  /** Makes all writes. Resolves when they are durable. */
  flush(): Promise<void>;
}

/**
 * Returns a writer whose operations are made one after the other, each only while the gate is as it was.
 *
 * @param also adds to each operation, after its writes
 */
export function createWriter(
  kv: Kv,
  gate: AtomicCheck,
  also: (tx: AtomicOperation) => void = () => {},
): Writer {
  let waiting: KvMutation[] = [];
  let size: OperationSize = sizeOf({});
  let running = Promise.resolve();

  async function commit(mutations: KvMutation[]): Promise<void> {
    const operation = collected((tx) => also(tx.mutate(...mutations)));
    if (!(await kv.commit({ ...operation, gate })).ok) throw new MoveLost();
  }

  async function send(): Promise<void> {
    const mutations = waiting;
    [waiting, size] = [[], sizeOf({})];
    // While one operation is made, the rows of the next are read.
    await running;
    if (mutations.length === 0) return;
    running = commit(mutations);
    // Whoever waits for it next gets the error.
    running.catch(() => {});
  }

  return {
    async add(mutation) {
      const next = together(size, sizeOf({ mutations: [mutation] }));
      if (waiting.length > 0 && !fits(next, kv.engine.limits)) {
        await send();
        size = sizeOf({ mutations: [mutation] });
      } else size = next;
      waiting.push(mutation);
    },
    async flush() {
      await send();
      await running;
    },
  };
}

/** Returns what makes the row under a key equal to a value of the source. */
export function copyOf(key: KvKey, value: Stored | undefined): KvMutation {
  return value === undefined ? { type: "delete", key } : { type: "set", key, value, ...expiry(key) };
}
