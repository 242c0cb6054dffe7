import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { PENDING } from "../testing/backend.ts";
import { email, FORM, FULL, message, submit } from "../testing/form.ts";
import { browserTest, heard, open } from "../testing/site.ts";

browserTest("an answer that is HTML leaves the form usable", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
  for (const status of [200, 502]) {
    backend.answer = () => new Response("<h1>Welcome to this hotel</h1>", { status, headers });
    await email(page).fill("ada@example.com");
    await submit(site);
    assert.equal(await message(page).textContent(), en.error);
    assert.equal(await email(page).inputValue(), "ada@example.com");
  }
  backend.answer = () => new Response("Slow down", { status: 429, headers });
  await submit(site);
  assert.equal(await message(page).textContent(), en.rateLimited);
  backend.answer = () => PENDING;
  await submit(site);
  assert.equal(await message(page).textContent(), en.success);
});

browserTest("a server that never answers is given up on", async () => {
  await using site = await open(FORM);
  const { page, backend } = site;
  await page.evaluate(() => {
    const real = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => real.call(AbortSignal, ms / 100);
  });
  const headers = { "access-control-allow-origin": "*" };
  backend.answer = () => new Response(new ReadableStream(), { headers });
  await email(page).fill("ada@example.com");
  await submit(site);
  assert.equal(await message(page).textContent(), en.error);
});

browserTest("a wrong field is named, tied to its error, and gets the focus", async () => {
  await using site = await open(FORM, { settings: FULL });
  const { page, backend } = site;
  await page.getByLabel(/privacy policy/).check();
  await email(page).fill("ada@");
  await submit(site);
  await assertTied(page, en.invalidEmail);
  assert.equal(backend.arrived.length, 0);

  const told = "No such mailbox, it seems.";
  backend.answer = () => ({ success: false, code: "invalid", message: en.invalid, fields: { email: told } });
  await email(page).fill("ada@example.com");
  assert.equal(await page.locator("[part=error]").count(), 0, "an error goes when its field is mended");
  await submit(site);
  await assertTied(page, told);
  assert.deepEqual((await heard(page)).at(-1), {
    type: "cfbe-error",
    detail: { form: "footer", source: "shortcode", code: "invalid", fields: ["email"] },
  });
});

/** The e-mail field is marked as wrong, described by a text, and focused. */
async function assertTied(page: Page, text: string): Promise<void> {
  await page.locator("input[name=email]:focus").waitFor();
  assert.equal(await email(page).getAttribute("aria-invalid"), "true");
  const id = await email(page).getAttribute("aria-describedby");
  assert.equal(await page.locator(`[id="${id}"]`).textContent(), text);
}
