import { createHash } from "node:crypto";
import type { FormToken } from "../../shared/contract.ts";

/** Solves a challenge as the widget does. */
export function solve({ maxnumber, ...challenge }: NonNullable<FormToken["challenge"]>): string {
  for (let number = 0; number <= maxnumber; number++) {
    const hash = createHash("sha256").update(`${challenge.salt}${number}`).digest("hex");
    if (hash === challenge.challenge) return btoa(JSON.stringify({ ...challenge, number }));
  }
  throw new Error("no solution");
}
