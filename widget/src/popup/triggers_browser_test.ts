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
