import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { MoreTriggers, PopupRules } from "../../../shared/public_settings.ts";
import {
  isOpen,
  openPage,
  pressEscape,
  waitForBlockers,
  waitForPopup,
  waitPastTriggers,
  why,
} from "../testing/popup.ts";
import { browserTest, type PageOptions, until } from "../testing/site.ts";

const OFF = { delaySeconds: 0, scrollPercent: 0, exitIntent: false };

/** Opens a page whose popup has only these triggers, and waits until they work. */
async function openWith(
  more: MoreTriggers,
  body = "",
  rules: Partial<PopupRules> = {},
  options: PageOptions = {},
) {
  const site = await openPage(body, { triggers: { ...OFF, more }, ...rules }, options);
  await until(
    site.page,
    "the code for the triggers",
    () => Promise.resolve(site.backend.requests.some((path) => path.includes("/triggers-"))),
  );
  return site;
}

/** Counts the popups that were shown so far. */
const timesShown = (page: Page) =>
  page.evaluate("globalThis.recordedEvents.filter(({ type }) => type === 'cfbe-show').length");

browserTest("the popup opens after seconds without input, and each input starts them again", async () => {
  await using site = await openWith({ inactiveSeconds: 60 });
  const { page } = site;
  await waitForBlockers(page, "trigger");
  const inputs = [
    () => page.mouse.move(100, 100),
    () => page.keyboard.press("Shift"),
    () => page.evaluate(() => dispatchEvent(new Event("scroll"))),
    () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))),
  ];
  for (const send of inputs) {
    await page.clock.runFor(50_000);
    assert.deepEqual(await why(page), ["trigger"]);
    await send();
  }
  await page.clock.runFor(50_000);
  assert.deepEqual(await why(page), ["trigger"]);
  await page.clock.runFor(10_000);
  await waitForPopup(page);
  assert.deepEqual(site.logs, []);
});

browserTest(
  "the popup opens as soon as an element is in the window, even one that is added later",
  async () => {
    for (const added of [false, true]) {
      const end = '<p id="reviews">Reviews</p>';
      await using site = await openWith(
        { seenSelector: "#reviews" },
        `<div style="height:3000px"></div>${added ? "" : end}`,
      );
      const { page } = site;
      await waitForBlockers(page, "trigger");
      if (added) {
        await page.evaluate(
          (end) => document.querySelector("main")!.insertAdjacentHTML("beforeend", end),
          end,
        );
      }
      await waitPastTriggers(page);
      assert.deepEqual(await why(page), ["trigger"], "it is below the window");
      await page.evaluate(() => scrollTo(0, 3000));
      await waitForPopup(page);
      assert.deepEqual(site.logs, []);
    }
  },
);

browserTest(
  "the popup opens as soon as an element in an open shadow root is in the window, even one that is added there later",
  async () => {
    for (const added of [false, true]) {
      const end = '<p id="reviews">Reviews</p>';
      await using site = await openWith(
        { seenSelector: "#reviews" },
        `<div style="height:3000px"></div><div id="host"><template shadowrootmode="open"><div>${
          added ? "" : end
        }</div></template></div>`,
      );
      const { page } = site;
      await waitForBlockers(page, "trigger");
      if (added) {
        await page.evaluate((end) => {
          document.querySelector("#host")!.shadowRoot!.querySelector("div")!.innerHTML = end;
        }, end);
      }
      await waitPastTriggers(page);
      assert.deepEqual(await why(page), ["trigger"], "it is below the window");
      await page.evaluate(() => scrollTo(0, 3000));
      await waitForPopup(page);
      assert.deepEqual(site.logs, []);
    }
  },
);

browserTest("after a single-page navigation, a trigger has to fire again for the new page", async () => {
  await using site = await openWith(
    { inactiveSeconds: 5, seenSelector: "#reviews" },
    '<p id="reviews">Reviews</p><p id="content">Landing</p>',
    { excludePaths: ["/landing"] },
    { path: "/landing" },
  );
  const { page } = site;
  await waitForBlockers(page, "excluded-path");
  await page.evaluate(() => {
    document.querySelector("#reviews")!.remove();
    history.pushState(null, "", "/blog");
  });
  await waitForBlockers(page, "trigger");
  await page.mouse.move(10, 10);
  await page.evaluate(() =>
    document.querySelector("main")!.insertAdjacentHTML("beforeend", '<p id="reviews">Reviews</p>')
  );
  await waitForPopup(page);
});

for (
  const [what, markup] of Object.entries({
    "a button": '<button class="offer">Offer</button>',
    "an element in a link": '<a href="/offers"><b class="offer">Offer</b></a>',
  })
) {
  browserTest(
    `a click on ${what} opens the popup each time, whatever was shown or closed before`,
    async () => {
      await using site = await openWith({ clickSelector: ".offer" }, markup, {
        targeting: [{ conditions: [{ kind: "path", match: "is", value: "/elsewhere" }] }],
      });
      const { page } = site;
      await waitPastTriggers(page);
      assert.deepEqual(await why(page), ["targeting", "trigger"]);
      for (const times of [1, 2]) {
        await page.getByText("Offer").click();
        await waitForPopup(page);
        assert.equal(await timesShown(page), times);
        await pressEscape(page);
      }
      assert.deepEqual(await why(page), ["targeting", "shown", "closed", "trigger"]);
      assert.equal(new URL(page.url()).pathname, "/");
      assert.deepEqual(site.logs, []);
    },
  );
}

browserTest(
  "in the cart, a click on a link that would open the popup leads where the link leads",
  async () => {
    await using site = await openWith({ clickSelector: "a" }, '<a href="/paid">Pay</a>', {}, {
      path: "/cart",
    });
    const { page } = site;
    await waitPastTriggers(page);
    await page.getByText("Pay").click();
    await page.waitForURL("**/paid");
  },
);

browserTest("a click inside the popup is not a click on the element around it", async () => {
  await using site = await openWith({ clickSelector: "body" });
  const { page } = site;
  await waitPastTriggers(page);
  await page.getByRole("heading", { name: "A shop" }).click();
  await waitForPopup(page);
  await page.locator("cfbe-popup [part=close]").click();
  await waitPastTriggers(page);
  assert.equal(await isOpen(page), false);
  await page.evaluate("document.body.click()");
  await waitPastTriggers(page);
  assert.equal(await isOpen(page), false, "nor is a click by a script the visitor's");
});

browserTest(
  "the other rules hold for a trigger that is not a click, and a click opens a named form as its kind",
  async () => {
    await using site = await openWith(
      { inactiveSeconds: 1 },
      '<div id="cookies">Cookies</div><button>Sale</button>',
      {
        cookieBarSelector: "#cookies",
      },
      {
        settings: {
          opening: ["sale"],
          forms: {
            sale: {
              layout: "inline",
              cfg: "sale.cfg",
              opens: {
                kind: "slide-in",
                triggers: { ...OFF, more: { clickSelector: "button" } },
                hideDays: 30,
                cookieBarSelector: "",
                excludePaths: [],
              },
            },
          },
        },
      },
    );
    const { page } = site;
    await waitForBlockers(page, "cookie-bar");
    await page.getByRole("button", { name: "Sale" }).click();
    await until(page, "the slide-in", () => page.locator("cfbe-popup[open] aside").isVisible());
    assert.equal(await page.evaluate("cfbe.why('sale').join()"), "shown,trigger,field");
    await page.evaluate("cfbe.close(); document.querySelector('#cookies').remove()");
    await waitForPopup(page);
  },
);

browserTest("a page whose forms have none of these triggers loads no code for them", async () => {
  await using site = await openPage();
  await waitForPopup(site.page);
  assert.ok(!site.backend.requests.some((path) => path.includes("/triggers-")));
});
