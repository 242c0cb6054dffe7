import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import {
  dialog,
  isOpen,
  openPage,
  pressEscape,
  RULES,
  waitForBlockers,
  waitForPopup,
  waitPastTriggers,
  why,
} from "../testing/popup.ts";
import { browserTest, recordedEvents, until } from "../testing/site.ts";

const KEY = "cfbe_popup";
const events = async (page: Parameters<typeof recordedEvents>[0]) =>
  (await recordedEvents(page)).map(({ type, detail }) =>
    [type, detail.source, detail.reason].filter(Boolean).join(" ")
  );

browserTest("the popup opens when its trigger fires, and its signups have the source popup", async () => {
  await using site = await openPage();
  const { page, backend } = site;
  await waitForPopup(page);
  assert.ok(
    !backend.requests.slice(0, 2).some((path) => /popup|form/.test(path)),
    "its code is loaded only when it opens",
  );
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
  await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
  await page.getByText(en.form.success).waitFor();
  const [{ body }] = backend.signups as [typeof backend.signups[0]];
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
  await pressEscape(page);
  assert.equal(
    await page.evaluate((key) => localStorage[key], KEY),
    "subscribed",
    "closing it does not overwrite the subscription",
  );
  assert.deepEqual(site.logs, []);
});

browserTest("the popup's next page follows its signup, which is remembered before", async () => {
  const popup = { cfg: "popup.cfg", rules: RULES, successUrl: "/#sale" };
  await using site = await openPage("", {}, { settings: { successUrl: "/#default", popup } });
  const { page } = site;
  await waitForPopup(page);
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
  await until(page, "the next page", () => Promise.resolve(page.url().endsWith("/#sale")));
  assert.equal(await page.evaluate((key) => localStorage[key], KEY), "subscribed");
});

browserTest(
  "the popup closes by button, Escape, backdrop and cfbe.close(), each with its own reason",
  async () => {
    const closers: Record<string, (page: Parameters<typeof recordedEvents>[0]) => Promise<unknown>> = {
      button: (page) => page.getByRole("button", { name: en.form.close }).click(),
      escape: (page) => page.keyboard.press("Escape"),
      backdrop: (page) => page.mouse.click(5, 5),
      api: (page) => page.evaluate("cfbe.close()"),
    };
    for (const [reason, close] of Object.entries(closers)) {
      await using site = await openPage();
      const { page } = site;
      await waitForPopup(page);
      await close(page);
      await until(page, reason, async () => (await events(page)).at(-1) === `cfbe-close popup ${reason}`);
      assert.equal(await isOpen(page), false);
      const now = await page.evaluate(() => Date.now());
      assert.ok(now - Number(await page.evaluate((key) => localStorage[key], KEY)) < 1000);
      assert.deepEqual((await why(page)).slice(0, 2), ["shown", "closed"]);
    }
  },
);

browserTest("a press that starts in a field and ends on the backdrop does not close the popup", async () => {
  await using site = await openPage();
  const { page } = site;
  await waitForPopup(page);
  const box = (await page.getByLabel(en.form.emailLabel).boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  assert.equal(await isOpen(page), true);
});

browserTest("the popup opens once per session, and not for hideDays after it was closed", async () => {
  await using site = await openPage();
  const { page } = site;
  await waitForPopup(page);
  await pressEscape(page);
  await page.reload();
  await waitPastTriggers(page);
  assert.deepEqual(await why(page), ["shown", "closed"]);

  await page.evaluate(() => sessionStorage.clear());
  await page.clock.setSystemTime(await page.evaluate(() => Date.now()) + 29 * 86_400_000);
  await page.reload();
  await waitPastTriggers(page);
  assert.deepEqual(await why(page), ["closed"]);
  await page.clock.setSystemTime(await page.evaluate(() => Date.now()) + 1 * 86_400_000);
  await page.reload();
  await waitForPopup(page);
});

browserTest(
  "after the clock is set back, the popup is hidden for at most hideDays",
  async () => {
    await using site = await openPage();
    const { page } = site;
    const now = await page.evaluate(() => Date.now());
    await page.evaluate(([key, time]) => localStorage[key!] = time, [KEY, `${now + 4000 * 86_400_000}`]);
    await page.reload();
    await waitForBlockers(page, "closed");
    const closedAt = Number(await page.evaluate((key) => localStorage[key], KEY));
    assert.ok(closedAt <= await page.evaluate(() => Date.now()), "the future close is moved to now");
  },
);

browserTest("a signup in any form is remembered, even while the popup is off", async () => {
  await using site = await openPage("<cfbe-form></cfbe-form>", {}, {
    settings: { popup: { cfg: "popup.cfg" } },
  });
  const { page } = site;
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.locator("[part=button]").click();
  await until(page, "success", () => page.getByText(en.form.success).isVisible());
  await until(
    page,
    "memory",
    async () => await page.evaluate((key) => localStorage[key], KEY) === "subscribed",
  );
});

browserTest("canceling cfbe-beforeshow keeps the popup closed until the next navigation", async () => {
  await using site = await openPage();
  const { page } = site;
  await page.evaluate(() => {
    addEventListener("cfbe-beforeshow", (event) => event.preventDefault(), { once: true });
  });
  await waitForBlockers(page, "cancelled");
  await waitPastTriggers(page);
  assert.deepEqual((await events(page)).filter((event) => event !== "cfbe-ready popup"), [
    "cfbe-beforeshow popup",
  ]);
  await page.evaluate(() => history.pushState(null, "", "/other"));
  await waitForPopup(page);
});

browserTest(
  "a popup that opens by itself takes the focus without a ring, so that no key that is being typed closes it",
  async () => {
    await using site = await openPage("<input>");
    const { page } = site;
    await page.keyboard.press("Tab");
    await page.getByRole("textbox").blur();
    await waitForPopup(page);
    assert.equal(await dialog(page).evaluate((dialog) => dialog.matches(":focus")), true);
    assert.equal(await dialog(page).evaluate((dialog) => getComputedStyle(dialog).outlineStyle), "none");
    for (const key of ["Space", "Enter", "a"]) await page.keyboard.press(key);
    assert.equal(await isOpen(page), true);
    await page.keyboard.press("Tab");
    assert.equal(
      await page.getByRole("button", { name: en.form.close }).evaluate((it) => it.matches(":focus")),
      true,
    );
  },
);

browserTest(
  "a button opens the popup repeatedly, regardless of the rules, and gets the focus back",
  async () => {
    await using site = await openPage(
      `<button data-cfbe-open="footer">Get 10 % off</button><cfbe-form form="footer"></cfbe-form>`,
      {},
      { settings: { popup: { cfg: "popup.cfg" } } },
    );
    const { page, backend } = site;
    await page.waitForFunction(() => "cfbe" in globalThis);
    for (let round = 0; round < 2; round++) {
      await page.getByRole("button", { name: "Get 10 % off" }).click();
      await waitForPopup(page);
      assert.equal(
        await dialog(page).locator("input[name=email]:focus").count(),
        1,
        "a requested popup focuses its email field",
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
    await dialog(page).getByLabel(en.form.emailLabel).fill("ada@example.com");
    await page.keyboard.press("Enter");
    await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
    assert.deepEqual(
      [backend.signups[0]!.body.source, backend.signups[0]!.body.cfbe_cfg],
      ["popup", "footer.cfg"],
    );
  },
);

browserTest("the page behind the popup does not scroll in a browser without :has()", async () => {
  await using site = await openPage("<style>main{height:5000px}</style>", {}, {
    before: (page) =>
      page.addInitScript(() => {
        const supports = CSS.supports.bind(CSS);
        CSS.supports = (...text: [string]) => !text[0].includes(":has") && supports(...text);
      }),
  });
  const { page } = site;
  const overflow = () => page.evaluate("getComputedStyle(document.body).overflow");
  await waitForPopup(page);
  assert.equal(await overflow(), "hidden");
  await pressEscape(page);
  assert.equal(await overflow(), "visible");
});

browserTest("the page behind the popup neither scrolls nor shifts", async () => {
  await using site = await openPage(
    "<style>main{height:5000px}#bar{position:sticky;top:0}</style><p id=bar>Bar</p>",
  );
  const { page } = site;
  await page.evaluate(() => scrollTo(0, 1000));
  const position = () =>
    page.evaluate(() => [scrollY, document.querySelector("#bar")!.getBoundingClientRect().toJSON()]);
  const before = await position();
  await waitForPopup(page);
  await page.mouse.wheel(0, 500);
  assert.deepEqual(await position(), before);
  await pressEscape(page);
  await page.evaluate(() => scrollTo(0, 1200));
  assert.equal((await position())[0], 1200);
});

browserTest(
  "the form of a popup is asked for at the same time as the popup, which waits for both",
  async () => {
    const released = Promise.withResolvers<void>();
    const asked: string[] = [];
    await using site = await openPage("<button data-cfbe-open>Newsletter</button>", {}, {
      settings: { popup: { cfg: "popup.cfg" } },
      before: (page) =>
        page.route(/\/cfbe\/(popup|form)-/, async (route) => {
          asked.push(/(popup|form)-/.exec(route.request().url())![1]!);
          await released.promise;
          await route.continue();
        }),
    });
    const { page } = site;
    await page.getByRole("button", { name: "Newsletter" }).click();
    await until(page, "both are asked for", () => Promise.resolve(asked.length === 2));
    assert.deepEqual(asked.toSorted(), ["form", "popup"]);
    assert.equal(await isOpen(page), false);
    released.resolve();
    await waitForPopup(page);
  },
);

browserTest("a button opens its form although another one was just sent in the popup", async () => {
  await using site = await openPage(
    '<button data-cfbe-open="footer">Newsletter</button><button data-cfbe-open="other">Offers</button>',
    {},
    {
      settings: {
        popup: { cfg: "popup.cfg" },
        forms: {
          footer: { layout: "inline", cfg: "footer.cfg" },
          other: { layout: "inline", cfg: "other.cfg" },
        },
      },
    },
  );
  const { page } = site;
  await page.getByRole("button", { name: "Newsletter" }).click();
  await waitForPopup(page);
  const email = page.locator("cfbe-popup input[name=email]");
  await email.fill("ann@example.com");
  await page.locator("cfbe-popup button[type=submit]").click();
  await page.clock.fastForward(4_000);
  await email.waitFor({ state: "hidden" });
  await pressEscape(page);
  await page.getByRole("button", { name: "Offers" }).click();
  await email.waitFor();
  assert.equal(await email.inputValue(), "");
  assert.equal(await page.getByText("Almost done").count(), 0);
});
