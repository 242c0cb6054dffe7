/** Signing in with a real identity provider, in a browser that enforces the Content Security Policy. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { freePort } from "../dev/free_port.ts";
import { startOpenIdProvider } from "../dev/testing/openid_process.ts";
import { ADMIN_PASSWORD, axeFindings, openAdmin } from "./admin_pages.ts";
import { SOON } from "./admin_test_case.ts";
import { launch } from "./browser.ts";
import { runProgram } from "./program.ts";

/** Signs in on the provider's own pages. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="password"]').fill("any");
  await page.locator('button[type="submit"]').click();
  await page.getByRole("button", { name: "Continue" }).click();
}

Deno.test({
  name: "an invited user accepts with the identity provider, signs out, and signs in with it again",
  // The browser outlives the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const port = `${freePort()}`;
    const back = `http://localhost:${port}/admin/login/provider/back`;
    await using provider = await startOpenIdProvider(back);
    await using program = await runProgram({
      PORT: port,
      CFBE_ADMIN_PASSWORD: ADMIN_PASSWORD,
      ...provider.env,
    });
    const link = (await program.cfbe("users", "invite", "grace", "--role", "viewer")).split("\n")[1]!;
    const browser = await launch();
    const { page, errors } = await openAdmin(browser, program.baseUrl, { name: "", password: "" });
    // The provider's pages load fonts from elsewhere.
    await page.route(/googleapis/, (route) => route.fulfill({ contentType: "text/css", body: "" }));
    await page.goto(link);
    await page.getByRole("button", { name: "Continue with Example ID" }).click();
    await page.getByRole("link", { name: "Continue with Example ID" }).waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await signInThere(page, "grace@news.example");
    await page.waitForURL("**/admin/overview");
    await page.getByText("grace viewer, read-only").waitFor(SOON);
    await page.context().clearCookies();
    await page.goto(`${program.baseUrl}/admin/forms`);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await signInThere(page, "grace@news.example");
    await page.waitForURL("**/admin/forms");
    assert.deepEqual(errors, []);
    await browser.close();
  },
});
