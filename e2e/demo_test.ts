/** The demo page, as a first-time user sees it. */
import assert from "node:assert/strict";
import { launch } from "./browser.ts";
import { runProgram } from "./program.ts";

const SOON = { timeout: 15_000 };

Deno.test(
  "the demo page shows every step of a signup, from the form to the confirmation",
  { sanitizeOps: false, sanitizeResources: false }, // The browser outlives a test.
  async () => {
    await using program = await runProgram();
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));

      await page.goto(`${program.baseUrl}/demo`);
      await page.getByLabel("Email address").fill("dora@example.com");
      await page.getByRole("button", { name: "Subscribe" }).click();
      const [inbox] = await Promise.all([
        page.context().waitForEvent("page", SOON),
        page.getByRole("link", { name: "Open the confirmation link" }).click(SOON),
      ]);
      await inbox.waitForLoadState();
      await inbox.close();
      await page.getByText("Reported by webhook.").waitFor(SOON);

      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
    }
  },
);
