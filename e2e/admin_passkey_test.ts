/** Passkeys in a real browser, with its virtual authenticator. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { addAuthenticator } from "./virtual_authenticator.ts";

adminTest(
  "a passkey is created on the account page, and then signs in without a name and a password",
  "/account",
  async (visit) => {
    const { page } = visit;
    const authenticator = await addAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    const title = page.getByLabel("Name of the passkey");
    assert.match(await title.inputValue(), /Chrome on Linux/);
    assert.deepEqual(await axeFindings(page), []);
    await title.fill("Work laptop");
    await authenticator.setVerified(false);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("No passkey was created. Try again.").waitFor(SOON);
    await authenticator.setVerified(true);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.locator("main").getByText("Passkey Work laptop added").waitFor(SOON);
    assert.equal(await authenticator.count(), 1);
    await page.getByText("Only on this device or key").waitFor();

    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("This device already has a passkey for your account.").waitFor(SOON);

    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await visit.open("/forms");
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL("**/admin/forms");
    await page.getByRole("heading", { name: "Forms", level: 1 }).waitFor();

    await visit.open("/account");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove passkey" }).click();
    await page.locator("main").getByText("Passkey Work laptop removed").waitFor(SOON);
    await visit.page.context().clearCookies();
    await visit.open("/login");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This passkey did not sign you in").waitFor(SOON);
  },
);

adminTest(
  "without JavaScript, no button offers a passkey, and the page says what is missing",
  "/account",
  async (visit) => {
    const cookies = await visit.page.context().cookies();
    const context = await visit.browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(`${visit.program.baseUrl}/admin/account`);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByText("This browser offers no passkeys").waitFor();
    assert.equal(await page.getByRole("button", { name: "Create passkey" }).count(), 0);
    await page.goto(`${visit.program.baseUrl}/admin/login`);
    assert.equal(await page.getByRole("button", { name: "Use a passkey" }).count(), 0);
    await context.close();
  },
);
