import assert from "node:assert/strict";
import { ARTICLE, formThatOpens, storedKeys, waitForPanel } from "../testing/openings.ts";
import { pressEscape } from "../testing/popup.ts";
import { browserTest, open, recordedEvents, until } from "../testing/site.ts";

/** A part for fields whose styles cannot be added at first. */
const BROKEN_FIELDS = `let calls = 0;
export const addStyles = () => { if (!calls++) throw new Error("broken"); };
export const renderFields = () => null;`;

browserTest(
  "a form that cannot be shown warns in the console, and opens when that no longer fails",
  async () => {
    const sale = {
      ...formThatOpens("bar-bottom"),
      fields: [{ name: "job", kind: "text" as const, label: "Job" }],
    };
    await using site = await open(ARTICLE, {
      settings: { opening: ["sale"], forms: { sale } },
      before: (page) =>
        page.route(/fields-/, (route) =>
          route.fulfill({
            headers: { "access-control-allow-origin": "*", "content-type": "text/javascript" },
            body: BROKEN_FIELDS,
          })),
    });
    const { page } = site;
    await until(page, "the warning", () => Promise.resolve(site.logs.length > 0));
    assert.match(site.logs.join(), /^Error: broken/);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await waitForPanel(page);
    assert.equal(site.logs.length, 1);
  },
);

browserTest(
  "a form that the visitor asks for replaces the one that is open, which does not count as closed",
  async () => {
    const kinds = { slide: "slide-in", top: "bar-top", bottom: "bar-bottom", own: "popup" } as const;
    await using site = await open(`<button data-cfbe-open="slide">Offer</button>`, {
      viewport: { width: 390, height: 700 },
      settings: {
        opening: ["slide"],
        forms: Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, formThatOpens(kind)])),
      },
    });
    const { page } = site;
    await waitForPanel(page);
    for (const form of ["bottom", "top", "own", "slide", "", "bottom"]) {
      assert.equal(await page.evaluate(`cfbe.open("${form}")`), true);
      const names = await page.locator("cfbe-popup[open]").evaluateAll((all) =>
        all.map((each) => each.getAttribute("form"))
      );
      assert.deepEqual(names, [form]);
      assert.equal(
        (await recordedEvents(page)).findLast(({ type }) => type === "cfbe-close")?.detail["reason"],
        "replaced",
      );
    }
    assert.deepEqual(await storedKeys(page), [
      "",
      ["cfbe_popup", "cfbe_popup:bottom", "cfbe_popup:own", "cfbe_popup:slide", "cfbe_popup:top"].join(),
    ]);
    const focused = () => page.evaluate("document.activeElement.getAttribute('form')");
    assert.equal(await focused(), "bottom");
    await page.getByRole("button", { name: "Offer" }).click();
    await until(page, "the other form", async () => await focused() === "slide");
    await pressEscape(page);
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Offer", "the focus returns");
  },
);
