/** Which test files there are, and which suite each of them belongs to. */

/** Suites that are folders of `e2e`: each needs programs that not every machine has. */
const FOLDERS = ["engines", "hosts", "browsers", "wordpress", "deploy", "openapi"] as const;

/** The suites of test files. `rooms` and `journeys` make `deno task test`; `deno task test:all` runs all of them. */
export type FileSuite = "rooms" | "journeys" | "slow" | "browser" | "alone" | typeof FOLDERS[number];

/** Folders whose tests start real programs, browsers or both. */
const OUTSIDE = /^e2e\//;
const IN_BROWSER = /_browser_test\.tsx?$/;
const MEASURES_TIME = /_alone_test\.tsx?$/;
const SLOW = /_slow_test\.tsx?$/;
const JOURNEY = /^e2e\/journeys\//;
/** A plain `deno test` leaves files named `_host.ts` out. */
const TEST = /_(test\.tsx?|host\.ts)$/;
const SKIPPED = /^(node_modules|dist|dist-npm|coverage|data|react_app)$/;

/** Returns the suite of a test file by its path from the root, such as `server/platform/limits/spend_test.ts`. */
export function suiteOf(path: string): FileSuite {
  if (MEASURES_TIME.test(path)) return "alone";
  if (JOURNEY.test(path)) return "journeys";
  if (SLOW.test(path)) return "slow";
  return FOLDERS.find((name) => path.startsWith(`e2e/${name}/`)) ?? inBrowserOrNot(path);
}

function inBrowserOrNot(path: string): FileSuite {
  return OUTSIDE.test(path) || IN_BROWSER.test(path) ? "browser" : "rooms";
}

/** Returns the paths of all test files below a folder, from the root and in alphabetical order. */
export function testFiles(root: string, folder = ""): string[] {
  return [...Deno.readDirSync(`${root}/${folder}`)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".") || SKIPPED.test(name)) return [];
    const path = folder ? `${folder}/${name}` : name;
    if (isDirectory) return testFiles(root, path);
    return TEST.test(name) ? [path] : [];
  }).sort();
}

/** Returns every `of`-th file, beginning with number `index` (from 1): neighbors, which take equally long, are spread. */
export function shard<T>(files: readonly T[], { index, of }: { index: number; of: number }): T[] {
  return files.filter((_, i) => i % of === index - 1);
}

/**
 * Divides files into groups that each run in one process: files of one folder together, because they share most
 * modules, and at most `size` in a group, so that the processes end at about the same time.
 */
export function groupsOf(files: readonly string[], size: number): string[][] {
  const groups: string[][] = [];
  let room = "";
  for (const file of files) {
    const itsRoom = file.split("/").slice(0, -1).slice(0, 2).join("/");
    const last = groups.at(-1);
    if (!last || last.length >= size || (itsRoom !== room && last.length >= size / 2)) groups.push([file]);
    else last.push(file);
    room = itsRoom;
  }
  return groups;
}
