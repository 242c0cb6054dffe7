/** What can be done to a form in the list: pausing it over a slow or broken connection, and copying it. */
import assert from "node:assert/strict";
import { visitAdmin } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { openStep, savedDraft } from "./form_editor.ts";

adminTest(
  "a paused form is shown as paused before the server responds, and as before if it cannot be reached",
  "/new-form?from=empty",
  async (visit) => {
    const { page } = visit;
    await page.getByLabel("Title").fill("Spring");
    await page.getByText("spring", { exact: true }).waitFor(SOON);
    await page.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL("**/form-settings?form=spring", SOON);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("#main").getByText("Spring published.").waitFor(SOON);
    await visit.open("/forms");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Spring" }) });
    const badge = row.locator(".badge");
    const before = await badge.innerText();
    const shows = (text: string) => row.locator(".badge", { hasText: text }).waitFor(SOON);

    visit.expectError(/net::ERR_/);
    await page.route("**/admin/ajax*", (route) => route.abort());
    const openMenu = () => row.getByRole("button", { name: "Actions (Spring)" }).click();
    await openMenu();
    await row.getByRole("button", { name: "Pause" }).click();
    await page.locator("#main").getByText("cfbe could not be reached.").waitFor(SOON);
    assert.equal(await badge.innerText(), before);

    await page.unroute("**/admin/ajax*");
    const held = Promise.withResolvers<void>();
    await page.route("**/admin/ajax*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await row.getByRole("button", { name: "Pause" }).click();
    await shows("Paused");
    assert.equal(await row.getByRole("button", { name: "Pause" }).count(), 1, "the server has not responded");
    held.resolve();
    await row.getByRole("button", { name: "Pause" }).waitFor({ ...SOON, state: "detached" });
    await shows("Paused");
    await openMenu();
    await row.getByRole("button", { name: "Resume" }).waitFor(SOON);
  },
);

adminTest(
  "the list of forms fits into its card when a form has a start and an end",
  "/form-settings?form=footer",
  async (visit) => {
    const { page } = visit;
    await page.setViewportSize({ width: 1366, height: 850 });
    await openStep(page, "On your site");
    await page.getByLabel("Show from").fill("2999-12-05T00:00");
    await page.getByLabel("Show until").fill("2999-12-06T23:59");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator(".form-state").getByText("Scheduled").waitFor(SOON);
    await visit.open("/forms");
    await page.getByText("until 6 Dec 2999, 23:59").waitFor(SOON);
    const right = async (selector: string) => {
      const { x, width } = (await page.locator(selector).first().boundingBox())!;
      return x + width;
    };
    assert.ok(await right("#main .table") <= await right("#main .card"));
  },
);

adminTest(
  "an end that was typed waits in the draft: it is there after leaving, is undone and redone, and is public only once published",
  "/form-settings?form=footer",
  async (visit) => {
    const { page } = visit;
    const until = page.getByLabel("Show until");
    const ends = async () => {
      const { origin } = new URL(page.url());
      const response = await page.request.get(`${origin}/form/footer`);
      return (await response.text()).includes("not available");
    };
    await openStep(page, "On your site");
    await until.fill("2020-12-31T23:59");
    await savedDraft(page);
    await page.getByRole("link", { name: "All forms" }).click();
    await page.getByText("Unpublished changes").waitFor(SOON);
    await page.getByRole("link", { name: "footer", exact: true }).click();
    await openStep(page, "On your site");
    assert.equal(await until.inputValue(), "2020-12-31T23:59");
    const changes = page.getByRole("table", { name: "Unpublished changes" });
    await changes.getByText("31 Dec 2020, 23:59").waitFor(SOON);
    assert.equal(await ends(), false, "pages show the form until it is published");

    await until.fill("2020-12-30T23:59");
    await changes.getByText("30 Dec 2020, 23:59").waitFor(SOON);
    await page.getByRole("button", { name: "Undo" }).click();
    await changes.getByText("31 Dec 2020, 23:59").waitFor(SOON);
    await page.getByRole("button", { name: "Redo" }).click();
    await changes.getByText("30 Dec 2020, 23:59").waitFor(SOON);
    await page.reload();
    assert.equal(await until.inputValue(), "2020-12-30T23:59");

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator(".form-state").getByText("Ended").waitFor(SOON);
    assert.equal(await ends(), true);
    await changes.waitFor({ ...SOON, state: "detached" });
  },
);

adminTest(
  "a form is duplicated under a title of its own, whose ID is shown while it is typed, and removed from its menu",
  "/new-form?from=waitlist",
  async ({ page, open }) => {
    await page.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL("**/form-settings?form=waitlist", SOON);
    await open("/forms");
    await page.getByRole("button", { name: "Actions (footer)" }).click();
    await page.getByRole("link", { name: "Duplicate" }).click();
    const title = page.getByLabel("Title");
    await title.waitFor(SOON);
    assert.equal(await title.inputValue(), "Copy of footer");
    await page.getByLabel("Form to copy").selectOption("waitlist");
    await page.getByText("copy-of-waitlist", { exact: true }).waitFor(SOON);
    assert.equal(await title.inputValue(), "Copy of Waitlist");
    await title.fill("Footer");
    await page.getByLabel("Form to copy").selectOption("footer");
    assert.equal(await title.inputValue(), "Footer", "what was typed stays");
    await page.getByText("footer-2", { exact: true }).waitFor(SOON);
    await title.fill("Side bar");
    await page.getByText("side-bar", { exact: true }).waitFor(SOON);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/form-settings?form=side-bar", SOON);
    await open("/forms");
    await page.getByRole("button", { name: "Actions (Side bar)" }).click();
    await page.getByRole("link", { name: "Remove…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove form" }).click();
    await page.locator("#main").getByText("was removed").waitFor(SOON);
  },
);

adminTest(
  "a form to copy that is chosen before the page's script has loaded is suggested a title of its own",
  "/new-form?from=waitlist",
  async ({ page, open }) => {
    await page.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL("**/form-settings?form=waitlist", SOON);
    const loading = Promise.withResolvers<void>();
    await page.route("**/assets/admin*.js", async (route) => {
      await loading.promise;
      await route.continue();
    });
    const opened = open("/new-form?from=copy&form=footer");
    const title = page.getByLabel("Title");
    await page.getByLabel("Form to copy").selectOption("waitlist");
    assert.equal(await title.inputValue(), "Copy of footer");
    loading.resolve();
    await opened;
    assert.equal(await title.inputValue(), "Copy of Waitlist");
    await page.getByText("copy-of-waitlist", { exact: true }).waitFor(SOON);
  },
);

Deno.test({
  name: "without JavaScript, the menu of a row opens at its button, closes with Escape, and pauses the form",
  async fn() {
    await using visit = await visitAdmin({}, { javaScriptEnabled: false });
    const { page } = visit;
    await visit.signIn();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await visit.open("/forms");
      const opener = page.getByRole("button", { name: "Actions (footer)", exact: true });
      const menu = page.getByRole("group", { name: "Actions for footer" });
      await opener.click();
      await menu.getByRole("link", { name: "Duplicate" }).waitFor(SOON);
      const [at, from] = [(await menu.boundingBox())!, (await opener.boundingBox())!];
      assert.ok(Math.abs(at.x + at.width - from.x - from.width) < 2, `${width} px: at its button`);
      assert.ok(at.x >= 0 && at.x + at.width <= width);
      await page.keyboard.press("Escape");
      await menu.waitFor({ ...SOON, state: "hidden" });
    }
    await page.getByRole("button", { name: "Actions (footer)", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    const row = page.getByRole("row").filter({
      has: page.getByRole("link", { name: "footer", exact: true }),
    });
    await row.getByText("Paused").waitFor(SOON);
  },
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
});
