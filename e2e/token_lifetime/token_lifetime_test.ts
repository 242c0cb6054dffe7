/**
 * A stale token gets a fake success response and stores nothing (contract 4.5). These tests move the clocks of
 * browser and server together, and accept a signup only if it is stored.
 */
import assert from "node:assert/strict";
import { goBackToKeptPage } from "../back_forward_cache.ts";
import { launch, launchFull } from "../browser.ts";
import { waitUntil } from "../program.ts";
import { openStage, type Stage } from "./stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SOON_MS = 20_000;

const sharedBrowser = launch();
Deno.test.afterAll(async () => await (await sharedBrowser).close());

/** @param browser "full browser" if the shared one, which may be a headless shell, does not suffice */
function stageTest(name: string, fn: (stage: Stage) => Promise<void>, browser?: "full browser"): void {
  Deno.test({
    name,
    async fn() {
      await using ownBrowser = browser && await launchFull();
      await using stage = await openStage(ownBrowser ?? await sharedBrowser);
      await fn(stage);
    },
    sanitizeOps: false, // The browser outlives a test.
    sanitizeResources: false,
  });
}

const waitForTokens = (stage: Stage, count: number) =>
  waitUntil(`${count} tokens are issued`, SOON_MS, () => stage.site.tokens >= count);

stageTest(
  "a form submitted immediately waits until the server accepts its token, and the signup is stored",
  async (stage) => {
    await stage.visit();
    await stage.signUp("now@example.com");
  },
);

stageTest("2 h 5 min after the form was loaded, a signup is stored", async (stage) => {
  await stage.visit();
  await waitForTokens(stage, 1);
  await stage.advance(2 * HOUR + 5 * MINUTE);
  await stage.signUp("later@example.com");
  assert.ok(stage.site.tokens >= 2);
});

stageTest(
  "a signup is stored after the visitor has typed for three hours in a visible tab",
  async (stage) => {
    await stage.visit();
    await waitForTokens(stage, 1);
    for (let quarter = 0; quarter < 12; quarter++) await stage.advance(15 * MINUTE);
    await stage.signUp("slow@example.com");
  },
);

stageTest(
  "a signup is stored after the machine has slept for three hours without running timers",
  async (stage) => {
    await stage.visit();
    await waitForTokens(stage, 1);
    await stage.sleep(3 * HOUR);
    await stage.signUp("slept@example.com");
    assert.equal(stage.site.tokens, 2);
  },
);

stageTest(
  "a signup is stored if the machine falls asleep while the form waits for three seconds",
  async (stage) => {
    await stage.visit();
    await waitForTokens(stage, 1);
    await stage.page.getByLabel("Email address").fill("nap@example.com");
    await stage.page.getByRole("button", { name: "Subscribe" }).click();
    await stage.page.locator("cfbe-form:state(busy)").waitFor();
    await stage.sleep(3 * HOUR);
    await stage.waitForResult();
    await stage.assertSignedUp("nap@example.com");
  },
);

stageTest(
  "a signup is stored after the page is restored from the back-forward cache three hours later",
  async (stage) => {
    await stage.visit();
    await waitForTokens(stage, 1);
    await stage.page.evaluate(() =>
      addEventListener("pageshow", (event) => document.body.dataset.persisted = `${event.persisted}`)
    );
    await stage.visit("/another");
    await stage.sleep(3 * HOUR);
    await goBackToKeptPage(stage.page);
    await stage.page.clock.setSystemTime(stage.program.services.clock.now());
    await stage.signUp("back@example.com");
  },
  "full browser",
);

stageTest(
  "a signup is stored if the browser was offline at the first try and is online three hours later",
  async (stage) => {
    await stage.visit();
    await waitForTokens(stage, 1);
    await stage.page.context().setOffline(true);
    await stage.page.getByLabel("Email address").fill("tunnel@example.com");
    await stage.submit();
    await stage.page.getByText("You’re offline").last().waitFor();
    await stage.advance(3 * HOUR);
    await stage.page.context().setOffline(false);
    assert.equal(await stage.page.getByLabel("Email address").inputValue(), "tunnel@example.com");
    await stage.signUp("tunnel@example.com");
  },
);

stageTest(
  "if the first token could not be fetched, the submission fetches one, and the signup is stored",
  async (stage) => {
    let failures = 0;
    stage.site.intercept = () => {
      failures++;
      return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
    };
    await stage.visit();
    await waitUntil("a request for a token fails", SOON_MS, () => failures > 0);
    stage.site.intercept = undefined;
    await stage.signUp("retried@example.com");
    assert.equal(stage.site.tokens, 1);
  },
);

stageTest(
  "a cached token that is three hours old is detected and replaced, and the signup is stored",
  async (stage) => {
    const cached = { token: stage.program.token(3 * HOUR) };
    let first = true;
    // Responds once, like a cache that stores the URL of the first request.
    stage.site.intercept = (forward) => {
      if (!first) return forward();
      first = false;
      return Response.json(cached);
    };
    const warning = stage.page.waitForEvent("console");
    await stage.visit();
    assert.match((await warning).text(), /a cache stores form-token/);
    await stage.signUp("cached@example.com");
  },
);
