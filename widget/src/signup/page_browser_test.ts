import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, open, recordedEvents, type Site, until } from "../testing/site.ts";

const FORM = `<form data-cfbe-form="footer">
  <label>Email <input name="email"></label> <button>Subscribe</button> <output data-cfbe-message></output>
</form>`;

async function signUp({ page }: Site): Promise<void> {
  await until(
    page,
    "ready",
    async () => (await recordedEvents(page)).some(({ type }) => type === "cfbe-ready"),
  );
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button").click();
  await until(page, "success", async () => await page.getByText(en.success).isVisible());
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
