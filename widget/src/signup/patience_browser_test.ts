/** What a form does when nobody is there to answer: the server may be being replaced by its next version. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, open, type Site, until } from "../testing/site.ts";
import { PENDING } from "../testing/backend.ts";

const HTML = { "content-type": "text/html", "access-control-allow-origin": "*" };
const SUBSCRIBE = /\/subscribe$/;
const badGateway = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: HTML });

/** Opens a page with a form, fills it, has its token be old enough, and submits. */
async function submitted(site: Site): Promise<void> {
  const { page, backend } = site;
  await page.getByLabel(en.emailLabel).fill("ada@example.com");
  await until(page, "a token", () => Promise.resolve(backend.tokens.length === 1));
  await page.clock.runFor(5000);
  await page.getByRole("button", { name: en.button }).click();
}
const busy = ({ page }: Site) => page.locator("[part=form].busy").isVisible();
const told = (site: Site, text: string) =>
  until(site.page, text, () => site.page.locator("[part=message]").getByText(text).last().isVisible());

/** Until the page has read what came, and has begun the next pause. */
const readBy = (page: Page) => page.evaluate(() => fetch("/").then((response) => response.text()));

/** Lets a pause pass, and waits until the page has the answer to one more try. */
async function pass({ page, backend: { arrived } }: Site, ms: number): Promise<void> {
  const before = arrived.length;
  const answered = page.waitForResponse(SUBSCRIBE).then((response) => response.finished());
  await page.clock.runFor(ms - 100);
  assert.equal(arrived.length, before, `not before ${ms} ms`);
  await page.clock.runFor(100);
  await answered;
  await readBy(page);
}

browserTest(
  "behind a gateway without a server, a signup is tried after 0.5, 1.5 and 4 s, busy all along",
  async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    const { page, backend } = site;
    backend.answer = badGateway;
    const first = page.waitForResponse(SUBSCRIBE);
    await submitted(site);
    await (await first).finished();
    await readBy(page);
    await pass(site, 500);
    await pass(site, 1500);
    assert.ok(await busy(site));
    backend.answer = () => PENDING;
    await pass(site, 4000);
    assert.equal(backend.arrived.length, 4);
    await told(site, en.success);
  },
);

browserTest("a server that stays away is told after the fourth try, and no fifth follows", async () => {
  await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
  const { page } = site;
  let tries = 0;
  await page.route(SUBSCRIBE, (route) => (tries++, route.abort("connectionrefused")));
  await submitted(site);
  await told(site, en.error);
  await page.clock.runFor(20_000);
  assert.equal(tries, 4);
  assert.equal(await page.getByLabel(en.emailLabel).inputValue(), "ada@example.com");
});

browserTest("what our own server says is the last word", async () => {
  await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
  site.backend.answer = () => ({ success: false, code: "rejected", message: "Not today." });
  await submitted(site);
  await told(site, "Not today.");
  await site.page.clock.runFor(20_000);
  assert.equal(site.backend.arrived.length, 1);
});

browserTest(
  "a form that is removed while it tries again still signs up once, and leaves no timer",
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
    await submitted(site);
    await until(page, "a pause", async () => backend.arrived.length > 0 && await timers() > 0);
    await page.evaluate("document.querySelector('cfbe-form').remove()");
    const before = backend.arrived.length;
    backend.answer = () => PENDING;
    await until(page, "the signup", () => Promise.resolve(backend.arrived.length > before));
    await until(page, "no timer", async () => await timers() === 0);
    await page.clock.runFor(20_000);
    assert.equal(backend.arrived.length, before + 1);
  },
);

browserTest("a token is asked for with the same patience, and says which form it is for", async () => {
  await using site = await open(`<cfbe-form form="ä&b"></cfbe-form><cfbe-form></cfbe-form>`);
  const { page, backend } = site;
  await until(page, "tokens", () => Promise.resolve(backend.tokens.length === 2));
  assert.deepEqual(backend.forms.toSorted(), ["shortcode", "ä&b"]);

  let tries = 0;
  await page.route(
    /\/form-token/,
    (route) => ++tries < 3 ? route.abort("connectionrefused") : route.continue(),
  );
  await page.reload();
  await until(page, "tokens again", () => Promise.resolve(backend.tokens.length === 4));
});
