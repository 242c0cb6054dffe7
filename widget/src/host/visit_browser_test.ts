import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Condition } from "../../../shared/targeting.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";

const FIRST = "/offers?utm_campaign=Spring&utm_source=mail&session=secret";
const FROM = {
  path: "/second",
  referrer: "https://news.example",
  utm: { source: "mail", campaign: "Spring" },
};
const STORED = "utm_source=mail&utm_campaign=Spring&referrer=https%3A%2F%2Fnews.example";

const conditions: Condition[] = [
  { kind: "utm", name: "campaign", match: "is", value: "spring" },
  { kind: "referrer", value: "shop.example", not: true },
];
const settings: Partial<PublicSettings> = {
  attribution: true,
  visit: "visit",
  forms: { offer: { layout: "inline", cfg: "offer.cfg", targeting: [{ conditions }] } },
};

/** Opens the first page of a visit, which has no form. */
const openFirst = (storage: string, path = FIRST) =>
  open(
    `<script>if (location.pathname === "/second") document.write('<cfbe-form form="offer"></cfbe-form>')</script>`,
    {
      head: `<script async src="SCRIPT" data-storage="${storage}"></script>`,
      path,
      settings,
      referer: "https://news.example/item?id=7",
    },
  );
const goTo = (page: Page, path: string) => page.goto(new URL(path, page.url()).href, { referer: page.url() });
const storedIn = (page: Page) =>
  page.evaluate(() =>
    Object.entries({ ...sessionStorage, ...localStorage }).map(([key, value]) => `${key} ${value}`)
  );

async function signUpOn({ page, backend }: Site): Promise<unknown> {
  await until(page, "the form", () => page.getByLabel(en.form.emailLabel).isVisible());
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button").click();
  await until(page, "success", () => page.getByText(en.form.success).isVisible());
  return backend.signups.at(-1)!.body.page;
}

/** Waits until the page has decided that the form is not meant for it. */
const waitForNoForm = (page: Page) =>
  until(
    page,
    "no form",
    async () => await page.evaluate("globalThis.cfbe?.why('offer').join()") === "targeting",
  );

browserTest(
  "a form on the second page of a visit is targeted and attributed as on the first, which had no form",
  async () => {
    await using site = await openFirst("auto");
    const { page } = site;
    await until(page, "the stored visit", async () => (await storedIn(page)).length > 0);
    assert.deepEqual(await storedIn(page), [`cfbe_page ${STORED}`]);
    await goTo(page, "/second");
    assert.deepEqual(await signUpOn(site), FROM);

    await goTo(page, "/second?utm_campaign=fall");
    await waitForNoForm(page);
    await goTo(page, "/second");
    await waitForNoForm(page);
  },
);

browserTest("another tab is another visit, and a visit that comes from nowhere stores nothing", async () => {
  await using site = await openFirst("auto");
  const first = site.page;
  await until(first, "the stored visit", async () => (await storedIn(first)).length > 0);
  const page = await first.context().newPage();
  await page.goto(new URL("/second", first.url()).href);
  await waitForNoForm(page);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

browserTest(
  "with data-storage=consent, a visit is stored only after consent, and deleted after a refusal",
  async () => {
    await using site = await openFirst("consent");
    const { page } = site;
    const choose = (granted: boolean) => page.evaluate(`cfbe.consent(${granted})`);
    await until(
      page,
      "the rules",
      () => Promise.resolve(site.backend.requests.some((path) => /rules/.test(path))),
    );
    await choose(false);
    assert.deepEqual(await storedIn(page), []);
    await goTo(page, "/second");
    await waitForNoForm(page);

    await goTo(page, FIRST);
    await until(page, "the consent", async () => {
      await choose(true);
      return (await storedIn(page)).length > 0;
    });
    assert.deepEqual(await storedIn(page), [`cfbe_page ${STORED.replace(/&referrer.*/, "")}`]);
    await goTo(page, "/second");
    await choose(true);
    assert.deepEqual(await signUpOn(site), { path: "/second", utm: FROM.utm });
    await choose(false);
    assert.deepEqual(await storedIn(page), []);
  },
);

browserTest(
  "with data-storage=none, a visit is never stored, and each page tells only of itself",
  async () => {
    await using site = await openFirst("none");
    const { page, backend } = site;
    await until(
      page,
      "the part",
      () => Promise.resolve(backend.requests.some((path) => /visit-/.test(path))),
    );
    await page.evaluate("cfbe.consent(true)");
    assert.deepEqual(await storedIn(page), []);
    await goTo(page, "/second");
    await waitForNoForm(page);
  },
);
