/**
 * `deno task bench:peers`: measures a page with our form beside pages with three others, from npm, and prints a table. The
 * page and the browser are the same, and each visitor types and sends an address by keyboard, with a CPU four times slower.
 */
import { launchAlone } from "../browser.ts";
import { startCfbe } from "./cfbe.ts";
import { startGhost } from "./ghost.ts";
import { startMailchimp } from "./mailchimp.ts";
import { startMozilla } from "./mozilla.ts";
import { measureVisit, type Visited } from "./measure_visit.ts";

/** Visits per form: as many as one address of visitors may sign up. The table shows the median of each figure. */
const VISITS = 5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

await using stack = new AsyncDisposableStack();
const peers = [];
for (const start of [startCfbe, startGhost, startMailchimp, startMozilla]) {
  peers.push(stack.use(await start()));
}
const browser = await launchAlone();
stack.defer(() => browser.close());

const visits = peers.map((): Visited[] => []);
for (let visit = 0; visit < VISITS; visit++) {
  for (const [index, peer] of peers.entries()) {
    visits[index]!.push(await measureVisit(browser, peer, `visitor-${visit}@site.example`));
  }
}

const figures: Record<keyof Visited, (value: number) => string> = {
  bytes: (bytes) => `${(bytes / 1000).toFixed(1)} kB`,
  requests: (count) => `${count}`,
  taskMs: (ms) => `${ms.toFixed(0)} ms`,
  shift: (shift) => shift.toFixed(3),
  inp: (ms) => `${ms.toFixed(0)} ms`,
};
const labels: Record<keyof Visited, string> = {
  bytes: "transferred until the signup, without the page",
  requests: "requests until the signup, without the page",
  taskMs: "CPU time of the main thread until the signup",
  shift: "layout shift (CLS)",
  inp: "slowest interaction (INP)",
};
console.log(`| | ${peers.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|${peers.map(() => "---|").join("")}`);
for (const figure of Object.keys(figures) as (keyof Visited)[]) {
  const cells = visits.map((visited) => figures[figure](median(visited.map((visit) => visit[figure]))));
  console.log(`| ${labels[figure]} | ${cells.join(" | ")} |`);
}
