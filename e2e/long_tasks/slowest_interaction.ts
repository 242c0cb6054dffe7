/**
 * Prints the longest time in milliseconds from a key press to the next frame, over one visit to each form with a CPU
 * four times slower: Interaction to Next Paint, with the slowest interaction instead of the 98th percentile.
 */
import { launchAlone } from "../browser.ts";
import { FORMS, startSite } from "./site.ts";
import { startVisit } from "./visitor.ts";

const SLOWDOWN = 4;
const OBSERVE = `globalThis.interactions = [];
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId) interactions.push(duration);
}).observe({ type: "event", buffered: true, durationThreshold: 16 });`;

await using stack = new AsyncDisposableStack();
const site = stack.use(await startSite());
const browser = await launchAlone();
stack.defer(() => browser.close());
const durations: number[] = [];
for (const form of FORMS) {
  await using visitor = await startVisit(browser, SLOWDOWN, OBSERVE);
  await visitor.fillIn(`${site.origin}/${form}`, `${form}@site.example`);
  await visitor.submit();
  durations.push(...await visitor.page.evaluate<number[]>("interactions"));
}
console.log(Math.max(...durations));
