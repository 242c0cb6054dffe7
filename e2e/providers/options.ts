/** The arguments of tests that run with any provider: `deno test -A FILE -- --provider kit`. */
import { parseArgs } from "node:util";
import { PROVIDER_NAMES } from "./table.ts";

export interface TestOptions {
  providers: readonly string[];
  rounds: number;
  /** Of the random numbers. */
  seed: number;
}

/**
 * Returns the arguments of this process.
 *
 * @param usual the provider without an argument
 */
export function testOptions(usual: string): TestOptions {
  const { values } = parseArgs({
    args: Deno.args,
    options: { provider: { type: "string" }, rounds: { type: "string" }, seed: { type: "string" } },
  });
  const { provider = usual, rounds = "10", seed } = values;
  return {
    providers: provider === "all" ? PROVIDER_NAMES : [provider],
    rounds: Number(rounds),
    seed: Number(seed ?? Date.now() % 1_000_000),
  };
}
