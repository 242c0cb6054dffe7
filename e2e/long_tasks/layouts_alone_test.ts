/** What a key costs the page around a form, by Chromium's traces. */
import assert from "node:assert/strict";
import { launchAlone } from "../browser.ts";
import { FORMS, startSite } from "../every_kind.ts";
import { rendered } from "../inp.ts";
import { startVisit } from "./visitor.ts";

/** An event in a trace. */
interface Layout {
  name: string;
  args: { endData?: { layoutRoots: { nodeName: string }[] } };
}

Deno.test(
  "a key in a field of the widget lays out that field alone, not the page around it",
  { sanitizeOps: false, sanitizeResources: false }, // The browser outlives a step of the sanitizers.
  async () => {
    await using stack = new AsyncDisposableStack();
    const site = stack.use(await startSite());
    const browser = await launchAlone();
    stack.defer(() => browser.close());

    for (const form of FORMS.filter((form) => form !== "own")) {
      await using visit = await startVisit(browser, 1, "");
      const { page } = visit;
      // The end of an animation lays out the page as well.
      await page.emulateMedia({ reducedMotion: "reduce" });
      await visit.fillIn(`${site.origin}/${form}`, "ada@site.example");
      await rendered(page);
      await browser.startTracing(page, { categories: ["devtools.timeline"] });
      for (const key of "abc") {
        await page.keyboard.press(key);
        await rendered(page);
      }
      const { traceEvents } = JSON.parse(new TextDecoder().decode(await browser.stopTracing()));
      const layouts = (traceEvents as Layout[]).filter(({ name }) => name === "Layout");
      assert.ok(layouts.length >= 3, `${form}: ${layouts.length} layouts`);
      const roots = layouts.flatMap(({ args }) => args.endData!.layoutRoots.map(({ nodeName }) => nodeName));
      assert.deepEqual(roots.filter((name) => !name.startsWith("INPUT")), [], form);
    }
  },
);
