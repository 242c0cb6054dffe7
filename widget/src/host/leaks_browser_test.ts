/** What the widget leaves on a page when it is no longer wanted: nothing but the few listeners named in `alive.ts`. */
import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { alive, assertLeft, COUNTED_HEAD as head, keepsFresh, LOADER, RULES } from "../testing/alive.ts";
import { PENDING } from "../testing/backend.ts";
import { escape, openPage, shown } from "../testing/popup.ts";
import { browserTest, heard, open, type Site, until } from "../testing/site.ts";

const STRIP = `<cfbe-form form="bar"></cfbe-form>`;
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

browserTest("a page without forms hears what the loader needs, and nothing more", async () => {
  await using site = await open("<p>Nothing here.</p>", { head });
  const { page } = site;
  await until(page, "settings", () => page.evaluate("'cfbe' in self && cfbe.why()[0] === 'disabled'"));
  await assertLeft(site, LOADER);
});

browserTest(
  "a form that the page moves keeps what was typed, and one that it removes leaves nothing",
  async () => {
    await using site = await open(`<cfbe-form></cfbe-form>`, { head });
    const { page } = site;
    await page.getByLabel(en.emailLabel).fill("ada@example.com");
    await keepsFresh(site);
    const before = await alive(site);
    assert.equal(before.length, LOADER.length + 3, `two listeners and a timer: ${before}`);
    await page.evaluate(() => document.body.append(document.querySelector("cfbe-form")!));
    await keepsFresh(site);
    assert.equal(await page.getByLabel(en.emailLabel).inputValue(), "ada@example.com");
    await remove(site, "cfbe-form");
    await assertLeft(site, LOADER);
  },
);

browserTest(
  "a strip that is closed leaves nothing, nor when the page moves and removes it then",
  async () => {
    await using site = await open(`<main></main>${STRIP}`, { head, settings });
    const { page } = site;
    await keepsFresh(site);
    await page.getByRole("button", { name: en.close }).click();
    await assertLeft(site, RULES);
    await page.evaluate(() => document.querySelector("main")!.append(document.querySelector("cfbe-form")!));
    await remove(site, "main");
    await assertLeft(site, RULES);
  },
);

browserTest("a strip that is removed leaves nothing", async () => {
  await using site = await open(STRIP, { head, settings });
  await keepsFresh(site);
  await remove(site, "cfbe-form");
  await assertLeft(site, RULES);
});

browserTest("a form of the page's own that is removed leaves nothing, on itself neither", async () => {
  await using site = await open(OWN, { head });
  await keepsFresh(site);
  assert.ok((await alive(site)).includes("form submit"));
  await remove(site, "form");
  await assertLeft(site, LOADER);
});

browserTest("the popup leaves nothing once it is closed, and the same when it was opened again", async () => {
  await using site = await openPage("", {}, { head });
  const { page } = site;
  await shown(page);
  await keepsFresh(site);
  await escape(page);
  await assertLeft(site, RULES);
  for (const reason of ["button", "api"]) {
    await page.evaluate("void cfbe.open()");
    await shown(page);
    await keepsFresh(site);
    if (reason === "api") await page.evaluate("cfbe.close()");
    else await page.getByRole("button", { name: en.close }).click();
    await assertLeft(site, RULES);
  }
});

browserTest(
  "a popup that is opened in the moment of its closing is open, and closes without a trace",
  async () => {
    await using site = await openPage("", {}, { head });
    const { page } = site;
    await shown(page);
    await page.evaluate("cfbe.close(), cfbe.open()");
    // The browser tells of the closing a task later.
    await page.evaluate(() => fetch("/").then((response) => response.text()));
    await shown(page);
    assert.deepEqual((await heard(page)).map(({ type }) => type).slice(-3), [
      "cfbe-show",
      "cfbe-close",
      "cfbe-show",
    ]);
    await escape(page);
    await assertLeft(site, RULES);
    assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0);
  },
);

for (
  const [whose, markup, selector] of [["ours", "<cfbe-form></cfbe-form>", "cfbe-form"], [
    "the page's own",
    OWN,
    "form",
  ]]
) {
  browserTest(
    `a form, ${whose}, that is removed while it tries again signs up once, and leaves nothing`,
    async () => {
      await using site = await open(markup!, { head });
      const { page, backend } = site;
      backend.answer = badGateway;
      await page.locator("input[name=email]").fill("ada@example.com");
      await keepsFresh(site);
      await page.locator("form button").click();
      await until(
        page,
        "a pause",
        async () => backend.arrived.length > 0 && (await alive(site)).includes("setTimeout"),
      );
      await remove(site, selector!);
      const before = backend.arrived.length;
      backend.answer = () => PENDING;
      await until(page, "the signup", () => Promise.resolve(backend.arrived.length > before));
      await assertLeft(site, LOADER);
      await page.clock.runFor(20_000);
      assert.equal(backend.arrived.length, before + 1);
      assert.equal(await page.evaluate("localStorage.cfbe_popup"), "subscribed");
    },
  );
}

browserTest(
  "a mounted form leaves nothing when it is destroyed: shown, far away, on its way, or failed",
  async () => {
    await using site = await open(`<main></main><p style="height:9000px"></p><footer></footer>`, { head });
    const { page, backend } = site;
    // Not by `waitForFunction`, which has listeners of its own in the page.
    await until(page, "the script", () => page.evaluate("'cfbe' in self"));
    const mount = (where: string) =>
      page.evaluate(`void (globalThis.mounted = cfbe.mount(document.querySelector("${where}")))`);
    const destroy = () => page.evaluate("mounted.destroy()");

    await mount("footer");
    await until(
      page,
      "it is watched",
      async () => (await alive(site)).includes("IntersectionObserver cfbe-form"),
    );
    await destroy();
    await assertLeft(site, LOADER);

    let arrive = () => {};
    const held = new Promise<void>((resolve) => arrive = resolve);
    await page.route(/\/cfbe\/form-/, async (route) => (await held, await route.continue()));
    const asked = page.waitForRequest(/\/cfbe\/form-/);
    await mount("main");
    await asked;
    await destroy();
    arrive();
    await assertLeft(site, LOADER);

    await mount("main");
    await keepsFresh(site);
    await destroy();
    await assertLeft(site, LOADER);

    assert.deepEqual(site.said, []);
    backend.settings = undefined;
    await page.evaluate(() => document.documentElement.lang = "de");
    await mount("main");
    await until(
      page,
      "a warning",
      () => Promise.resolve(site.said.some((line) => line.includes("could not be loaded"))),
    );
    await destroy();
    await assertLeft(site, LOADER);
    await page.evaluate(() => dispatchEvent(new Event("online")));
  },
);
