import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** Logs in to WordPress as its admin, in a new browser context. */
export async function logIn({ browser, site }: Stage): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.url}/wp-login.php`);
  // 200 ms after loading, the page moves the focus here: what is being typed into the password then ends up here.
  await page.locator("#user_login:focus").waitFor();
  await page.getByLabel("Username or Email Address").fill("admin");
  await page.getByLabel("Password", { exact: true }).fill("a password for tests");
  await page.getByRole("button", { name: "Log In" }).click();
  await page.waitForURL(/wp-admin/);
  return page;
}
