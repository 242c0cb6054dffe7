import type { Random } from "../../server/deps.ts";

/** What one round does. */
export interface Round {
  number: number;
  /** The provider's trouble while it lasts. */
  fault: "none" | "503" | "hang-after" | "error-after";
  webhooks: "deliver" | "twice";
  /** Killed while it starts, before anybody could come. */
  stillborn: boolean;
  /** Milliseconds from the start of the process, or of the visitors, to its death. */
  diesAfterMs: number;
}

/** Rounds go by tens; what failed needs the last ones to be tried again, so these are without trouble. */
const FAULTS: Readonly<Record<number, Round["fault"]>> = { 2: "503", 3: "hang-after", 4: "error-after" };
const STILLBORN = 7;

const LIFE_MS = { least: 20, most: 1_500 };
const BIRTH_MS = { least: 10, most: 250 };

/** The same rounds for the same seed. */
export function planRounds(count: number, random: Random): Round[] {
  const between = ({ least, most }: { least: number; most: number }) =>
    least + random.float() * (most - least);
  return Array.from({ length: count }, (_, index) => {
    const stillborn = index % 10 === STILLBORN;
    return {
      number: index + 1,
      fault: FAULTS[index % 10] ?? "none",
      webhooks: index % 3 === 1 ? "twice" : "deliver",
      stillborn,
      diesAfterMs: Math.round(between(stillborn ? BIRTH_MS : LIFE_MS)),
    };
  });
}
