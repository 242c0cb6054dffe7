import { join } from "node:path";
import type { Bench } from "../bench.ts";

const STEPS = ["typing", "submitting", "closing"] as const;

/** The highest INP of all forms in a real browser; see `e2e/long_tasks/measure_inp.ts`. */
export const inp: Bench = {
  rounds: 3,
  open: ({ folder }) =>
    Promise.resolve({
      async measure() {
        const { success, stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", join(folder, "e2e/long_tasks/measure_inp.ts")],
          cwd: folder,
          stderr: "inherit",
        }).output();
        if (!success) return {};
        const forms: Record<(typeof STEPS)[number], number>[] = Object.values(
          JSON.parse(new TextDecoder().decode(stdout)),
        );
        const highest = (step: (typeof STEPS)[number]) => Math.max(...forms.map((form) => form[step]));
        return Object.fromEntries(STEPS.map((step) => [`inp.${step}`, highest(step)]));
      },
      async [Symbol.asyncDispose]() {},
    }),
};
