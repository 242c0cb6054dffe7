/** Measures the longest tasks of visits beside a reference task. */
import type { Browser } from "playwright-core";
import { rendered } from "../inp.ts";
import { startVisit } from "./visitor.ts";

/**
 * The reference: a page that lays out 300 labelled inputs in one task. It does what the widget's longest tasks do, so a
 * slow or busy machine makes both slower by the same factor. On a machine with nothing else to do, it takes about 12 ms
 * of CPU time, and a CPU four times slower 50 ms, from which browsers report a long task.
 */
const REFERENCE_FIELDS = 300;
const REFERENCE = `
const style = document.createElement("style");
style.textContent = "label { display: block; padding: 4px 8px; border: 1px solid #ccc; border-radius: 4px }" +
  "input { box-sizing: border-box; width: 100%; font: inherit }";
const form = document.createElement("form");
for (let i = 0; i < ${REFERENCE_FIELDS}; i++) {
  const label = document.createElement("label");
  label.append("Field " + i, document.createElement("input"));
  form.append(label);
}
document.body.append(style, form);
form.offsetHeight;`;

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

let visits = 0;

/** Milliseconds of CPU time. */
export interface Round {
  /** Of the reference task, once for each form. */
  references: number[];
  /** Of the longest task of each form. */
  longest: Map<string, number>;
}

/** Visits the page of each form once, from loading it to closing the form, and before each the reference page. */
export async function measureLongestTasks(
  browser: Browser,
  origin: string,
  forms: readonly string[],
): Promise<Round> {
  const events: TraceEvent[] = [];
  const tracing = await browser.newBrowserCDPSession();
  tracing.on("Tracing.dataCollected", ({ value }) => events.push(...value as unknown as TraceEvent[]));
  const complete = new Promise((done) => tracing.once("Tracing.tracingComplete", done));
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ["*"] };
  await tracing.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await visitAll(browser, origin, forms);
  await tracing.send("Tracing.end");
  await complete;
  await tracing.detach();
  return {
    references: forms.map((form) => longestTask(events, referenceScript(form))),
    longest: new Map(forms.map((form) => [form, longestTask(events, `/cfbe.js?${form}`)])),
  };
}

/** Fills in one form after the other, and submits each while it fills in the next, because a submission waits for its token. */
async function visitAll(browser: Browser, origin: string, forms: readonly string[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const sent: Promise<void>[] = [];
  for (const form of forms) {
    await visitReference(browser, form);
    const { page, fillIn, submit, close } = stack.use(await startVisit(browser, 1, ""));
    await fillIn(`${origin}/${form}`, `visitor${++visits}@gmial.com`);
    const finish = async () => {
      await submit();
      await close();
      await rendered(page);
    };
    sent.push(finish());
  }
  await Promise.all(sent);
}

const referenceScript = (form: string) => `/reference.js?${form}`;

/** Opens the reference page in a new browser context, like the page of a form. */
async function visitReference(browser: Browser, form: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const script = referenceScript(form);
  await page.route("**/*", (route) =>
    route.fulfill(
      route.request().url().endsWith(script)
        ? { contentType: "text/javascript", body: REFERENCE }
        : { contentType: "text/html", body: `<!doctype html><body><script defer src="${script}"></script>` },
    ));
  await page.goto("https://reference.example/");
  await context.close();
}

/** Returns the milliseconds of CPU time of the longest task on the thread of the page with this script, from its start. */
function longestTask(events: readonly TraceEvent[], script: string): number {
  const first = events.find(({ name, args }) =>
    name === "EvaluateScript" && args.data?.url?.endsWith(script)
  );
  if (!first) throw new Error(`the trace does not contain ${script}`);
  const tasks = events.filter(({ name, pid, tid, ts, dur = 0 }) =>
    /RunTask$/.test(name) && pid === first.pid && tid === first.tid && ts + dur >= first.ts
  );
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}
