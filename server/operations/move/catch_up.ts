import { type Applied, applyChanges } from "./changes.ts";
import { compareAll, type Comparison } from "./compare.ts";
import type { MoveProgress, Pace } from "./rows.ts";
import type { Side } from "./sides.ts";

/** So few changes are copied at once while the database is closed. */
const FEW_ROWS = 100;
const ROUNDS = 20;

/**
 * Copies what has changed until little is left, compares all rows, and copies and compares again what has changed
 * meanwhile. Returns the comparison, which holds but for few changes.
 */
export async function catchUp(
  source: Side,
  target: Side,
  pace: Pace,
  progress: (progress: MoveProgress) => void,
): Promise<Comparison> {
  const apply = async (comparison?: Comparison) => {
    const applied = await applyChanges(changesOf(source, target, comparison));
    progress({ step: "copied again", rows: applied.rows });
    await pace.rest();
    return applied;
  };
  await untilFew(() => apply());
  for (;;) {
    const comparison = await compareAll(
      source.kv,
      target.kv,
      pace,
      (rows) => progress({ step: "compared", rows }),
    );
    const { many } = await untilFew(() => apply(comparison));
    if (!many) return comparison;
  }
}

export const changesOf = (source: Side, target: Side, comparison: Comparison | undefined) => ({
  source: { kv: source.kv, gate: source.gate.check },
  target: { kv: target.kv, gate: target.gate.check },
  comparison,
});

/** Under a load that never ends, the rounds end anyway, and the caller finds more changes. */
async function untilFew(apply: () => Promise<Applied>): Promise<{ many: boolean }> {
  let many = false;
  for (let round = 0; round < ROUNDS; round++) {
    const applied = await apply();
    many ||= applied.many;
    if (applied.rows <= FEW_ROWS && applied.notes < FEW_ROWS) break;
  }
  return { many };
}
