import type { Bench } from "../bench.ts";
import { runScript } from "../run_script.ts";

/** What a page keeps in memory after 50 navigations in a single-page app; see `e2e/navigation_memory/main.ts`. */
export const navigation: Bench = {
  rounds: 3,
  open: ({ folder }) =>
    Promise.resolve({
      async measure() {
        const grown = await runScript<Record<string, number>>(folder, "e2e/navigation_memory/main.ts") ?? {};
        return Object.fromEntries(Object.entries(grown).map(([what, by]) => [`navigation.${what}`, by]));
      },
      async [Symbol.asyncDispose]() {},
    }),
};
