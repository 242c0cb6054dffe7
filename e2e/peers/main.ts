/**
 * `deno task bench:peers`: measures pages with our form beside pages with three others, from npm, and pages with our popup
 * and slide-in beside one with another popup, and prints two tables. The pages and the browser are the same, and each
 * visitor uses the keyboard only, with a CPU four times slower. The last rows are of other visits, on a slow network.
 * `--rounds 3` prints as many of each table, one after the other.
 */
import type { Browser } from "playwright-core";
import { launchAlone } from "../browser.ts";
import { startCfbe, startCfbePopup, startCfbeSlideIn } from "./cfbe.ts";
import { startGhost } from "./ghost.ts";
import { startGhostPortal } from "./ghost_portal.ts";
import { startMailchimp } from "./mailchimp.ts";
import { startMozilla } from "./mozilla.ts";
import { measureOpening, measurePopup, measureUsable, measureVisit } from "./measure_visit.ts";
import type { PeerPage } from "./peer.ts";

/** Visits per form: as many as one address of visitors may sign up. The tables show the median of each figure. */
const VISITS = 5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const startOwn = () =>
  startCfbe({ name: "cfbe, own markup, allowed origin", snippet: "own", hasOrigins: true });

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const count = (value: number) => `${value}`;
const ms = (value: number) => `${value.toFixed(0)} ms`;
const score = (value: number) => value.toFixed(3);

/** A row: its label, and how a figure is written. */
type Rows<Figure extends string> = Record<Figure, [label: string, write: (value: number) => string]>;

const FORM_ROWS = {
  bytes: ["transferred until the signup, without the page", kilobytes],
  requests: ["requests until the signup, without the page", count],
  taskMs: ["CPU time of the main thread until the signup", ms],
  shift: ["layout shift (CLS)", score],
  inp: ["slowest interaction (INP)", ms],
  usableMs: ["from the snippet to the email field, 400 ms round trip", ms],
} satisfies Rows<string>;

const POPUP_ROWS = {
  bytes: ["transferred until it is closed, without the page", kilobytes],
  requests: ["requests until the email field, without the page", count],
  taskMs: ["CPU time of the main thread until it is closed", ms],
  shift: ["layout shift (CLS)", score],
  inpOpened: ["slowest interaction (INP) after opening it", ms],
  inpTyped: ["after typing", ms],
  inpClosed: ["after closing it", ms],
  pressedMs: ["from the button to the email field, 400 ms round trip", ms],
  impatientMs: ["from the snippet to the email field, if the button is pressed at once", ms],
} satisfies Rows<string>;

/** Measures pages in turn, each with servers of its own, whose limits are not used up, and prints a table of medians. */
async function printTable<P extends PeerPage, Figure extends string>(
  starts: (() => Promise<P>)[],
  rows: Rows<Figure>,
  measure: (peer: P, visit: number) => Promise<Record<Figure, number>>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const peers: P[] = [];
  for (const start of starts) peers.push(stack.use(await start()));
  const visits = peers.map((): Record<Figure, number>[] => []);
  for (let visit = 0; visit < VISITS; visit++) {
    for (const [index, peer] of peers.entries()) visits[index]!.push(await measure(peer, visit));
  }
  console.log(`\n| | ${peers.map(({ name }) => name).join(" | ")} |`);
  console.log(`|---|${peers.map(() => "---|").join("")}`);
  for (const figure of Object.keys(rows) as Figure[]) {
    const [label, write] = rows[figure];
    const cells = visits.map((measured) => write(median(measured.map((visit) => visit[figure]))));
    console.log(`| ${label} | ${cells.join(" | ")} |`);
  }
}

/** Runs both tables once. */
async function runRound(browser: Browser, round: number): Promise<void> {
  await printTable(
    [startCfbe, startOwn, startGhost, startMailchimp, startMozilla],
    FORM_ROWS,
    async (peer, visit) => {
      const { names, ...cost } = await measureVisit(browser, peer, `visitor-${round}-${visit}@site.example`);
      return { ...cost, requests: names.length, usableMs: await measureUsable(browser, peer) };
    },
  );
  await printTable([startCfbePopup, startCfbeSlideIn, startGhostPortal], POPUP_ROWS, async (peer) => {
    const { opened, typed, closed } = await measurePopup(browser, peer);
    return {
      bytes: closed.bytes,
      requests: opened.names.length,
      taskMs: closed.taskMs,
      // The frame of a form is gone with what it has measured.
      shift: Math.max(typed.shift, closed.shift),
      inpOpened: opened.inp,
      inpTyped: typed.inp,
      inpClosed: Math.max(typed.inp, closed.inp),
      ...await measureOpening(browser, peer),
    };
  });
}

await using browser = await launchAlone();
const [, rounds = "1"] = /--rounds[ =](\d+)/.exec(Deno.args.join(" ")) ?? [];
for (let round = 0; round < Number(rounds); round++) await runRound(browser, round);
