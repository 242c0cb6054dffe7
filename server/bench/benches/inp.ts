import { join } from "node:path";
import type { Bench } from "../bench.ts";

/** The slowest interaction of a visit in a real browser; see `e2e/long_tasks/slowest_interaction.ts`. */
export const inp: Bench = {
  rounds: 1,
  open: ({ folder }) =>
    Promise.resolve({
      async measure() {
        const { success, stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", join(folder, "e2e/long_tasks/slowest_interaction.ts")],
          cwd: folder,
          stderr: "inherit",
        }).output();
        return { "inp.worst": success ? Number(new TextDecoder().decode(stdout)) : NaN };
      },
      async [Symbol.asyncDispose]() {},
    }),
};
