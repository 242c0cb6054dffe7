/** Changes that an admin has typed but not saved, in a real browser. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ADMIN_PASSWORD, axeFindings, visitAdmin } from "./admin_pages.ts";
import { openStep, savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

const SOON = { timeout: 15_000 };

/** Counts the questions before the page is left, and answers them with `stay` or `leave`. */
function questionsOn(page: Page): { asked: string[]; answer: "stay" | "leave" } {
  const questions = { asked: [] as string[], answer: "stay" as "stay" | "leave" };
  page.on("dialog", (dialog) => {
    questions.asked.push(dialog.type());
    void (questions.answer === "stay" ? dialog.dismiss() : dialog.accept());
  });
  return questions;
}

browserTest("leaving a page with unsaved changes asks first, and leaving a saved page does not", async () => {
  await using visit = await visitAdmin();
  const { page } = visit;
  await visit.signIn();
  await visit.open("/form-defaults");
  const questions = questionsOn(page);
  await page.getByLabel("Next page").fill("/thanks");
  await page.getByRole("link", { name: "Coupon" }).click();
  await page.waitForFunction(() => document.activeElement?.tagName === "A");
  assert.equal(await page.getByLabel("Next page").inputValue(), "/thanks");
  assert.deepEqual(questions.asked, ["beforeunload"]);

  await page.getByRole("button", { name: "Save changes" }).click();
  await page.locator("#main").getByText("Form settings saved.").waitFor(SOON);
  await page.getByRole("link", { name: "Coupon" }).click();
  await page.waitForURL("**/admin/coupon");
  assert.deepEqual(questions.asked, ["beforeunload"]);
  assert.deepEqual(visit.errors, []);
});

browserTest(
  "leaving a form before its draft is saved asks first, what was typed is there on coming back, and is saved then",
  async () => {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/popup");
    const questions = questionsOn(page);
    const paths = page.getByLabel("Excluded paths");
    const leave = () => page.locator("a[href$='/admin/coupon']").first().dispatchEvent("click");
    await page.route("**/admin/ajax*", () => {});
    await openStep(page, "Who sees it");
    await paths.fill("/thanks");
    await page.locator("[data-saved]").getByText("Saving…").waitFor(SOON);
    await leave();
    await waitUntil("the question", 15_000, () => questions.asked.length > 0);
    assert.equal(await paths.inputValue(), "/thanks");

    questions.answer = "leave";
    await leave();
    await page.waitForURL("**/admin/coupon");
    assert.deepEqual(questions.asked, ["beforeunload", "beforeunload"]);
    await page.unrouteAll();
    await visit.open("/popup");
    await openStep(page, "Who sees it");
    assert.equal(await paths.inputValue(), "/thanks");
    await savedDraft(page);
    await leave();
    await page.waitForURL("**/admin/coupon");
    await visit.open("/popup");
    assert.equal(await paths.inputValue(), "/thanks");
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    assert.deepEqual(questions.asked, ["beforeunload", "beforeunload"]);
    assert.deepEqual(visit.errors, []);
  },
);

browserTest(
  "changes submitted after the session has ended are offered again after signing in, without secrets",
  async () => {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/checkout");
    await page.getByLabel("Shop URL").fill("https://shop.example");
    await page.getByLabel("Secret", { exact: true }).fill("a secret of the shop");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Your session has ended").waitFor(SOON);
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /a secret of the shop/);
    await page.getByLabel("Name").fill("admin");
    await page.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/admin/checkout");
    assert.equal(await page.getByLabel("Shop URL").inputValue(), "", "nothing is saved without being asked");

    await page.getByText("your changes were not saved").waitFor(SOON);
    await page.getByText("Enter secrets again.").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("button", { name: "Save them now" }).click();
    await page.locator("#main").getByText("Checkout settings saved.").waitFor(SOON);
    assert.equal(await page.getByLabel("Shop URL").inputValue(), "https://shop.example");
    await page.reload();
    assert.equal(await page.getByRole("button", { name: "Save them now" }).count(), 0);
    assert.deepEqual(await page.evaluate(() => sessionStorage.length), 0);
  },
);
