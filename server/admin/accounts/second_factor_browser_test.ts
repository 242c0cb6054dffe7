/** The second factor, and the page that asks for the password again, in a browser and with a clock of the test. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { TOTP } from "otpauth";
import { freePort } from "../../../dev/free_port.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { axeFindings } from "../../../e2e/admin_pages.ts";
import { launch } from "../../../e2e/browser.ts";
import { addAuthenticator } from "../../../e2e/virtual_authenticator.ts";

const PASSWORD = "gravel onion lantern";
const MINUTE_MS = 60_000;
const SOON = { timeout: 15_000 };

let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

interface Visit {
  page: Page;
  program: Pick<TestProgram, "baseUrl" | "services">;
  clock: ManualClock;
}

function browserTest(name: string, act: (visit: Visit) => Promise<void>): void {
  Deno.test({
    name,
    // The browser outlives a test.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const clock = new ManualClock(Date.now());
      // Passkeys need a hostname, and the program listens at an address.
      const port = freePort();
      const baseUrl = `http://localhost:${port}`;
      await using started = await startProgram({ clock, env: { CFBE_BASE_URL: baseUrl } });
      await using _ = forwarding(port, started.baseUrl);
      const program = { ...started, baseUrl };
      await program.services.admin.users.add({ name: "ann", role: "admin", password: PASSWORD });
      const context = await (await (browser ??= launch())).newContext();
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of (401|403|422)/.test(message.text())) {
          errors.push(message.text());
        }
      });
      await signIn(page, program);
      await page.waitForURL("**/admin/overview");
      await act({ page, program, clock });
      assert.deepEqual(errors, []);
      await context.close();
    },
  });
}

/** Passes requests to a port of localhost on to a URL. */
function forwarding(port: number, to: string) {
  return Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.body && await request.arrayBuffer();
    const { method, headers } = request;
    return await fetch(to + pathname + search, { method, headers, body, redirect: "manual" });
  });
}

async function signIn(page: Page, { baseUrl }: Pick<TestProgram, "baseUrl">): Promise<void> {
  await page.goto(`${baseUrl}/admin/login`);
  await page.getByLabel("Name").fill("ann");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

browserTest(
  "a second factor is set up with the app's code, and signing in then asks for a code or a recovery code",
  async ({ page, program, clock }) => {
    await page.goto(`${program.baseUrl}/admin/account`);
    await page.getByRole("button", { name: "Set up second factor" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor(SOON);
    const totp = new TOTP({ secret: await page.getByLabel("Secret", { exact: true }).inputValue() });
    const code = () => totp.generate({ timestamp: clock.now() });
    assert.deepEqual(await axeFindings(page), []);
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Turn on second factor" }).click();
    await page.getByText("This code does not fit").first().waitFor(SOON);
    await page.getByLabel("Code", { exact: true }).fill(code());
    await page.getByRole("button", { name: "Turn on second factor" }).click();
    const codes = page.locator(".recovery-codes code");
    await codes.first().waitFor(SOON);
    assert.equal(await codes.count(), 10);
    const recovery = await codes.first().textContent();
    assert.deepEqual(await axeFindings(page), []);

    await page.context().clearCookies();
    await clock.advance(MINUTE_MS);
    await signIn(page, program);
    await page.getByRole("heading", { name: "Enter your code" }).waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.type(code());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/overview");

    await page.context().clearCookies();
    await signIn(page, program);
    await page.getByLabel("Code").fill(recovery!);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You used a recovery code: 9 are left").first().waitFor(SOON);
  },
);

browserTest(
  "after ten minutes, a page asks for the password by keyboard, and continues with what was entered",
  async ({ page, program, clock }) => {
    await clock.advance(10 * MINUTE_MS);
    await page.goto(`${program.baseUrl}/admin/users`);
    await page.getByLabel("Name").fill("grace");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await page.getByRole("heading", { name: "Confirm your password" }).waitFor(SOON);
    await page.getByText("Invite user").waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(await program.services.admin.passwordLinks.list(), []);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByText("That password is incorrect.").waitFor(SOON);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Invitation for grace created").first().waitFor(SOON);
    const links = await program.services.admin.passwordLinks.list();
    assert.deepEqual(links.map(({ name }) => name), ["grace"]);
  },
);

browserTest(
  "after ten minutes, a passkey continues in place of the password, with what was entered",
  async ({ page, program, clock }) => {
    await addAuthenticator(page);
    await page.goto(`${program.baseUrl}/admin/account`);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.locator("main").getByText(/^Passkey .* added/).waitFor(SOON);
    await clock.advance(10 * MINUTE_MS);
    await page.goto(`${program.baseUrl}/admin/users`);
    await page.getByLabel("Name").fill("grace");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click(SOON);
    await page.getByText("Invitation for grace created").first().waitFor(SOON);
  },
);
