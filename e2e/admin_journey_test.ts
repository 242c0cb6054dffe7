/** An admin's tasks in a real browser, with and without JavaScript. */
import assert from "node:assert/strict";
import { ADMIN_PASSWORD, type AdminVisit, axeFindings, visitAdmin } from "./admin_pages.ts";
import { openElement, openStep } from "./form_editor.ts";
import { API_TOKEN } from "./program.ts";

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

const SOON = { timeout: 15_000 };

browserTest(
  "the link printed at the first start creates the first admin, and works only once",
  async () => {
    await using visit = await visitAdmin({ CFBE_ADMIN_PASSWORD: "" });
    const { page, program } = visit;
    const link = /http\S+\/admin\/set-up#\S+/.exec(program.log())?.[0];
    assert.ok(link, program.log());
    await page.goto(link);
    await page.getByRole("button", { name: "Create and sign in" }).waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByLabel("Name").fill("Ann");
    await page.getByLabel("Password").fill("ann's own password");
    await page.getByRole("button", { name: "Create and sign in" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor(SOON);
    await page.goto(link);
    await page.getByText("This link is no longer valid").first().waitFor(SOON);

    await visit.open("/users");
    await page.getByRole("rowheader", { name: "ann", exact: true }).waitFor(SOON);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor(SOON);
    await visit.open("/users");
    await page.getByLabel("Name").fill("ann");
    await page.getByLabel("Password").fill("a wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("Incorrect name or password").waitFor(SOON);
    await page.getByLabel("Password").fill("ann's own password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/admin/users");
    assert.deepEqual(visit.errors, []);
  },
);

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with JavaScript" : "without JavaScript";

  browserTest(`${how}, an admin saves settings, corrects an error, and adds and removes rows`, async () => {
    await using visit = await visitAdmin({}, { javaScriptEnabled });
    const { page } = visit;
    await visit.signIn();
    await visit.open("/general");
    await page.getByLabel("Sites that may show your forms").fill("https://shop.example/path");
    await page.getByRole("switch", { name: "Coupons" }).check();
    await page.getByRole("button", { name: "Save changes" }).click();
    const summary = page.getByRole("alert").filter({ hasText: "Must be an origin such as" });
    await summary.waitFor(SOON);
    assert.equal(
      await page.getByLabel("Sites that may show your forms").inputValue(),
      "https://shop.example/path",
    );
    assert.ok(await page.getByRole("switch", { name: "Coupons" }).isChecked(), "other changes are kept");
    if (javaScriptEnabled) assert.deepEqual(await axeFindings(page), []);
    const focused = await summary.evaluate((element) => element === document.activeElement);
    assert.ok(focused, "the summary of errors has the focus");
    await summary.getByRole("link", { name: "Sites that may show your forms" }).press("Enter");
    assert.ok(
      await page.getByLabel("Sites that may show your forms").evaluate((field) =>
        field === document.activeElement
      ),
    );
    await page.getByLabel("Sites that may show your forms").fill("https://shop.example");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator("#main").getByRole("status").getByText("General settings saved.").waitFor(SOON);
    await page.reload();
    assert.equal(
      await page.getByLabel("Sites that may show your forms").inputValue(),
      "https://shop.example",
    );
    assert.equal(
      await page.locator("#main").getByText("General settings saved.").count(),
      0,
      "the message is shown once",
    );

    await visit.open("/form-defaults");
    for (const [index, label] of ["Tea", "Coffee"].entries()) {
      await page.getByRole("button", { name: "Add interest" }).click();
      const row = page.locator("[data-row]").nth(index);
      await row.getByLabel("Label").fill(label);
      await row.getByLabel("Tag").fill(label.toLowerCase());
    }
    await page.getByRole("button", { name: "Remove Tea" }).click();
    await page.getByRole("button", { name: "Remove Tea" }).waitFor({ ...SOON, state: "detached" });
    assert.equal(await page.locator("[data-row]").getByLabel("Label").inputValue(), "Coffee");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator("#main").getByText("Form settings saved.").waitFor(SOON);
    const settings = await visit.program.json<{ interests: unknown[] }>("/cfbe.json?locale=en");
    assert.deepEqual(settings.interests, [{ tag: "coffee", label: "Coffee" }]);
    assert.deepEqual(visit.errors, []);
  });

  browserTest(
    `${how}, the second of two admins who save the same page sees both values and can overwrite`,
    async () => {
      await using visit = await visitAdmin({}, { javaScriptEnabled });
      await visit.signIn();
      await secondOverwrites(visit, {
        path: "/carts",
        field: "After",
        save: "Save changes",
        saved: "Carts settings saved.",
        conflict: "admin changed these settings",
        both: /Currently saved: 7/,
      });
    },
  );
}

browserTest(
  "without JavaScript, the second of two admins who publish the popup sees both values and can overwrite",
  async () => {
    await using visit = await visitAdmin({}, { javaScriptEnabled: false });
    await visit.signIn();
    await secondOverwrites(visit, {
      path: "/popup",
      field: "Don't show again after closing for",
      save: "Publish",
      saved: "Popup settings saved.",
      conflict: "Someone else changed the popup",
      both: /Days hidden after closing\s+7\s+90/,
    });
  },
);

/** Lets two admins save the same field: 7, then 90. */
async function secondOverwrites(
  { page, open, errors }: AdminVisit,
  { path, field, save, saved, conflict, both }:
    & Record<"path" | "field" | "save" | "saved" | "conflict", string>
    & { both: RegExp },
): Promise<void> {
  await open(path);
  const other = await page.context().newPage();
  await other.goto(page.url());
  for (const [each, value] of [[other, "7"], [page, "90"]] as const) {
    await each.getByLabel(field).fill(value);
    await each.getByRole("button", { name: save, exact: true }).click();
    if (each === other) await other.locator("#main").getByText(saved).waitFor(SOON);
  }
  await page.getByRole("alert").getByText(conflict).waitFor(SOON);
  assert.match(await page.locator("#main").innerText(), both);
  assert.equal(await page.getByLabel(field).inputValue(), "90");
  await page.getByRole("button", { name: save, exact: true }).click();
  await page.locator("#main").getByText(saved).waitFor(SOON);
  assert.deepEqual(errors, []);
}

browserTest(
  "after a session has ended, signing in leads back to the page, and nothing was saved",
  async () => {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/carts");
    await page.context().clearCookies();
    await page.getByLabel("After").fill("77");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Your session has ended").waitFor(SOON);
    await page.getByLabel("Name").fill("admin");
    await page.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/admin/carts");
    assert.equal(await page.getByLabel("After").inputValue(), "60");
  },
);

browserTest("the preview is the real widget, shows unsaved texts and fields, and sends nothing", async () => {
  await using visit = await visitAdmin();
  const { page } = visit;
  await visit.signIn();
  await visit.open("/form-settings?form=footer");
  const preview = page.frameLocator("[title='Preview of the form footer']");
  await preview.getByRole("heading", { name: "Stay in the loop" }).waitFor(SOON);
  await page.getByLabel("Heading", { exact: true }).fill("Sunday letter");
  await openElement(page, "Name");
  await page.getByRole("combobox", { name: "Name", exact: true }).selectOption("Required");
  await preview.getByRole("heading", { name: "Sunday letter" }).waitFor(SOON);
  await preview.getByLabel("Name").waitFor(SOON);
  // While the form is designed, a click selects a part of it. In the other steps it can be tried.
  await preview.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("heading", { name: "Button", exact: true }).waitFor(SOON);
  await openStep(page, "Who sees it");
  await preview.getByLabel("Name").fill("Ann");
  await preview.getByLabel("Email address").fill("ann@example.com");
  await preview.getByRole("button", { name: "Subscribe" }).click();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.locator("#main").getByText("footer published.").waitFor(SOON);
  await preview.getByRole("heading", { name: "Sunday letter" }).waitFor(SOON);
  assert.deepEqual(await visit.program.status("ann@example.com"), []);
  assert.deepEqual(visit.errors, []);
});

browserTest(
  "by keyboard only, an admin skips the navigation and uses the phone menu",
  async () => {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.querySelector("main")!.contains(document.activeElement)));

    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    assert.equal(await page.getByRole("link", { name: "Users" }).isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.getByRole("link", { name: "Users" }).isVisible(), true);
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("link", { name: "Users" }).isVisible(), false);
  },
);

browserTest(
  "by keyboard only, an admin closes a dialog, and confirms in it that a user is removed",
  async () => {
    await using visit = await visitAdmin();
    const { page, program } = visit;
    const added = await fetch(`${program.baseUrl}/admin/ajax`, {
      method: "POST",
      headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({
        action: "cfbe_add_user",
        name: "ben",
        role: "viewer",
        password: "ben's own password",
      }),
    });
    assert.equal((await added.json()).ok, true);
    await visit.signIn();
    await visit.open("/users");
    await page.getByLabel("Name").fill("carl");
    await page.keyboard.press("Enter");
    await page.locator("#main").getByText("Invitation for carl created.").waitFor(SOON);
    await page.getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Remove ben?" });
    await dialog.waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ ...SOON, state: "hidden" });
    await page.getByRole("button", { name: "Remove" }).press("Enter");
    await dialog.getByRole("button", { name: "Remove" }).press("Enter");
    await page.locator("#main").getByText("ben can no longer sign in.").waitFor(SOON);
  },
);

browserTest(
  "on a public URL, sandbox and demo open only with an admin session",
  async () => {
    await using visit = await visitAdmin({ CFBE_BASE_URL: "https://news.example" });
    const { program } = visit;
    const local = program.baseUrl;
    const [stranger, wrong] = await Promise.all([
      fetch(`${local}/sandbox`),
      fetch(`${local}/sandbox`, { headers: { cookie: "__Host-cfbe=made-up" } }),
    ]);
    const signedIn = await fetch(`${local}/admin/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: "https://news.example" },
      body: new URLSearchParams({ name: "admin", password: ADMIN_PASSWORD }),
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const [sandbox, demo] = await Promise.all(
      ["/sandbox", "/demo"].map((path) => fetch(local + path, { headers: { cookie } })),
    );
    const all = [stranger, wrong, sandbox!, demo!];
    for (const response of all) await response.body?.cancel();
    assert.deepEqual(all.map(({ status }) => status), [403, 403, 200, 200]);
  },
);
