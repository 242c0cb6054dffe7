/** Pages on which an ad blocker hides what opens: its style sheet counts more than those of the page and of the widget. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { formThatOpens } from "../testing/openings.ts";
import { openPage, waitPastTriggers, why } from "../testing/popup.ts";
import { browserTest, recordedEvents, until } from "../testing/site.ts";

/** Hides every `<cfbe-popup>` as soon as it is in the page. */
const hidePopups = (page: Page) =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:none!important}");
    const hide = (node: Node) => {
      if (node instanceof HTMLElement && node.matches("cfbe-popup")) {
        node.shadowRoot!.adoptedStyleSheets.push(sheet);
      }
    };
    new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach(hide)))
      .observe(document, { childList: true, subtree: true });
  });

const LONG = "<style>main{height:5000px}</style>";
const CLOSED = { popup: { cfg: "popup.cfg" } };

browserTest("a page whose popup is hidden by an ad blocker can be scrolled and used", async () => {
  await using site = await openPage(`${LONG}<input>`, {}, { before: hidePopups });
  const { page } = site;
  await until(page, "the popup is in the page", async () => await page.locator("cfbe-popup").count() > 0);
  await waitPastTriggers(page);
  assert.equal(await page.evaluate("getComputedStyle(document.body).overflow"), "visible");
  await page.locator("main > input").focus();
  assert.equal(await page.evaluate("document.activeElement.localName"), "input");
  assert.deepEqual(await why(page), ["cancelled", "field"]);
  assert.ok(!(await recordedEvents(page)).some(({ type }) => type === "cfbe-show"));
  assert.deepEqual(site.logs, []);
});

browserTest("a link to a popup that an ad blocker hides leads to the form's own page", async () => {
  await using site = await openPage('<a data-cfbe-open="" href="/form">Newsletter</a>', {}, {
    before: hidePopups,
    settings: CLOSED,
  });
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("link").click();
  await until(page, "the form's own page", () => Promise.resolve(page.url().endsWith("/form")));
});

for (const kind of ["slide-in", "bar-bottom"] as const) {
  browserTest(`a ${kind} that an ad blocker hides keeps no space of the page`, async () => {
    await using site = await openPage(LONG, {}, {
      before: hidePopups,
      settings: { ...CLOSED, opening: ["sale"], forms: { sale: formThatOpens(kind) } },
    });
    const { page } = site;
    const height = () => page.evaluate("document.documentElement.scrollHeight");
    const before = await height();
    await until(
      page,
      "it opens",
      async () => (await recordedEvents(page)).some(({ type }) => type === "cfbe-show"),
    );
    // The page is laid out anew in the frames after that.
    await page.screenshot();
    assert.equal(await height(), before);
    assert.equal(
      await page.evaluate("getComputedStyle(document.documentElement).scrollPaddingBottom"),
      "0px",
    );
  });
}
