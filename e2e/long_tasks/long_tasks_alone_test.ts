/**
 * No task of the widget takes 50 ms or longer on a machine four times as slow: from loading the page to submitting
 * the form and closing it.
 *
 * Other programs on a busy machine make tasks longer. But the widget's own work is the same in every visit, so one
 * visit without a long task is enough. With CPU throttling, a pause by another program counts four times, and on a
 * busy machine no visit is free of that. There, the test measures the CPU time of each task instead.
 */
import assert from "node:assert/strict";
import { launchAlone } from "../browser.ts";
import { observeLongTasks, traceLongTasks } from "./measures.ts";
import { FORMS, startSite } from "../every_kind.ts";

/** On a busy machine, PerformanceObserver always reports long tasks. */
const BUSY = Deno.loadavg()[0]! >= navigator.hardwareConcurrency;
const MEASURES = [...BUSY ? [] : [observeLongTasks], ...Array<typeof traceLongTasks>(6).fill(traceLongTasks)];

Deno.test(
  "with a CPU four times slower, no visit to an inline form, own markup, block, promo, popup, slide-in, bar or form with 14 fields has a long task",
  { sanitizeOps: false, sanitizeResources: false }, // The browser outlives a step of the sanitizers.
  async () => {
    await using stack = new AsyncDisposableStack();
    const site = stack.use(await startSite());
    const browser = await launchAlone();
    stack.defer(() => browser.close());

    let left = FORMS;
    const seen: string[] = [];
    for (const measure of MEASURES) {
      const long = await measure(browser, site.origin, left);
      left = left.filter((form) => long.get(form)!.length > 0);
      if (left.length === 0) return;
      for (const form of left) seen.push(`${form}: ${long.get(form)!.join("; ")}`);
    }
    assert.fail(`long tasks in every visit to ${left}:\n${seen.join("\n")}`);
  },
);
