/** Turning passwords off in a real browser, with its virtual authenticator, and what a user without another way does then. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { addAuthenticator } from "./virtual_authenticator.ts";

adminTest(
  "an admin with a passkey turns passwords off, and an invited user signs in with one that the invitation asks for",
  "/users",
  async (visit) => {
    const { page } = visit;
    await page.getByText("You sign in with your password alone.").waitFor();
    await addAuthenticator(page);
    await visit.open("/account");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.locator("main").getByText(/^Passkey .* added/).waitFor(SOON);

    await visit.open("/users");
    await page.getByRole("button", { name: "Turn off passwords" }).click();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "Turn off passwords" }).click();
    await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor(SOON);
    assert.equal(await page.getByLabel("Password", { exact: true }).count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.locator("main").getByText(/^Passwords are turned off/).first().waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);

    await page.getByLabel("Name").fill("grace");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    const guest = await (await visit.browser.newContext()).newPage();
    await addAuthenticator(guest);
    await guest.goto(link);
    await guest.getByText("Passwords are turned off.").waitFor();
    assert.deepEqual(await axeFindings(guest), []);
    await guest.getByRole("button", { name: "Create passkey and sign in" }).click();
    await guest.waitForURL("**/admin/overview");
    await guest.context().clearCookies();
    await guest.goto(`${visit.program.baseUrl}/admin/forms`);
    assert.equal(await guest.getByLabel("Password").count(), 0);
    assert.deepEqual(await axeFindings(guest), []);
    await guest.getByRole("button", { name: "Use a passkey" }).click();
    await guest.waitForURL("**/admin/forms");
  },
);
