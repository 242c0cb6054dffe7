/** Reads the reports that `deno test --junit-path` writes: one element per line. */

export interface TestResult {
  /** Path of the test file from the root. */
  file: string;
  name: string;
  ms: number;
  failed: boolean;
  ignored: boolean;
}

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };
const decode = (text: string) => text.replace(/&(quot|apos|lt|gt|amp);/g, (_, name) => ENTITIES[name]!);
const SUITE = /^<testsuite name="([^"]*)"/;
const CASE = /^<testcase name="([^"]*)".* time="([\d.]+)"/;

/** Returns the tests of a report. A step counts as part of its test. */
export function readReport(xml: string): TestResult[] {
  const results: TestResult[] = [];
  let file = "";
  const isStep = (name: string) =>
    results.some((test) => test.file === file && name.startsWith(`${test.name} > `));
  for (const line of xml.split("\n").map((line) => line.trim())) {
    file = SUITE.exec(line)?.[1]?.replace(/^\.\//, "") ?? file;
    const [, name, seconds] = CASE.exec(line) ?? [];
    if (name !== undefined && !isStep(decode(name))) {
      results.push({ file, name: decode(name), ms: Number(seconds) * 1000, failed: false, ignored: false });
    }
    const last = results.at(-1);
    if (last && line.startsWith("<failure")) last.failed = true;
    if (last && line.startsWith("<skipped")) last.ignored = true;
  }
  return results;
}
