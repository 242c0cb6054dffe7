/** What the tests of `deno task test` may use. What needs more belongs to `deno task test:all`. */
import type { TestResult } from "./junit.ts";

export const BUDGETS = {
  /** Pages of a browser, in all tests together. */
  pages: 40,
  /** Programs that tests start, in all tests together. */
  programs: 25,
  /** Milliseconds of one test. */
  testMs: 5_000,
};

export interface Used {
  pages: number;
  programs: number;
}

/** Reads what `record.ts` has appended. */
export function readUsed(text: string): Used {
  const lines = text.split("\n");
  const count = (what: string) => lines.filter((line) => line === what).length;
  return { pages: count("page"), programs: count("program") };
}

/**
 * Returns a sentence for each budget that is exceeded.
 *
 * @param judgeTimes whether the machine has nothing else to do. Otherwise, times say little about tests
 */
export function exceeded(
  used: Used,
  tests: readonly TestResult[],
  { judgeTimes }: { judgeTimes: boolean },
): string[] {
  const found: string[] = [];
  for (const what of ["pages", "programs"] as const) {
    if (used[what] <= BUDGETS[what]) continue;
    found.push(
      `The tests use ${used[what]} ${what}, ${
        BUDGETS[what]
      } are allowed. Move tests to e2e/, or to a file named *_browser_test.ts or *_slow_test.ts.`,
    );
  }
  if (!judgeTimes) return found;
  for (const { file, name, ms } of tests.filter(({ ms }) => ms > BUDGETS.testMs)) {
    const seconds = (ms / 1_000).toFixed(1);
    found.push(
      `${file}: “${name}” took ${seconds} s, ${
        BUDGETS.testMs / 1_000
      } s are allowed. Move it to a file named *_slow_test.ts.`,
    );
  }
  return found;
}
