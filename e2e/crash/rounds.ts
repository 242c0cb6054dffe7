/** The random plan of a crash test. */
import type { Random } from "../../server/platform/deps.ts";
import type { ProviderFault } from "../providers/remote_provider.ts";

/** One start and kill of the server. */
export interface Round {
  number: number;
  /** Failure of the provider during the round. */
  fault: ProviderFault;
  webhooks: "deliver" | "twice";
  /** Whether the server is killed while it starts, before any visitor. */
  duringStart: boolean;
  /** Milliseconds from the start of the process (if `duringStart`) or of the visitors to the kill. */
  killAfterMs: number;
}

/** Faults by the last digit of the round's index. The other rounds have none, so that failed jobs can be retried. */
const FAULTS: Readonly<Record<number, Round["fault"]>> = {
  2: "unavailable",
  3: "hang-after",
  4: "error-after",
};
const KILL_DURING_START = 7;

const VISITS_MS = { min: 20, max: 1_000 };
const START_MS = { min: 10, max: 250 };

/** Returns random rounds, the same for the same seed. */
export function planRounds(count: number, random: Random): Round[] {
  const between = ({ min, max }: { min: number; max: number }) => min + random.float() * (max - min);
  return Array.from({ length: count }, (_, index) => {
    const duringStart = index % 10 === KILL_DURING_START;
    return {
      number: index + 1,
      fault: FAULTS[index % 10] ?? "none",
      webhooks: index % 3 === 1 ? "twice" : "deliver",
      duringStart,
      killAfterMs: Math.round(between(duringStart ? START_MS : VISITS_MS)),
    };
  });
}
