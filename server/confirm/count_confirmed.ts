import type { Counters } from "../observe/counters.ts";
import type { Meters } from "../observe/meters.ts";
import type { OnConfirmed } from "../signup/record/record.ts";

/** Returns a function that counts confirmations, by the form with which the address first signed up. */
export function countConfirmed({ meters, counters }: { meters: Meters; counters: Counters }): OnConfirmed {
  return ({ form, source }, by, afterMs) => {
    meters.confirmed(by, afterMs);
    counters.note(`confirmed.${by}`, form ?? source);
  };
}
