/**
 * A restart that takes five seconds while visitors submit, in a browser: the real program is stopped, and started again
 * on the same database and port. Needs the machine to itself: the widget waits 15 seconds at most.
 */
import assert from "node:assert/strict";
import { en } from "../../shared/texts/en.ts";
import { launch } from "../browser.ts";
import { startStage } from "../crash/stage.ts";

const VISITORS = 12;
const DOWN_MS = 5_000;
/** Visitors submit from a second before the program stops until it is back. */
const EVERY_MS = 500;

const FORMS = [
  `<cfbe-form></cfbe-form>`,
  `<form data-cfbe-form><input name="email"><button>Subscribe</button><output data-cfbe-message></output></form>`,
];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test(
  "visitors who submit during a restart of five seconds all succeed, and get one mail each",
  { sanitizeOps: false, sanitizeResources: false }, // The browser keeps a connection for a moment.
  async () => {
    await using stage = await startStage();
    let server = stage.start();
    await server.ready();
    const browser = await launch();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => browser.close());
    const site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const form = FORMS[Number(new URL(request.url).search.slice(1)) % FORMS.length];
      return new Response(
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="${stage.baseUrl}/cfbe.js"></script>${form}</html>`,
        { headers: { "content-type": "text/html" } },
      );
    });
    stack.defer(() => site.shutdown());

    const emails = Array.from({ length: VISITORS }, (_, n) => `visitor-${n}@example.com`);
    const pages = await Promise.all(emails.map(async (email, n) => {
      // The limit per IP would count all of them as one visitor.
      const context = await browser.newContext({ extraHTTPHeaders: { "x-real-ip": `192.0.2.${n + 1}` } });
      const page = await context.newPage();
      // The header makes the browser ask for permission, which only a proxy of the site would need not.
      await page.route(`${stage.baseUrl}/**`, (route) => route.continue());
      await page.goto(`http://127.0.0.1:${site.addr.port}/?${n}`);
      await page.waitForFunction(() =>
        document.querySelector("[name=cfbe_hp]") ?? document.querySelector("cfbe-form")?.shadowRoot
      );
      await page.locator("[name=email]").fill(email);
      return page;
    }));
    // A token is valid after three seconds.
    await pause(4_000);

    const results = pages.map(async (page, n) => {
      await pause(n * EVERY_MS);
      await page.locator("button").click();
      const done = page.getByText(en.form.success).or(page.getByText(en.form.error)).first();
      await done.waitFor({ timeout: 60_000 });
      return await page.getByText(en.form.success).count() > 0;
    });
    await pause(1_000);
    server.signal("SIGTERM");
    assert.equal((await server.ended).code, 0);
    await pause(DOWN_MS);
    server = stage.start();
    await server.ready();

    assert.deepEqual(await Promise.all(results), emails.map(() => true));
    const deadline = Date.now() + 60_000;
    const mails = async () => {
      const counts = await stage.provider.mailCounts();
      return emails.map((email) => counts.get(email) ?? 0);
    };
    while ((await mails()).includes(0) && Date.now() < deadline) await pause(200);
    assert.deepEqual(await mails(), emails.map(() => 1));
  },
);
