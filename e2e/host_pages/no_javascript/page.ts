import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { hostPage, type Visit } from "../host_page.ts";

const WITHOUT = {
  javaScriptEnabled: false,
  ready: () => Promise.resolve(),
  // The browser asks the service for an icon, which it does not have.
  overhear: /404/,
};
const TOKEN_READY_MS = 3_100;

/** Sends the service's own page of the form, no sooner than its token allows. */
async function sendFormPage({ page }: Visit): Promise<void> {
  await page.waitForTimeout(TOKEN_READY_MS);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText(en.success).waitFor();
}

hostPage(
  import.meta.url,
  "no JavaScript: the link in the form's place leads to a page that signs up",
  WITHOUT,
  async (visit) => {
    await visit.page.getByRole("link", { name: "Subscribe" }).click();
    await visit.page.getByLabel(en.emailLabel).fill("link@example.com");
    await sendFormPage(visit);
    assert.equal((await visit.arrived("link@example.com")).record.form, "footer");
  },
);

hostPage(
  import.meta.url,
  "no JavaScript: a form in the page's own markup is asked once more, filled in, and signs up",
  WITHOUT,
  async (visit) => {
    await visit.page.getByLabel("Email").fill("own@example.com");
    await visit.page.getByRole("button", { name: "Subscribe" }).click();
    const field = visit.page.getByLabel(en.emailLabel);
    await field.waitFor();
    assert.equal(await field.inputValue(), "own@example.com");
    await sendFormPage(visit);
    assert.equal((await visit.arrived("own@example.com")).record.form, "footer");
  },
);
