/**
 * `deno task bench:peers`: measures a page with our form beside pages with three others, from npm, and prints a table. The
 * page and the browser are the same, and each visitor types and sends an address by keyboard, with a CPU four times slower.
 * The last row is of other visits, on a slow network. `--rounds 3` prints as many tables, one after the other.
 */
import { launchAlone } from "../browser.ts";
import { startCfbe } from "./cfbe.ts";
import { startGhost } from "./ghost.ts";
import { startMailchimp } from "./mailchimp.ts";
import { startMozilla } from "./mozilla.ts";
import { measureUsable, measureVisit, type Visited } from "./measure_visit.ts";

/** Visits per form: as many as one address of visitors may sign up. The table shows the median of each figure. */
const VISITS = 5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const startOwn = () =>
  startCfbe({ name: "cfbe, own markup, allowed origin", snippet: "own", hasOrigins: true });
const STARTS = [startCfbe, startOwn, startGhost, startMailchimp, startMozilla];

await using browser = await launchAlone();

type Figure = Exclude<keyof Visited, "names"> | "usableMs";

const figures: Record<Figure, (value: number) => string> = {
  bytes: (bytes) => `${(bytes / 1000).toFixed(1)} kB`,
  requests: (count) => `${count}`,
  taskMs: (ms) => `${ms.toFixed(0)} ms`,
  shift: (shift) => shift.toFixed(3),
  inp: (ms) => `${ms.toFixed(0)} ms`,
  usableMs: (ms) => `${ms.toFixed(0)} ms`,
};
const labels: Record<Figure, string> = {
  bytes: "transferred until the signup, without the page",
  requests: "requests until the signup, without the page",
  taskMs: "CPU time of the main thread until the signup",
  shift: "layout shift (CLS)",
  inp: "slowest interaction (INP)",
  usableMs: "from the snippet to the email field, 400 ms round trip",
};

const [, rounds = "1"] = /--rounds[ =](\d+)/.exec(Deno.args.join(" ")) ?? [];
for (let round = 0; round < Number(rounds); round++) {
  // Each round has servers of its own, whose limits are not used up.
  await using stack = new AsyncDisposableStack();
  const peers = [];
  for (const start of STARTS) peers.push(stack.use(await start()));
  const visits = peers.map((): (Omit<Visited, "names"> & { usableMs: number })[] => []);
  for (let visit = 0; visit < VISITS; visit++) {
    for (const [index, peer] of peers.entries()) {
      const visited = await measureVisit(browser, peer, `visitor-${round}-${visit}@site.example`);
      visits[index]!.push({ ...visited, usableMs: await measureUsable(browser, peer) });
    }
  }
  console.log(`\n| | ${peers.map(({ name }) => name).join(" | ")} |`);
  console.log(`|---|${peers.map(() => "---|").join("")}`);
  for (const figure of Object.keys(figures) as Figure[]) {
    const cells = visits.map((visited) => figures[figure](median(visited.map((visit) => visit[figure]))));
    console.log(`| ${labels[figure]} | ${cells.join(" | ")} |`);
  }
}
