/** Two ways to find the tasks that a visitor whose machine is four times as slow would have to wait for. */
import type { Browser } from "playwright-core";
import { visitor } from "./visitor.ts";

const SLOWDOWN = 4;
/** From here on a browser calls a task long. */
const LONG_MS = 50;

/**
 * Visits the page of each of these forms once.
 *
 * @returns what was too long, a sentence a task, by the form
 */
export type Measure = (browser: Browser, origin: string, forms: string[]) => Promise<Map<string, string[]>>;

const OBSERVE = `globalThis.long = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) long.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });`;

let visits = 0;

/** Fills in one form after the other, and sends each while the next is filled in: its token has to grow old enough. */
async function visitAll(browser: Browser, origin: string, forms: string[], slowdown: number) {
  await using stack = new AsyncDisposableStack();
  const sent: Promise<[form: string, long: [start: number, duration: number][]]>[] = [];
  for (const form of forms) {
    const { page, fillIn, send } = stack.use(await visitor(browser, slowdown, OBSERVE));
    await fillIn(`${origin}/${form}`, `visitor${++visits}@gmial.com`);
    sent.push(send().then(async () => [form, await page.evaluate("long")]));
  }
  return await Promise.all(sent);
}

/** What each page is told by its PerformanceObserver, in a browser that is slowed down. */
export const observed: Measure = async (browser, origin, forms) => {
  const told = await visitAll(browser, origin, forms, SLOWDOWN);
  return new Map(told.map(([form, long]) => [
    form,
    long.map(([start, duration]) => `observed ${duration} ms, ${Math.round(start)} ms after navigation`),
  ]));
};

/** An event of a trace: times in microseconds, `tdur` what its thread had of the processor. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { data?: { url?: string } };
}

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** What the tasks had of the processor, as a trace tells it, times four; from the loader's first line on. */
export const computed: Measure = async (browser, origin, forms) => {
  const events: TraceEvent[] = [];
  const tracing = await browser.newBrowserCDPSession();
  tracing.on("Tracing.dataCollected", ({ value }) => events.push(...value as unknown as TraceEvent[]));
  const complete = new Promise((done) => tracing.once("Tracing.tracingComplete", done));
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ["*"] };
  await tracing.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await visitAll(browser, origin, forms, 1);
  await tracing.send("Tracing.end");
  await complete;
  await tracing.detach();
  return new Map(forms.map((form) => [form, dearTasks(events, `/cfbe.js?${form}`)]));
};

/** The tasks on the thread of the page that has this loader. */
function dearTasks(events: TraceEvent[], loader: string): string[] {
  const first = events.find(({ name, args }) =>
    name === "EvaluateScript" && args.data?.url?.endsWith(loader)
  );
  if (!first) throw new Error(`the trace lacks ${loader}`);
  return events
    .filter(({ name, pid, tid, ts, dur = 0 }) =>
      /RunTask$/.test(name) && pid === first.pid && tid === first.tid && ts + dur >= first.ts
    )
    .map(({ ts, tdur = 0 }) => ({ at: (ts - first.ts) / 1000, took: tdur / 1000 * SLOWDOWN }))
    .filter(({ took }) => took >= LONG_MS)
    .map(({ at, took }) => `computed ${Math.round(took)} ms, ${Math.round(at)} ms after the loader`);
}
