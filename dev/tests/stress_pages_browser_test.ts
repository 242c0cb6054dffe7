import assert from "node:assert/strict";
import { launchAlone } from "../../e2e/browser.ts";
import { scriptOf } from "./stress_pages.ts";

Deno.test({
  name: "a slow page runs its timers and frames once each, in order, and its requests succeed",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const browser = await launchAlone();
    try {
      const page = await browser.newPage();
      await page.addInitScript(scriptOf(5));
      await page.route(
        "https://site.test/**",
        (route) => route.fulfill({ contentType: "text/html", body: "ok" }),
      );
      await page.goto("https://site.test/");
      const ran = await page.evaluate(async () => {
        const [timers, frames, numbers]: number[][] = [[], [], Array.from({ length: 100 }, (_, i) => i)];
        const each = (start: (run: () => void) => void, ran: number[]) =>
          Promise.all(numbers!.map((i) => new Promise<void>((done) => start(() => (ran.push(i), done())))));
        cancelAnimationFrame(requestAnimationFrame(() => frames!.push(-1)));
        await Promise.all([each((run) => setTimeout(run, 5), timers!), each(requestAnimationFrame, frames!)]);
        const answers = await Promise.all(numbers!.map(async () => (await fetch("/answer")).text()));
        return { timers, frames, numbers, answers: new Set(answers).size };
      });
      assert.deepEqual(ran.timers, ran.numbers);
      assert.deepEqual(ran.frames, ran.numbers);
      assert.equal(ran.answers, 1);
    } finally {
      await browser.close();
    }
  },
});
