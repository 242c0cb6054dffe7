/** Retries while the server is unavailable, for example during a deployment. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../../shared/texts/en.ts";
import { browserTest, formIsReady, open, recordedEvents, type Site, until } from "../testing/site.ts";
import { PENDING } from "../testing/backend.ts";
import { READY_AFTER_MS } from "./token.ts";

const HTML = { "content-type": "text/html", "access-control-allow-origin": "*" };
const SUBSCRIBE = /\/subscribe$/;
const badGateway = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: HTML });

/** Fills in the form and submits. It sends the signup once its token is old enough. */
async function fillAndSubmit({ page }: Site): Promise<void> {
  await page.getByLabel(en.form.emailLabel).fill("ada@example.com");
  await page.getByRole("button", { name: en.form.button }).click();
}
const busy = ({ page }: Site) => page.locator("[part=form].busy").isVisible();
const waitForMessage = (site: Site, text: string) =>
  until(site.page, text, () => site.page.locator("[part=message]").getByText(text).last().isVisible());

/**
 * Lets the page record the length of each pause that it starts, in milliseconds.
 *
 * @param random what takes the place of random numbers, from 0 to 1
 */
const recordPauses = (page: Page, random = 0) =>
  page.evaluate((random) => {
    Math.random = () => random;
    const { setTimeout: start } = self;
    const pauses: number[] = [];
    Object.assign(globalThis, { pauses });
    self.setTimeout = ((fn: () => void, ms: number) => (pauses.push(ms), start(fn, ms))) as typeof setTimeout;
  }, random);

/** Waits until the page has read the response and started its pause, while the page's clock stands still. */
async function waitForPause(page: Page, ms: number): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    const pauses = await page.evaluate(() => (globalThis as unknown as { pauses: number[] }).pauses);
    if (pauses.includes(ms)) return;
    if (Date.now() > end) {
      throw new Error(`timed out waiting for a pause of ${ms} ms, after those of ${pauses} ms`);
    }
    await page.evaluate(() => fetch("/").then((r) => r.text()));
  }
}

/** Lets a token become old enough that the page has just got, or is about to get. */
async function passTokenWait(page: Page): Promise<void> {
  await waitForPause(page, READY_AFTER_MS);
  await page.clock.runFor(READY_AFTER_MS);
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
  "behind a gateway without a server, a signup is retried after 1, 2 and 4 s, and stays busy",
  async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    const { page, backend } = site;
    backend.answer = badGateway;
    await recordPauses(page);
    await fillAndSubmit(site);
    await passTokenWait(page);
    await passPause(site, 1000);
    await passPause(site, 2000);
    assert.ok(await busy(site));
    backend.answer = () => PENDING;
    await passPause(site, 4000);
    assert.equal(backend.signups.length, 4);
    await waitForMessage(site, en.form.success);
  },
);

browserTest("after the fourth failed attempt the form shows an error and stops retrying", async () => {
  await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
  const { page } = site;
  let attempts = 0;
  await page.route(SUBSCRIBE, (route) => (attempts++, route.abort("connectionrefused")));
  await fillAndSubmit(site);
  await waitForMessage(site, en.form.error);
  await page.clock.runFor(20_000);
  assert.equal(attempts, 4);
  assert.equal(await page.getByLabel(en.form.emailLabel).inputValue(), "ada@example.com");
});

browserTest(
  "the pauses between attempts are up to half as long again, so that visitors do not return together",
  async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    site.backend.answer = badGateway;
    await recordPauses(site.page, 1);
    await fillAndSubmit(site);
    await passTokenWait(site.page);
    for (const ms of [1500, 3000, 6000]) await passPause(site, ms);
    await waitForMessage(site, en.form.error);
  },
);

/** The server's own response while its database restarts: an error that will pass. */
const unavailable = (retryAfter = "1") =>
  Response.json({ success: false, code: "rejected", message: "Not today." }, {
    status: 503,
    headers: {
      "retry-after": retryAfter,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Retry-After",
    },
  });

const OWN =
  `<form data-cfbe-form="footer"><input name="email"><button>Go</button><output data-cfbe-message></form>`;
const FORMS: Record<string, { markup: string; submit(site: Site): Promise<unknown>; isBusy: string }> = {
  "a <cfbe-form>": {
    markup: `<cfbe-form form="footer"></cfbe-form>`,
    submit: fillAndSubmit,
    isBusy: `!!document.querySelector("cfbe-form").shadowRoot.querySelector(".busy")`,
  },
  "an own-markup form": {
    markup: OWN,
    async submit({ page }) {
      await formIsReady(page);
      await page.locator("[name=email]").fill("ada@example.com");
      await page.getByRole("button").click();
    },
    isBusy: `document.querySelector("form").ariaBusy === "true"`,
  },
  "cfbe.subscribe()": {
    markup: "",
    async submit({ page }) {
      await page.waitForFunction(() => "cfbe" in self);
      await page.evaluate(`void (self.result = cfbe.subscribe({ email: "ada@example.com" }))`);
    },
    isBusy: `Promise.race([self.result, fetch("/")]).then((first) => first instanceof Response)`,
  },
};
for (const [what, { markup, submit, isBusy }] of Object.entries(FORMS)) {
  browserTest(
    `a 503 that asks for a retry is retried with the same token by ${what}, which stays busy`,
    async () => {
      await using site = await open(markup);
      const { page, backend } = site;
      backend.answer = () => unavailable();
      await recordPauses(page);
      await submit(site);
      await passTokenWait(page);
      await passPause(site, 1000);
      assert.ok(await page.evaluate(isBusy));
      backend.answer = () => PENDING;
      await passPause(site, 2000);
      await until(page, "the end", async () => (await recordedEvents(page)).at(-1)?.type === "cfbe-success");
      assert.equal(backend.signups.length, 3);
      const bodies = new Set(backend.signups.map(({ body }) => JSON.stringify(body)));
      assert.equal(bodies.size, 1, "the same request, with the same token");
    },
  );

  browserTest(`after four attempts that got such a 503, ${what} reports the error and stops`, async () => {
    await using site = await open(markup);
    const { page, backend } = site;
    backend.answer = () => unavailable();
    await recordPauses(page);
    await submit(site);
    await passTokenWait(page);
    for (const ms of [1000, 2000, 4000]) await passPause(site, ms);
    await until(page, "the end", async () => (await recordedEvents(page)).at(-1)?.type === "cfbe-error");
    assert.equal(await page.evaluate(isBusy), false);
    if (markup) assert.equal(await page.locator("[name=email]").first().inputValue(), "ada@example.com");
    await page.clock.runFor(20_000);
    assert.equal(backend.signups.length, 4);
  });
}

for (
  const [what, answer] of [
    [
      "a 503 of our own server that asks for no retry",
      () => ({ success: false, code: "rejected", message: "Not today." }) as const,
    ],
    ["one that asks for a retry in a minute", () => unavailable("60")],
    ["one that asks for a retry at a date", () => unavailable("Mon, 23 Nov 2026 12:00:00 GMT")],
  ] as const
) {
  browserTest(`${what} is not retried`, async () => {
    await using site = await open(`<cfbe-form form="footer"></cfbe-form>`);
    site.backend.answer = answer;
    await fillAndSubmit(site);
    await waitForMessage(site, "Not today.");
    await site.page.clock.runFor(20_000);
    assert.equal(site.backend.signups.length, 1);
  });
}

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
