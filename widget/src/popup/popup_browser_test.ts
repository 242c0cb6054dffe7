import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { dialog, escape, heldBackBy, isOpen, openPage, shown, waitInVain, why } from "../testing/popup.ts";
import { browserTest, heard, until } from "../testing/site.ts";

const KEY = "cfbe_popup";
const events = async (page: Parameters<typeof heard>[0]) =>
  (await heard(page)).map(({ type, detail }) =>
    [type, detail.source, detail.reason].filter(Boolean).join(" ")
  );

browserTest("the popup comes when it is due, and a signup in it is the popup's", async () => {
  await using site = await openPage();
  const { page, backend } = site;
  await shown(page);
  assert.ok(
    !backend.asked.slice(0, 2).some((path) => /popup|form/.test(path)),
    "its code comes when it is due",
  );
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.button }).click();
  await until(page, "a signup", () => Promise.resolve(backend.arrived.length > 0));
  await page.getByText(en.success).waitFor();
  const [{ body }] = backend.arrived as [typeof backend.arrived[0]];
  assert.deepEqual([body.source, body.cfbe_cfg], ["popup", "popup.cfg"]);
  assert.equal(await page.evaluate((key) => localStorage[key], KEY), "subscribed");
  assert.deepEqual(await events(page), [
    "cfbe-ready popup",
    "cfbe-beforeshow popup",
    "cfbe-show popup",
    "cfbe-beforesubmit popup",
    "cfbe-submit popup",
    "cfbe-success popup",
  ]);
  await escape(page);
  assert.equal(
    await page.evaluate((key) => localStorage[key], KEY),
    "subscribed",
    "a close changes nothing now",
  );
  assert.deepEqual(site.said, []);
});

browserTest(
  "it can be closed by button, Escape, a press beside it, and the page; each says which",
  async () => {
    const closers: Record<string, (page: Parameters<typeof heard>[0]) => Promise<unknown>> = {
      button: (page) => page.getByRole("button", { name: en.close }).click(),
      escape: (page) => page.keyboard.press("Escape"),
      backdrop: (page) => page.mouse.click(5, 5),
      api: (page) => page.evaluate("cfbe.close()"),
    };
    for (const [reason, close] of Object.entries(closers)) {
      await using site = await openPage();
      const { page } = site;
      await shown(page);
      await close(page);
      await until(page, reason, async () => (await events(page)).at(-1) === `cfbe-close popup ${reason}`);
      assert.equal(await isOpen(page), false);
      const now = await page.evaluate(() => Date.now());
      assert.ok(now - Number(await page.evaluate((key) => localStorage[key], KEY)) < 1000);
      assert.deepEqual((await why(page)).slice(0, 2), ["shown", "closed"]);
    }
  },
);

browserTest("a press that begins in a field and ends beside the popup does not close it", async () => {
  await using site = await openPage();
  const { page } = site;
  await shown(page);
  const box = (await page.getByLabel(en.emailLabel).boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  assert.equal(await isOpen(page), true);
});

browserTest("once in a session, and after a close not for as many days as are set", async () => {
  await using site = await openPage();
  const { page } = site;
  await shown(page);
  await escape(page);
  await page.reload();
  await waitInVain(page);
  assert.deepEqual(await why(page), ["shown", "closed"]);

  await page.evaluate(() => sessionStorage.clear());
  await page.clock.setSystemTime(await page.evaluate(() => Date.now()) + 29 * 86_400_000);
  await page.reload();
  await waitInVain(page);
  assert.deepEqual(await why(page), ["closed"]);
  await page.clock.setSystemTime(await page.evaluate(() => Date.now()) + 1 * 86_400_000);
  await page.reload();
  await shown(page);
});

browserTest(
  "a clock that was set back hides the popup for as many days as are set, and no longer",
  async () => {
    await using site = await openPage();
    const { page } = site;
    const now = await page.evaluate(() => Date.now());
    await page.evaluate(([key, time]) => localStorage[key!] = time, [KEY, `${now + 4000 * 86_400_000}`]);
    await page.reload();
    await heldBackBy(page, "closed");
    const kept = Number(await page.evaluate((key) => localStorage[key], KEY));
    assert.ok(kept <= await page.evaluate(() => Date.now()), "kept as of now");
  },
);

browserTest("a signup in any form of the page is remembered, also while the popup is off", async () => {
  await using site = await openPage("<cfbe-form></cfbe-form>", {}, {
    settings: { popup: { cfg: "popup.cfg" } },
  });
  const { page } = site;
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await page.locator("[part=button]").click();
  await until(page, "success", () => page.getByText(en.success).isVisible());
  await until(
    page,
    "memory",
    async () => await page.evaluate((key) => localStorage[key], KEY) === "subscribed",
  );
});

browserTest("a page that cancels cfbe-beforeshow keeps the popup away until it goes on", async () => {
  await using site = await openPage();
  const { page } = site;
  await page.evaluate(() => {
    addEventListener("cfbe-beforeshow", (event) => event.preventDefault(), { once: true });
  });
  await heldBackBy(page, "cancelled");
  await waitInVain(page);
  assert.deepEqual((await events(page)).filter((event) => event !== "cfbe-ready popup"), [
    "cfbe-beforeshow popup",
  ]);
  await page.evaluate(() => history.pushState(null, "", "/other"));
  await shown(page);
});

browserTest("a button opens it, once more and whatever the rules say, and gets the focus back", async () => {
  await using site = await openPage(
    `<button data-cfbe-open="footer">Get 10 % off</button><cfbe-form form="footer"></cfbe-form>`,
    {},
    { settings: { popup: { cfg: "popup.cfg" } } },
  );
  const { page, backend } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  for (let round = 0; round < 2; round++) {
    await page.getByRole("button", { name: "Get 10 % off" }).click();
    await shown(page);
    assert.equal(
      await dialog(page).locator("input[name=email]:focus").count(),
      1,
      "who asks for it wants to type",
    );
    assert.equal(
      await page.evaluate(() => {
        document.querySelector<HTMLElement>("button")!.focus();
        return document.activeElement!.localName;
      }),
      "cfbe-popup",
      "the page behind is inert",
    );
    if (round === 0) await page.keyboard.press("Escape");
    if (round === 0) await page.locator("button:focus").waitFor();
  }
  await dialog(page).getByLabel(en.emailLabel).fill("ada@example.com");
  await page.keyboard.press("Enter");
  await until(page, "a signup", () => Promise.resolve(backend.arrived.length > 0));
  assert.deepEqual(
    [backend.arrived[0]!.body.source, backend.arrived[0]!.body.cfbe_cfg],
    ["popup", "footer.cfg"],
  );
});

browserTest("the page behind neither scrolls nor moves", async () => {
  await using site = await openPage(
    "<style>main{height:5000px}#bar{position:sticky;top:0}</style><p id=bar>Bar</p>",
  );
  const { page } = site;
  await page.evaluate(() => scrollTo(0, 1000));
  const where = () =>
    page.evaluate(() => [scrollY, document.querySelector("#bar")!.getBoundingClientRect().toJSON()]);
  const before = await where();
  await shown(page);
  await page.mouse.wheel(0, 500);
  assert.deepEqual(await where(), before);
  await escape(page);
  await page.evaluate(() => scrollTo(0, 1200));
  assert.equal((await where())[0], 1200);
});
