import { aroundCalls } from "../../platform/kv/around_calls.ts";
import { type Gate, gateOf, OPEN_GATE, type SeenGate } from "../../platform/kv/gate.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicCheck, Kv } from "../../platform/kv/port.ts";
import { encode } from "../../platform/kv/portable_values.ts";
import { MoveLost } from "./write.ts";

/** One of the two databases of a move: its rows as they are stored, and its gate. */
export interface Side {
  readonly kv: Kv;
  /** The gate as this move has last read or written it. */
  readonly gate: SeenGate;
  readGate(): Promise<SeenGate>;
  /** Sets the gate, or opens it. @throws {MoveLost} if it is no longer as this move has left it */
  setGate(row: Gate | undefined): Promise<void>;
}

export async function openSide(kv: Kv): Promise<Side> {
  let gate = gateOf(await kv.get(keys.move()));
  return {
    kv,
    get gate() {
      return gate;
    },
    readGate: async () => gate = gateOf(await kv.get(keys.move())),
    async setGate(row) {
      const check: AtomicCheck = gate.check;
      const result = await kv.changeGate(check, encode(row ?? OPEN_GATE) as Uint8Array);
      if (!result.ok) throw new MoveLost();
      gate = { row, check: { key: check.key, versionstamp: result.versionstamp } };
    },
  };
}

/** The new database failed. The old one is as it was. */
export class TargetFailed extends Error {
  override readonly name = "TargetFailed";
  constructor(to: string, cause: unknown) {
    super(`${to} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Returns the new database, whose errors say that they are its. */
export function asTarget(kv: Kv, to: string): Kv {
  return aroundCalls(kv, (call) =>
    call.catch((error) => {
      throw new TargetFailed(to, error);
    }));
}
