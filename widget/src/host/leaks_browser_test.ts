/** Removed and closed forms leave nothing on the page, except for the resources listed in `leaks.ts`. */
import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import {
  activeResources,
  assertRemaining,
  LOADER_RESOURCES,
  RULES_RESOURCES,
  TRACKED_HEAD as head,
  waitForTokenRefresh,
} from "../testing/leaks.ts";
import { PENDING } from "../testing/backend.ts";
import { openPage, pressEscape, waitForPopup } from "../testing/popup.ts";
import { browserTest, open, recordedEvents, type Site, until } from "../testing/site.ts";

const PROMO_BAR = `<cfbe-form form="bar"></cfbe-form>`;
const OWN = `<form data-cfbe-form="footer"><input name="email" type="email"><button>Go</button></form>`;
const settings = { forms: { bar: { layout: "promo" as const, cfg: "bar.cfg" } } };
const remove = ({ page }: Site, selector: string) =>
  page.evaluate((selector) => {
    const removed = document.querySelector(selector)!;
    Object.assign(globalThis, { removed });
    removed.remove();
  }, selector);
const badGateway = () =>
  new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "access-control-allow-origin": "*" } });

browserTest("on a page without forms only the loader's resources are active", async () => {
  await using site = await open("<p>Nothing here.</p>", { head });
  const { page } = site;
  await until(page, "settings", () => page.evaluate("'cfbe' in self && cfbe.why()[0] === 'disabled'"));
  await assertRemaining(site, LOADER_RESOURCES);
});

browserTest(
  "moving a form keeps its entries, and removing it leaves no resources",
  async () => {
    await using site = await open(`<cfbe-form></cfbe-form>`, { head });
    const { page } = site;
    await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
    await waitForTokenRefresh(site);
    const before = await activeResources(site);
    assert.equal(before.length, LOADER_RESOURCES.length + 3, `two listeners and a timer: ${before}`);
    await page.evaluate(() => document.body.append(document.querySelector("cfbe-form")!));
    await waitForTokenRefresh(site);
    assert.equal(await page.getByLabel(en.form.emailLabel).inputValue(), "ada@example.com");
    await remove(site, "cfbe-form");
    await assertRemaining(site, LOADER_RESOURCES);
  },
);

browserTest(
  "a closed promo bar leaves no resources, even if the page then moves and removes it",
  async () => {
    await using site = await open(`<main></main>${PROMO_BAR}`, { head, settings });
    const { page } = site;
    await waitForTokenRefresh(site);
    await page.getByRole("button", { name: en.form.close }).click();
    await assertRemaining(site, RULES_RESOURCES);
    await page.evaluate(() => document.querySelector("main")!.append(document.querySelector("cfbe-form")!));
    await remove(site, "main");
    await assertRemaining(site, RULES_RESOURCES);
  },
);

browserTest("a removed promo bar leaves no resources", async () => {
  await using site = await open(PROMO_BAR, { head, settings });
  await waitForTokenRefresh(site);
  await remove(site, "cfbe-form");
  await assertRemaining(site, RULES_RESOURCES);
});

browserTest("a removed own-markup form leaves no resources, and no listeners on itself", async () => {
  await using site = await open(OWN, { head });
  await waitForTokenRefresh(site);
  assert.ok((await activeResources(site)).includes("form submit"));
  await remove(site, "form");
  await assertRemaining(site, LOADER_RESOURCES);
});

browserTest("the popup leaves no resources after each close", async () => {
  await using site = await openPage("", {}, { head });
  const { page } = site;
  await waitForPopup(page);
  await waitForTokenRefresh(site);
  await pressEscape(page);
  await assertRemaining(site, RULES_RESOURCES);
  for (const reason of ["button", "api"]) {
    await page.evaluate("void cfbe.open()");
    await waitForPopup(page);
    await waitForTokenRefresh(site);
    if (reason === "api") await page.evaluate("cfbe.close()");
    else await page.getByRole("button", { name: en.form.close }).click();
    await assertRemaining(site, RULES_RESOURCES);
  }
});

browserTest(
  "a popup that is reopened while it closes stays open, and then closes completely",
  async () => {
    await using site = await openPage("", {}, { head });
    const { page } = site;
    await waitForPopup(page);
    await page.evaluate("cfbe.close(), cfbe.open()");
    // The browser dispatches the close event a task later.
    await page.evaluate(() => fetch("/").then((response) => response.text()));
    await waitForPopup(page);
    assert.deepEqual((await recordedEvents(page)).map(({ type }) => type).slice(-3), [
      "cfbe-show",
      "cfbe-close",
      "cfbe-show",
    ]);
    await pressEscape(page);
    await assertRemaining(site, RULES_RESOURCES);
    assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0);
  },
);

for (
  const [what, markup, selector] of [["a <cfbe-form>", "<cfbe-form></cfbe-form>", "cfbe-form"], [
    "an own-markup form",
    OWN,
    "form",
  ]]
) {
  browserTest(
    `${what} that is removed during a retry signs up once, and leaves no resources`,
    async () => {
      await using site = await open(markup!, { head });
      const { page, backend } = site;
      backend.answer = badGateway;
      await page.locator("input[name=email]").fill("ada@example.com");
      await waitForTokenRefresh(site);
      await page.locator("form button").click();
      await until(
        page,
        "the pause before a retry",
        async () => backend.signups.length > 0 && (await activeResources(site)).includes("setTimeout"),
      );
      await remove(site, selector!);
      const before = backend.signups.length;
      backend.answer = () => PENDING;
      const answered = page.waitForResponse((response) =>
        response.ok() && response.url().endsWith("/subscribe") && response.request().method() === "POST"
      );
      await until(page, "the signup", () => Promise.resolve(backend.signups.length > before));
      // The page's clock also ends requests: a response that is still on its way would come too late.
      await (await answered).finished();
      await assertRemaining(site, LOADER_RESOURCES);
      await page.clock.runFor(20_000);
      assert.equal(backend.signups.length, before + 1);
      await until(
        page,
        "the memory of the signup",
        () => page.evaluate<boolean>('localStorage.cfbe_popup === "subscribed"'),
      );
    },
  );
}

browserTest(
  "destroying a mounted form leaves no resources: far away, loading, shown or failed",
  async () => {
    await using site = await open(`<main></main><p style="height:9000px"></p><footer></footer>`, { head });
    const { page, backend } = site;
    // `waitForFunction` cannot be used, because it adds listeners to the page.
    await until(page, "the script", () => page.evaluate("'cfbe' in self"));
    const mount = (where: string) =>
      page.evaluate(`void (globalThis.mounted = cfbe.mount(document.querySelector("${where}")))`);
    const destroy = () => page.evaluate("mounted.destroy()");

    await mount("footer");
    await until(
      page,
      "the form is observed",
      async () => (await activeResources(site)).includes("IntersectionObserver cfbe-form"),
    );
    await destroy();
    await assertRemaining(site, LOADER_RESOURCES);

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/cfbe\/form-/, async (route) => (await released, await route.continue()));
    const requested = page.waitForRequest(/\/cfbe\/form-/);
    await mount("main");
    await requested;
    await destroy();
    release();
    await assertRemaining(site, LOADER_RESOURCES);

    await mount("main");
    await waitForTokenRefresh(site);
    await destroy();
    await assertRemaining(site, LOADER_RESOURCES);

    assert.deepEqual(site.logs, []);
    backend.settings = undefined;
    await page.evaluate(() => document.documentElement.lang = "de");
    await mount("main");
    await until(
      page,
      "a warning",
      () => Promise.resolve(site.logs.some((line) => line.includes("form not loaded"))),
    );
    await destroy();
    await assertRemaining(site, LOADER_RESOURCES);
    await page.evaluate(() => dispatchEvent(new Event("online")));
  },
);
