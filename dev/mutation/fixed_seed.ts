/** Preloaded into every test run of `deno task mutate`, so that property tests catch the same mutants every time. */
import fc from "fast-check";

fc.configureGlobal({ seed: 1 });
