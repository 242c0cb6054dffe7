/** Two ways to find long tasks for a visitor whose CPU is four times slower. */
import type { Browser } from "playwright-core";
import { rendered } from "../inp.ts";
import { startVisit } from "./visitor.ts";

const SLOWDOWN = 4;
/** Duration from which browsers report a long task. */
const LONG_MS = 50;

/**
 * Visits the page of each form once.
 *
 * @returns descriptions of the long tasks, by form
 */
export type Measure = (browser: Browser, origin: string, forms: string[]) => Promise<Map<string, string[]>>;

const OBSERVE = `globalThis.long = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) long.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });`;

let visits = 0;

/** Fills in one form after the other, and submits each while it fills in the next, because a submission waits for its token. */
async function visitAll(browser: Browser, origin: string, forms: string[], slowdown: number) {
  await using stack = new AsyncDisposableStack();
  const sent: Promise<[form: string, long: [start: number, duration: number][]]>[] = [];
  for (const form of forms) {
    const { page, fillIn, submit, close } = stack.use(await startVisit(browser, slowdown, OBSERVE));
    await fillIn(`${origin}/${form}`, `visitor${++visits}@gmial.com`);
    const finish = async () => {
      await submit();
      await close();
      await rendered(page); // A task is reported after its end.
      return [form, await page.evaluate("long")] as Awaited<(typeof sent)[number]>;
    };
    sent.push(finish());
  }
  return await Promise.all(sent);
}

/** Uses the pages' PerformanceObserver, with CPU throttling. */
export const observeLongTasks: Measure = async (browser, origin, forms) => {
  const results = await visitAll(browser, origin, forms, SLOWDOWN);
  return new Map(results.map(([form, long]) => [
    form,
    long.map(([start, duration]) => `observed ${duration} ms, ${Math.round(start)} ms after navigation`),
  ]));
};

/** An event in a trace. Times are in microseconds; `tdur` is the CPU time of the thread. */
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

/** Uses the CPU time of each task in a trace, times four, from the start of the loader. */
export const traceLongTasks: Measure = async (browser, origin, forms) => {
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
  return new Map(forms.map((form) => [form, longTasks(events, `/cfbe.js?${form}`)]));
};

/** Returns descriptions of the long tasks on the thread of the page with this loader. */
function longTasks(events: TraceEvent[], loader: string): string[] {
  const first = events.find(({ name, args }) =>
    name === "EvaluateScript" && args.data?.url?.endsWith(loader)
  );
  if (!first) throw new Error(`the trace does not contain ${loader}`);
  return events
    .filter(({ name, pid, tid, ts, dur = 0 }) =>
      /RunTask$/.test(name) && pid === first.pid && tid === first.tid && ts + dur >= first.ts
    )
    .map(({ ts, tdur = 0 }) => ({ at: (ts - first.ts) / 1000, took: tdur / 1000 * SLOWDOWN }))
    .filter(({ took }) => took >= LONG_MS)
    .map(({ at, took }) => `computed ${Math.round(took)} ms, ${Math.round(at)} ms after the loader`);
}
