import type { Bench } from "../bench.ts";
import { openStoredRecords } from "../server.ts";

/** A backup of many records, read to its end. */
export const backup: Bench = {
  rounds: 1,
  async open(checkout, { records }) {
    const stored = await openStoredRecords(checkout, records);
    return {
      async measure() {
        const ms = await stored.ask<number>("backup");
        return { "backup.perSecond": records / ms * 1000 };
      },
      [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
    };
  },
};
