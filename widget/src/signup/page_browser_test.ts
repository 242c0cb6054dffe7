import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, formIsReady, open, type Site, until } from "../testing/site.ts";

const FORM = `<form data-cfbe-form="footer">
  <label>Email <input name="email"></label> <button>Subscribe</button> <output data-cfbe-message></output>
</form>`;

async function signUp({ page }: Site): Promise<void> {
  await formIsReady(page);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button").click();
  await until(page, "success", async () => await page.getByText(en.form.success).isVisible());
}

browserTest(
  "a form that asks for the page tells its path, the linking site and UTM parameters, without other queries",
  async () => {
    await using site = await open(FORM, {
      path: "/blog/tea?utm_campaign=spring&utm_source=&session=secret#top",
      settings: { attribution: true },
      referer: "https://news.example/item?id=7",
    });
    await signUp(site);
    assert.deepEqual(site.backend.signups[0]!.body.page, {
      path: "/blog/tea",
      referrer: "https://news.example",
      utm: { campaign: "spring" },
    });
  },
);

browserTest("a signup is sent without the page if the code that reads it cannot be loaded", async () => {
  await using site = await open(FORM, {
    settings: { attribution: true },
    before: (page) => page.route(/\/cfbe\/page-/, (route) => route.abort()),
  });
  await signUp(site);
  assert.equal(site.backend.signups[0]!.body.page, undefined);
});

browserTest(
  "after a single-page app has navigated, the path is the new one, and the campaign that of the page that the visitor came to",
  async () => {
    const settings = { attribution: true };
    // In real time, because Playwright's clock replaces `performance`, which knows the first URL.
    await using site = await open(FORM, { path: "/?utm_campaign=spring", live: true, settings });
    const { page } = site;
    await page.evaluate(() => history.pushState(null, "", "/blog/tea?sort=new"));
    await page.waitForFunction(`recordedEvents.some(({ type }) => type === "cfbe-ready")`);
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("button").click();
    await page.getByText(en.form.success).waitFor({ timeout: 15_000 });
    assert.deepEqual(site.backend.signups[0]!.body.page, { path: "/blog/tea", utm: { campaign: "spring" } });
  },
);

browserTest(
  "a path in the fragment, as some routers keep it, belongs to the path, without its query",
  async () => {
    await using site = await open(FORM, {
      path: "/shop/#!/blog/tea?session=secret",
      settings: { attribution: true },
    });
    await signUp(site);
    assert.deepEqual(site.backend.signups[0]!.body.page, { path: "/shop/blog/tea" });
  },
);
