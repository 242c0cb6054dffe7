import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { popup } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "storage blocked: form and popup work without errors where reading storage throws",
  { headers: { "content-security-policy": "sandbox allow-scripts allow-forms" } },
  async ({ page, waitForSignup, signUp }) => {
    assert.equal(
      await page.evaluate(() => {
        try {
          return localStorage.length;
        } catch (error) {
          return (error as Error).name;
        }
      }),
      "SecurityError",
    );
    await page.getByRole("button", { name: "Get 10% off" }).click();
    await popup(page).waitFor();
    await page.keyboard.press("Escape");
    await popup(page).waitFor({ state: "hidden" });
    await signUp("blocked@example.com");
    await waitForSignup("blocked@example.com");
    assert.equal((await page.evaluate("cfbe.why()") as string[]).includes("subscribed"), false);
  },
);
