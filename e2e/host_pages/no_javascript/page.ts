import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { hostPageTest, type Visit } from "../host_page.ts";

const WITHOUT_JAVASCRIPT = {
  javaScriptEnabled: false,
  ready: () => Promise.resolve(),
  // The browser requests an icon from the server, which has none.
  ignoreConsole: /404/,
};
const TOKEN_READY_MS = 3_100;

/** Submits the form on the server's own page, once its token is old enough. */
async function submitFormPage({ page }: Visit): Promise<void> {
  await page.waitForTimeout(TOKEN_READY_MS);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText(en.form.success).waitFor();
}

hostPageTest(
  import.meta.url,
  "no JavaScript: the link in place of the form leads to a page with the form",
  WITHOUT_JAVASCRIPT,
  async (visit) => {
    await visit.page.getByRole("link", { name: "Subscribe" }).click();
    await visit.page.getByLabel(en.form.emailLabel).fill("link@example.com");
    await submitFormPage(visit);
    assert.equal((await visit.waitForSignup("link@example.com")).record.form, "footer");
  },
);

hostPageTest(
  import.meta.url,
  "no JavaScript: a form in the page's own markup leads to a prefilled form that signs up",
  WITHOUT_JAVASCRIPT,
  async (visit) => {
    await visit.page.getByLabel("Email").fill("own@example.com");
    await visit.page.getByRole("button", { name: "Subscribe" }).click();
    const field = visit.page.getByLabel(en.form.emailLabel);
    await field.waitFor();
    assert.equal(await field.inputValue(), "own@example.com");
    await submitFormPage(visit);
    assert.equal((await visit.waitForSignup("own@example.com")).record.form, "footer");
  },
);

hostPageTest(
  import.meta.url,
  "no JavaScript: the form on its own page leads to the next page on the site, although its policy limits where forms lead",
  WITHOUT_JAVASCRIPT,
  async ({ page, program, origin, waitForSignup }) => {
    await program.services.settings.save("form", { successUrl: `${origin}/?thanks` });
    await page.goto(`${program.baseUrl}/form`);
    await page.getByLabel(en.form.emailLabel).fill("next@example.com");
    await page.waitForTimeout(TOKEN_READY_MS);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.waitForURL(`${origin}/?thanks`);
    await waitForSignup("next@example.com");
  },
);
