/**
 * `deno task bench:peers`: measures a page with our form beside one with Ghost's, from npm, and prints a table. The page, the
 * work of the visitor and the browser are the same: the address typed and sent by keyboard, with a CPU four times slower.
 */
import { launchAlone } from "../browser.ts";
import { startCfbe } from "./cfbe.ts";
import { startGhost } from "./ghost.ts";
import { measureVisit, type Visited } from "./measure_visit.ts";

/** Visits per form: as many as one address of visitors may sign up. The table shows the median of each figure. */
const VISITS = 5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

await using stack = new AsyncDisposableStack();
const ours = stack.use(await startCfbe());
const ghost = stack.use(await startGhost());
const browser = await launchAlone();
stack.defer(() => browser.close());

const peers = { cfbe: `${ours.origin}/`, [ghost.name]: `${ghost.origin}/` };
const visits: Record<string, Visited[]> = {};
for (let visit = 0; visit < VISITS; visit++) {
  for (const [name, url] of Object.entries(peers)) {
    (visits[name] ??= []).push(await measureVisit(browser, url, `visitor-${visit}@site.example`));
  }
}

const figures: Record<keyof Visited, (value: number) => string> = {
  bytes: (bytes) => `${(bytes / 1000).toFixed(1)} kB`,
  requests: (count) => `${count}`,
  taskMs: (ms) => `${ms.toFixed(0)} ms`,
  shift: (shift) => shift.toFixed(3),
  interactionMs: (ms) => `${ms.toFixed(0)} ms`,
};
const labels: Record<keyof Visited, string> = {
  bytes: "transferred until the signup, without the page",
  requests: "requests until the signup, without the page",
  taskMs: "main thread busy until the signup",
  shift: "layout shift (CLS)",
  interactionMs: "slowest interaction",
};
const names = Object.keys(peers);
console.log(`| | ${names.join(" | ")} |\n|---|${names.map(() => "---|").join("")}`);
for (const [figure, format] of Object.entries(figures)) {
  const cells = names.map((name) =>
    format(median(visits[name]!.map((visit) => visit[figure as keyof Visited])))
  );
  console.log(`| ${labels[figure as keyof Visited]} | ${cells.join(" | ")} |`);
}
