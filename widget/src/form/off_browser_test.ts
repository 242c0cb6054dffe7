import assert from "node:assert/strict";
import { hashOf } from "../../../shared/text_hash.ts";
import { openPage } from "../testing/popup.ts";
import type { Cfbe } from "../types.ts";
import { browserTest, open, until } from "../testing/site.ts";

declare const cfbe: Cfbe;

browserTest(
  "a form that is off shows nothing, fetches no token, and moves nothing that is visible",
  async () => {
    await using site = await open(
      `<cfbe-form form="off"><a href="/form/off">Subscribe</a></cfbe-form><p>What follows.</p>
     <div style="height: 700px"></div><cfbe-form form="off"></cfbe-form><footer>The end.</footer>`,
      {
        viewport: { width: 1000, height: 800 },
        settings: { preload: "variants", offForms: [hashOf("off")] },
        head:
          `<style>cfbe-form { display: block; min-height: 217px } cfbe-form[hidden] { display: none }</style>
        <script>
          globalThis.shifted = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shifted += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
        </script><script async src="SCRIPT"></script>`,
      },
    );
    const { page, backend } = site;
    await page.locator("cfbe-form").nth(1).waitFor({ state: "hidden" });
    await page.getByRole("link").waitFor({ state: "detached" });
    assert.equal(await page.locator("cfbe-form").first().evaluate((form) => form.clientHeight), 217);
    await page.evaluate(() => new Promise((done) => new IntersectionObserver(done).observe(document.body)));
    assert.equal(await page.evaluate("shifted"), 0);
    assert.deepEqual(backend.tokens, []);
  },
);

browserTest("a form that becomes one that is off is hidden, until it becomes another one", async () => {
  const forms = { club: { layout: "inline", cfg: "club.cfg", heading: "The club" } } as const;
  for (const first of ["club", "off"]) {
    await using site = await open(`<cfbe-form form="${first}"></cfbe-form>`, {
      settings: { forms, preload: "variants", offForms: [hashOf("off")] },
    });
    const { page } = site;
    const form = page.locator("cfbe-form");
    const become = (name: string) => form.evaluate((form, name) => form.setAttribute("form", name), name);
    const heading = page.getByRole("heading", { name: "The club" });
    if (first === "club") {
      await heading.waitFor();
      await become("off");
    }
    await until(page, "off", async () => await form.getAttribute("off") === "disabled");
    assert.equal(await page.getByRole("textbox").isVisible(), false);
    await become("club");
    await heading.waitFor();
    assert.equal(await form.getAttribute("off"), null);
  }
});

browserTest("a form that is off does not open on request, and the popup still does", async () => {
  await using site = await openPage(`<button data-cfbe-open="off">Open</button>`, {}, {
    head: `<script async data-manual src="SCRIPT"></script>`,
    settings: { preload: "variants", offForms: [hashOf("off")] },
  });
  const { page, logs } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  const hint = '[cfbe] form="off" is off';
  assert.equal(await page.evaluate(`cfbe.open("off")`), false);
  await page.getByRole("button", { name: "Open" }).click();
  await until(page, "the hints", () => Promise.resolve(logs.length === 2));
  assert.deepEqual(logs, [hint, hint]);
  assert.equal(await page.locator("cfbe-popup").count(), 0);
  assert.equal(await page.evaluate("cfbe.open()"), true);
});

browserTest("cfbe.why() says for each named form in the page why it is not shown", async () => {
  const names = { inline: "inline", block: "block", promo: "promo" } as const;
  const forms = Object.fromEntries(
    Object.entries(names).map(([name, layout]) => [name, { layout, cfg: `${name}.cfg` }]),
  );
  const body = [...Object.keys(names), "off"].map((name) => `<cfbe-form form="${name}"></cfbe-form>`).join(
    "",
  );
  await using site = await open(body, {
    settings: { forms, preload: "variants", offForms: [hashOf("off")] },
  });
  const { page } = site;
  const why = (name: string) => page.evaluate((name) => cfbe.why(name).join(), name);
  await until(page, "the forms", async () => await why("off") === "disabled" && await why("promo") === "");
  for (const name of Object.keys(names)) assert.equal(await why(name), "", name);
  await page.locator("cfbe-form [part=close]").click();
  assert.equal(await why("promo"), "closed");
  await page.reload();
  await until(page, "the bar", async () => await why("promo") === "closed");
  await page.evaluate(() => document.querySelector("cfbe-form")!.remove());
  assert.equal(await why("inline"), "disabled");
  assert.equal(await why("unknown"), "disabled");
  await page.evaluate(() => document.body.append(document.querySelector("cfbe-form")!));
  assert.equal(await why("block"), "");
});
