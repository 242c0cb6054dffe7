/** Preloaded by `deno task mutate`, so that property tests catch the same mutants in every run. */
import fc from "fast-check";

fc.configureGlobal({ seed: 1 });
