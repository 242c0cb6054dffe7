import assert from "node:assert/strict";
import { heldBackBy, isOpen, openPage, shown, waitInVain, why } from "../testing/popup.ts";
import { browserTest } from "../testing/site.ts";

for (
  const path of ["/cart", "/de/checkout/pay", "/basket.php", "/my-account/", "/#/checkouts", "/kasse/bar"]
) {
  browserTest(`neither time nor a click opens it on ${path}`, async () => {
    await using site = await openPage("<button data-cfbe-open>Open</button>", { excludePaths: ["/kasse"] }, {
      path,
    });
    const { page } = site;
    const held = path === "/kasse/bar" ? "excluded-path" as const : "shop-page" as const;
    await heldBackBy(page, held);
    await page.getByRole("button").click();
    await waitInVain(page);
    assert.equal(await page.evaluate("cfbe.open()"), false);
    assert.equal(await isOpen(page), false);
    assert.match(site.said[0]!, /^\[cfbe\] the popup stays closed here/);
  });
}

for (
  const [what, mark] of [
    ["the body's class", `document.body.className = "home woocommerce-checkout"`],
    ["data-cfbe-page", `document.body.dataset.cfbePage = "cart"`],
  ] as const
) {
  browserTest(`${what} marks a page that is kept free`, async () => {
    await using site = await openPage();
    await site.page.evaluate(mark);
    await heldBackBy(site.page, "shop-page");
  });
}

browserTest("only time in which the page can be seen counts", async () => {
  await using site = await openPage("", {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
  });
  const { page } = site;
  await heldBackBy(page, "trigger");
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await page.clock.runFor(60_000);
  assert.deepEqual(await why(page), ["hidden", "trigger"]);
  await hide(false);
  await heldBackBy(page, "trigger");
  await shown(page);
});

browserTest("scrolling far enough brings it, and so does leaving over the upper edge", async () => {
  const triggers = { delaySeconds: 0, scrollPercent: 50, exitIntent: true };
  const tall = "<style>main{height:5000px}</style>";
  for (const by of ["scrolling", "leaving"]) {
    await using site = await openPage(tall, { triggers });
    const { page } = site;
    await heldBackBy(page, "trigger");
    if (by === "leaving") {
      await page.evaluate(() =>
        document.body.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, clientY: -1 }))
      );
    } else await page.evaluate(() => scrollTo(0, 2500));
    await shown(page);
  }
});
