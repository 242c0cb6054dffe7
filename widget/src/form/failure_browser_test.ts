import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { PENDING } from "../testing/backend.ts";
import { ALL_FIELDS, email, FORM, message, submit } from "../testing/form.ts";
import { browserTest, open, recordedEvents } from "../testing/site.ts";

browserTest("the form stays usable after an HTML response", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
  for (const status of [200, 502]) {
    backend.answer = () => new Response("<h1>Welcome to this hotel</h1>", { status, headers });
    await email(page).fill("ada@example.com");
    await submit(site);
    assert.equal(await message(page).textContent(), en.form.error);
    assert.equal(await email(page).inputValue(), "ada@example.com");
  }
  backend.answer = () => new Response("Slow down", { status: 429, headers });
  await submit(site);
  assert.equal(await message(page).textContent(), en.form.rateLimited);
  backend.answer = () => PENDING;
  await submit(site);
  assert.equal(await message(page).textContent(), en.form.success);
});

browserTest("a server that never responds causes an error message", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await page.evaluate(() => {
    const original = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => original.call(AbortSignal, ms / 100);
  });
  const headers = { "access-control-allow-origin": "*" };
  backend.answer = () => new Response(new ReadableStream(), { headers });
  await email(page).fill("ada@example.com");
  await submit(site);
  assert.equal(await message(page).textContent(), en.form.error);
});

browserTest("an invalid field is marked, linked to its error message, and gets the focus", async () => {
  await using site = await open(FORM, { settings: ALL_FIELDS });
  const { page, backend } = site;
  await page.getByLabel(/privacy policy/).check();
  await email(page).fill("ada@");
  await submit(site);
  await assertMarked(page, en.form.invalidEmail);
  assert.equal(backend.signups.length, 0);

  const serverMessage = "No such mailbox, it seems.";
  backend.answer = () => ({
    success: false,
    code: "invalid",
    message: en.form.invalid,
    fields: { email: serverMessage },
  });
  await email(page).fill("ada@example.com");
  assert.equal(await page.locator("[part=error]").count(), 0, "an error disappears when its field changes");
  await submit(site);
  await assertMarked(page, serverMessage);
  assert.deepEqual((await recordedEvents(page)).at(-1), {
    type: "cfbe-error",
    detail: { form: "footer", source: "shortcode", code: "invalid", fields: ["email"] },
  });
});

/** Asserts that the email field is focused, marked as invalid, and described by a text. */
async function assertMarked(page: Page, text: string): Promise<void> {
  await page.locator("input[name=email]:focus").waitFor();
  assert.equal(await email(page).getAttribute("aria-invalid"), "true");
  const id = await email(page).getAttribute("aria-describedby");
  assert.equal(await page.locator(`[id="${id}"]`).textContent(), text);
}

browserTest("a field that a password manager fills in with only a change event shows no error", async () => {
  await using site = await open(FORM);
  const { page } = site;
  await submit(site);
  const error = page.locator("[part=error]");
  await error.waitFor();
  await email(page).evaluate((input: HTMLInputElement) => {
    input.value = "ada@example.com";
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await error.waitFor({ state: "detached" });
  assert.equal(await email(page).getAttribute("aria-invalid"), "false");
});
