/** An invitation, from the admin who creates it to the user who accepts it in another browser. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest } from "./admin_test_case.ts";

adminTest(
  "an invited user opens the link, chooses a password and is signed in, and no request's URL contains the token",
  "/users",
  async (visit) => {
    const { page } = visit;
    await page.getByLabel("Name").fill("grace");
    await page.getByLabel("Role", { exact: true }).selectOption("analyst");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();

    const guest = await (await visit.browser.newContext()).newPage();
    const requests: string[] = [];
    guest.on("request", (request) => requests.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));
    await guest.goto(link);
    await guest.getByText("Your role is Analyst").waitFor();
    await guest.goBack();
    assert.equal(new URL(guest.url()).hash, "", "the browser's history does not keep the token");
    await guest.goto(link);
    await guest.getByText("Your role is Analyst").waitFor();
    assert.deepEqual(await axeFindings(guest), []);
    await guest.getByLabel("Password", { exact: true }).fill("a password of her own");
    await guest.getByLabel("Repeat password").fill("a password of her own");
    await guest.getByRole("button", { name: "Create account and sign in" }).click();
    await guest.waitForURL("**/admin/overview");
    await guest.getByText("grace analyst, read-only").waitFor();
    const token = link.split("#")[1]!;
    assert.deepEqual(requests.filter((request) => request.includes(token)), []);
  },
);
