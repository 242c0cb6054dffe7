import assert from "node:assert/strict";
import { isOpen, openPage, waitForBlockers, waitForPopup, waitPastTriggers, why } from "../testing/popup.ts";
import { browserTest } from "../testing/site.ts";

for (
  const path of ["/cart", "/de/checkout/pay", "/basket.php", "/my-account/", "/#/checkouts", "/kasse/bar"]
) {
  browserTest(`neither a trigger nor a button opens the popup on ${path}`, async () => {
    await using site = await openPage("<button data-cfbe-open>Open</button>", { excludePaths: ["/kasse"] }, {
      path,
    });
    const { page } = site;
    const blocker = path === "/kasse/bar" ? "excluded-path" as const : "shop-page" as const;
    await waitForBlockers(page, blocker);
    await page.getByRole("button").click();
    await waitPastTriggers(page);
    assert.equal(await page.evaluate("cfbe.open()"), false);
    assert.equal(await isOpen(page), false);
    assert.match(site.logs[0]!, /^\[cfbe\] the popup stays closed here/);
  });
}

const LINK = '<a href="/form/sale" data-cfbe-open>10 % off</a>';

for (
  const [why, options, broken] of [
    ["on a page where the form never opens", { path: "/cart" }, undefined],
    ["if the form's code can't be loaded", {}, /\/cfbe\/popup-/],
  ] as const
) {
  browserTest(`a link with data-cfbe-open leads to its page ${why}`, async () => {
    await using site = await openPage(LINK, {}, {
      ...options,
      before: async (page) => void (broken && await page.route(broken, (route) => route.abort())),
    });
    const { page } = site;
    await page.getByRole("link").click();
    await page.waitForURL("**/form/sale");
  });
}

browserTest(
  "a link with data-cfbe-open opens the popup and stays, and with Control it opens a new tab",
  async () => {
    await using site = await openPage(LINK);
    const { page } = site;
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link").click({ modifiers: ["Control"] }),
    ]);
    await tab.waitForURL("**/form/sale");
    await tab.close();
    assert.equal(await isOpen(page), false);
    const url = page.url();
    await page.getByRole("link").click();
    await waitForPopup(page);
    assert.equal(page.url(), url);
  },
);

browserTest("a button within a shadow root, and a custom element around one, open the popup", async () => {
  const inside = (markup: string) => `<template shadowrootmode="open">${markup}</template>`;
  const elements = [
    `<div>${inside("<button data-cfbe-open>Inside</button>")}</div>`,
    `<my-button data-cfbe-open>${inside("<button>Inside</button>")}</my-button>`,
  ];
  for (const element of elements) {
    // It opens by nothing else.
    await using site = await openPage(element, {}, { settings: { popup: { cfg: "popup.cfg" } } });
    await site.page.getByRole("button").click();
    await waitForPopup(site.page);
  }
});

browserTest(
  "the popup opens on a page whose head has a script that takes long, and whose body comes late",
  async () => {
    await using site = await openPage("", {}, {
      head: '<script async src="SCRIPT"></script><script src="/slow.js"></script>',
      before: (page) =>
        page.route("**/slow.js", async (route) => {
          // Nothing of the popup may run before there is a body. If it did, its code would be here by then.
          await page.waitForResponse(/\/cfbe\/rules-/, { timeout: 1_000 }).catch(() => {});
          await route.fulfill({ contentType: "text/javascript", body: "" });
        }),
    });
    await waitPastTriggers(site.page);
    await waitForPopup(site.page);
    assert.deepEqual(site.logs, []);
  },
);

for (
  const [what, script] of [
    ["the body's class", `document.body.className = "home woocommerce-checkout"`],
    ["data-cfbe-page", `document.body.dataset.cfbePage = "cart"`],
  ] as const
) {
  browserTest(`${what} can mark a page where the popup never opens`, async () => {
    await using site = await openPage();
    await site.page.evaluate(script);
    await waitForBlockers(site.page, "shop-page");
  });
}

browserTest("the delay counts only while the page is visible", async () => {
  await using site = await openPage("", {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
  });
  const { page } = site;
  await waitForBlockers(page, "trigger");
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await page.clock.runFor(60_000);
  assert.deepEqual(await why(page), ["hidden", "trigger"]);
  await hide(false);
  await waitForBlockers(page, "trigger");
  await waitForPopup(page);
});

browserTest("scrolling far enough opens the popup, and so does leaving through the top", async () => {
  const triggers = { delaySeconds: 0, scrollPercent: 50, exitIntent: true };
  const tall = "<style>main{height:5000px}</style>";
  for (const by of ["scrolling", "leaving"]) {
    await using site = await openPage(tall, { triggers });
    const { page } = site;
    await waitForBlockers(page, "trigger");
    if (by === "leaving") {
      await page.evaluate(() =>
        document.body.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, clientY: -1 }))
      );
    } else await page.evaluate(() => scrollTo(0, 2500));
    await waitForPopup(page);
  }
});
