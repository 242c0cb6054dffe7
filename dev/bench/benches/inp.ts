import type { Bench } from "../bench.ts";
import { runScript } from "../run_script.ts";

const STEPS = ["typing", "submitting", "closing"] as const;

/** The highest INP of all forms in a real browser; see `e2e/long_tasks/measure_inp.ts`. */
export const inp: Bench = {
  rounds: 3,
  open: ({ folder }) =>
    Promise.resolve({
      async measure() {
        type Printed = Record<string, Record<(typeof STEPS)[number], number>>;
        const measured = await runScript<Printed>(folder, "e2e/long_tasks/measure_inp.ts");
        if (!measured) return {};
        const forms = Object.values(measured);
        const highest = (step: (typeof STEPS)[number]) => Math.max(...forms.map((form) => form[step]));
        return Object.fromEntries(STEPS.map((step) => [`inp.${step}`, highest(step)]));
      },
      async [Symbol.asyncDispose]() {},
    }),
};
