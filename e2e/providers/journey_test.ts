/**
 * From a form on a page to a confirmed subscriber in the admin, in a real browser, with a real server and any provider.
 *
 * Arguments, after `--`: `--provider kit`, or `all` of them, one after another; Kit by default. Other arguments are those
 * of the crash test. With `CFBE_TEST_SCREENSHOTS`, it saves a screenshot of the subscriber's page in `e2e/screenshots/`.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { ADMIN_PASSWORD } from "../admin_pages.ts";
import { launch } from "../browser.ts";
import { observe } from "../crash/observer.ts";
import { type Stage, startStage } from "../crash/stage.ts";
import { waitUntil } from "../program.ts";
import { testOptions } from "./options.ts";
import type { ConfirmationMail } from "./remote_provider.ts";

const SOON_MS = 15_000;
const SCREENSHOTS = new URL("../screenshots/", import.meta.url);
const ADA = "ada@site.example";
/** Without the recurring poll, which may come before a webhook or the journey's own poll. */
const NO_CRON = fileURLToPath(new URL("../deploy/no_cron.ts", import.meta.url));

/** A site with a form, and the mailbox of its visitors. */
function serveSite({ baseUrl, provider }: Stage) {
  const mailbox = async () => {
    const items = (await provider.mails()).map(({ id, to }) =>
      `<li>To ${to}: <a href="/mailbox/${id}">Confirm your subscription</a></li>`
    );
    return `<h1>Mailbox</h1><ul>${items.join("")}</ul>`;
  };
  const click = async (id: string) => {
    const mail = (await provider.mails()).find((mail: ConfirmationMail) => mail.id === id);
    return `<h1>${await mail?.click() ?? "no such email"}</h1>`;
  };
  const site = `<script async src="${baseUrl}/cfbe.js"></script>
    <h1>A shop</h1><cfbe-form form="footer"></cfbe-form>`;
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const [, first, id] = new URL(request.url).pathname.split("/");
    const body = first !== "mailbox" ? site : id === undefined ? await mailbox() : await click(id);
    return new Response(`<!doctype html><html lang="en"><title>A shop</title>${body}</html>`, {
      headers: { "content-type": "text/html" },
    });
  });
}

/** Signs in to the admin, and opens the page of the only subscriber. */
async function openSubscriber(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/admin/subscribers`);
  await page.getByLabel("Name").fill("admin");
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: ADA }).click();
  await page.getByRole("heading", { name: ADA, level: 1 }).waitFor({ timeout: SOON_MS });
}

async function journey(name: string): Promise<void> {
  await using stage = await startStage(name);
  const { provider, baseUrl } = stage;
  const observer = observe(stage);
  const recordOf = async () => (await observer.status(ADA))[0]?.record;
  const server = stage.start({ CFBE_ADMIN_PASSWORD: ADMIN_PASSWORD }, [`--preload=${NO_CRON}`]);
  await server.ready();
  await using site = serveSite(stage);
  const siteUrl = `http://127.0.0.1:${site.addr.port}`;
  const browser = await launch();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto(siteUrl);
    await page.getByLabel("Email address").fill(ADA);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
    await waitUntil("the record is pending", SOON_MS, async () => (await recordOf())?.status === "pending");

    await page.goto(`${siteUrl}/mailbox`);
    await page.getByRole("link", { name: "Confirm your subscription" }).click();
    await page.getByRole("heading", { name: "confirmed" }).waitFor({ timeout: SOON_MS });
    if (!provider.sendsWebhooks) assert.equal((await observer.poll()).confirmed, 1);
    await waitUntil("the record is active", SOON_MS, async () => (await recordOf())?.status === "active");
    const by = (await recordOf())?.confirmed?.by;
    assert.equal(by === "poll", !provider.sendsWebhooks, `confirmed by ${by}`);
    assert.deepEqual(await provider.mailCounts(), new Map([[ADA, 1]]));

    await openSubscriber(page, baseUrl);
    await page.getByText("confirmed, since").waitFor({ timeout: SOON_MS });
    await page.getByText("receives emails").waitFor({ timeout: SOON_MS });
    if (Deno.env.has("CFBE_TEST_SCREENSHOTS")) {
      await Deno.mkdir(SCREENSHOTS, { recursive: true });
      await Deno.writeFile(
        new URL(`journey-${name}.png`, SCREENSHOTS),
        await page.screenshot({ fullPage: true }),
      );
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${server.lines(30).join("\n")}`, { cause: error });
  } finally {
    await browser.close();
  }
}

for (const name of testOptions("kit").providers) {
  Deno.test({
    name:
      `with ${name}, a visitor signs up in a form, confirms in the mailbox, and is a confirmed subscriber in the admin`,
    fn: () => journey(name),
    // The browser outlives a test.
    sanitizeOps: false,
    sanitizeResources: false,
  });
}
