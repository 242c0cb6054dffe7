/** What screen readers and keyboards find on the sign-in pages, without JavaScript. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { type AccessNode, focusedNode } from "../../../e2e/access_tree.ts";
import { launch } from "../../../e2e/browser.ts";
import { startProgram } from "../../../dev/testing/program.ts";

let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

/** Opens a page, fills in fields by their labels, submits, and returns the new title and what has the focus. */
async function submit(
  url: string,
  values: Record<string, string>,
): Promise<[string, AccessNode | undefined]> {
  const context = await (await (browser ??= launch())).newContext({ javaScriptEnabled: false });
  const page: Page = await context.newPage();
  await page.goto(url);
  await page.locator("form").first().evaluate((form: HTMLFormElement) => form.noValidate = true);
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  await Promise.all([page.waitForNavigation(), page.getByRole("button").click()]);
  // Browsers move the focus only after the page has loaded.
  await page.locator(":focus").waitFor();
  const result = [await page.title(), await focusedNode(page)] as [string, AccessNode | undefined];
  await context.close();
  return result;
}

function pageTest(name: string, fn: () => Promise<void>): void {
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

pageTest(
  "after a wrong password, the title says so, and the password has the focus and the message",
  async () => {
    await using program = await startProgram();
    const [title, focused] = await submit(`${program.baseUrl}/admin/login`, {
      Name: "ann",
      Password: "wrong",
    });
    assert.equal(title, "Error: Sign in · cfbe");
    assert.deepEqual([focused?.name, focused?.description], ["Password", "Incorrect name or password."]);
  },
);

pageTest(
  "a first admin with a wrong password is told so by the title, the focus and its description",
  async () => {
    await using program = await startProgram();
    const link = new URL((await program.services.admin.openSetUp())!);
    const url = `${link.origin}${link.pathname}?token=${link.hash.slice(1)}`;
    const [title, password] = await submit(url, { Name: "ann", Password: "short" });
    assert.equal(title, "Error: Create the first admin · cfbe");
    assert.deepEqual([password?.name, password?.invalid], ["Password", true]);
    assert.match(password!.description!, /Must be 10 characters/);
    const [, name] = await submit(url, { Name: "Ann!", Password: "short" });
    assert.deepEqual([name?.name, name?.invalid], ["Name", true], "the first of two");
  },
);
