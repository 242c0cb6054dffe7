/**
 * No task of the widget is a long task on a phone: from loading the page to submitting the form and closing it, none
 * takes as much CPU time as a reference task of the same run (`measures.ts`).
 *
 * The widget's own work is the same in every visit, and other programs only add to it. So the visit counts whose longest
 * task is the shortest.
 */
import assert from "node:assert/strict";
import { launchAlone } from "../browser.ts";
import { FORMS, startSite } from "../every_kind.ts";
import { measureLongestTasks } from "./measures.ts";

const ROUNDS = 6;

Deno.test(
  "no visit to an inline form, own markup, block, promo, popup, slide-in, bar or form with 14 fields has a task as long as laying out 300 inputs",
  { sanitizeOps: false, sanitizeResources: false }, // The browser outlives a step of the sanitizers.
  async () => {
    await using stack = new AsyncDisposableStack();
    const site = stack.use(await startSite());
    const browser = await launchAlone();
    stack.defer(() => browser.close());

    const references: number[] = [];
    const shortest = new Map(FORMS.map((form) => [form, Infinity]));
    let long = FORMS;
    for (let round = 0; round < ROUNDS && long.length > 0; round++) {
      const measured = await measureLongestTasks(browser, site.origin, FORMS);
      references.push(...measured.references);
      for (const [form, took] of measured.longest) shortest.set(form, Math.min(took, shortest.get(form)!));
      long = FORMS.filter((form) => shortest.get(form)! >= median(references));
    }
    const times = long.map((form) => `${form}: ${shortest.get(form)} ms`);
    assert.deepEqual(long, [], `the reference took ${median(references)} ms, ${times.join(", ")}`);
  },
);

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
