/** Retries while the server is unavailable, for example during a deployment. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";
import { PENDING } from "../testing/backend.ts";

const HTML = { "content-type": "text/html", "access-control-allow-origin": "*" };
const SUBSCRIBE = /\/subscribe$/;
const badGateway = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: HTML });

/** Fills in the form, lets its token become old enough, and submits. */
async function fillAndSubmit(site: Site): Promise<void> {
  const { page, backend } = site;
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
  await page.clock.runFor(5000);
  await page.getByRole("button", { name: en.button }).click();
}
const busy = ({ page }: Site) => page.locator("[part=form].busy").isVisible();
const waitForMessage = (site: Site, text: string) =>
  until(site.page, text, () => site.page.locator("[part=message]").getByText(text).last().isVisible());

/** Lets the page record the length of each pause that it starts, in milliseconds. */
const recordPauses = (page: Page) =>
  page.evaluate(() => {
    const { setTimeout: start } = self;
    const pauses: number[] = [];
    Object.assign(globalThis, { pauses });
    self.setTimeout = ((fn: () => void, ms: number) => (pauses.push(ms), start(fn, ms))) as typeof setTimeout;
  });

/** Waits until the page has read the response and started its pause, while the page's clock stands still. */
async function waitForPause(page: Page, ms: number): Promise<void> {
  const isStarted = (ms: number) => (globalThis as unknown as { pauses: number[] }).pauses.includes(ms);
  while (!await page.evaluate(isStarted, ms)) await page.evaluate(() => fetch("/").then((r) => r.text()));
}

/** Advances the clock past a pause of `ms` milliseconds, and waits for the response to the next attempt. */
async function passPause({ page, backend: { signups } }: Site, ms: number): Promise<void> {
  await waitForPause(page, ms);
  const before = signups.length;
  const answered = page.waitForResponse(SUBSCRIBE).then((response) => response.finished());
  await page.clock.runFor(ms - 100);
  assert.equal(signups.length, before, `not before ${ms} ms`);
  await page.clock.runFor(100);
  await answered;
}

browserTest(
  "behind a gateway without a server, a signup is retried after 0.5, 1.5 and 4 s, and stays busy",
  async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    const { page, backend } = site;
    backend.answer = badGateway;
    await recordPauses(page);
    await fillAndSubmit(site);
    await passPause(site, 500);
    await passPause(site, 1500);
    assert.ok(await busy(site));
    backend.answer = () => PENDING;
    await passPause(site, 4000);
    assert.equal(backend.signups.length, 4);
    await waitForMessage(site, en.success);
  },
);

browserTest("after the fourth failed attempt the form shows an error and stops retrying", async () => {
  await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
  const { page } = site;
  let attempts = 0;
  await page.route(SUBSCRIBE, (route) => (attempts++, route.abort("connectionrefused")));
  await fillAndSubmit(site);
  await waitForMessage(site, en.error);
  await page.clock.runFor(20_000);
  assert.equal(attempts, 4);
  assert.equal(await page.getByLabel(en.emailLabel).inputValue(), "ada@example.com");
});

browserTest("a response from our own server is never retried", async () => {
  await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
  site.backend.answer = () => ({ success: false, code: "rejected", message: "Not today." });
  await fillAndSubmit(site);
  await waitForMessage(site, "Not today.");
  await site.page.clock.runFor(20_000);
  assert.equal(site.backend.signups.length, 1);
});

browserTest(
  "a form that is removed during a retry still signs up once, and leaves no timer",
  async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    const { page, backend } = site;
    await page.evaluate(() => {
      const { setTimeout: start, clearTimeout: stop } = self;
      const running = new Set<unknown>();
      Object.assign(globalThis, { running });
      self.setTimeout = ((fn: () => void, ms: number) => {
        const id = start(() => (running.delete(id), fn()), ms);
        running.add(id);
        return id;
      }) as typeof setTimeout;
      self.clearTimeout = (id) => (running.delete(id), stop(id));
    });
    const timers = () =>
      page.evaluate(() => (globalThis as unknown as { running: Set<unknown> }).running.size);
    backend.answer = badGateway;
    await fillAndSubmit(site);
    await until(
      page,
      "the pause before a retry",
      async () => backend.signups.length > 0 && await timers() > 0,
    );
    await page.evaluate("document.querySelector('cfbe-form').remove()");
    const before = backend.signups.length;
    backend.answer = () => PENDING;
    await until(page, "the signup", () => Promise.resolve(backend.signups.length > before));
    await until(page, "no timer", async () => await timers() === 0);
    await page.clock.runFor(20_000);
    assert.equal(backend.signups.length, before + 1);
  },
);

browserTest("token requests are retried as well, and contain the form's name", async () => {
  await using site = await open(`<cfbe-form form="ä&b"></cfbe-form><cfbe-form></cfbe-form>`);
  const { page, backend } = site;
  await until(page, "tokens", () => Promise.resolve(backend.tokens.length === 2));
  assert.deepEqual(backend.tokenForms.toSorted(), ["shortcode", "ä&b"]);

  let attempts = 0;
  await page.route(
    /\/form-token/,
    (route) => ++attempts < 3 ? route.abort("connectionrefused") : route.continue(),
  );
  await page.reload();
  await until(page, "tokens again", () => Promise.resolve(backend.tokens.length === 4));
});
