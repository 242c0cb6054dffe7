/**
 * Kills the real server repeatedly while people sign up. Then checks over HTTP that no answered signup was lost and
 * that nobody got an email too many.
 *
 * The provider is one of `providers/table.ts`. All but the built-in sandbox run in a process that is not killed.
 * `promises.ts` says what the capabilities of a provider change in what is checked. Arguments, after `--`:
 *
 * - `--provider kit`: the provider, or `all` of them, one after another; BlueFox by default.
 * - `--rounds 100`: how often the server is killed; 10 by default.
 * - `--seed 1`: repeats the timing of a failed run, whose message contains its seed.
 */
import { testOptions } from "../providers/options.ts";
import { runCrashTest } from "./run.ts";

const { providers, rounds, seed } = testOptions("bluefox");

for (const provider of providers) {
  Deno.test(`killed ${rounds} times with ${provider}: every answered signup reaches the provider once, gets one email, and is counted once`, () =>
    runCrashTest({ provider, rounds, seed }));
}
