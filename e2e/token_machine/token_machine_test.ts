/**
 * A stale token is answered with a fake success and stores nothing (contract 4.5). Here time passes for browser and
 * server alike, and a signup counts only when its record exists.
 */
import assert from "node:assert/strict";
import { eventually } from "../program.ts";
import { openStage, type Stage } from "./stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SOON_MS = 20_000;

function machineTest(name: string, fn: (stage: Stage) => Promise<void>): void {
  Deno.test({
    name,
    async fn() {
      await using stage = await openStage();
      await fn(stage);
    },
    sanitizeOps: false, // The browser is a process with sockets of its own.
    sanitizeResources: false,
  });
}

const tokens = (stage: Stage, count: number) =>
  eventually(`${count} tokens`, SOON_MS, () => stage.tokens >= count);

machineTest(
  "who submits at once waits until the server takes the token, and the signup is real",
  async (stage) => {
    await stage.visit();
    await stage.signUp("now@example.com");
  },
);

machineTest("2 h 5 min after the form came, a signup is real", async (stage) => {
  await stage.visit();
  await tokens(stage, 1);
  await stage.pass(2 * HOUR + 5 * MINUTE);
  await stage.signUp("later@example.com");
  assert.ok(stage.tokens >= 2);
});

machineTest(
  "a visitor who types for three hours, in a tab that stays in front, signs up for real",
  async (stage) => {
    await stage.visit();
    await tokens(stage, 1);
    for (let quarter = 0; quarter < 12; quarter++) await stage.pass(15 * MINUTE);
    await stage.signUp("slow@example.com");
  },
);

machineTest("after three hours of sleep, in which no timer ran, a signup is real", async (stage) => {
  await stage.visit();
  await tokens(stage, 1);
  await stage.sleep(3 * HOUR);
  await stage.signUp("slept@example.com");
  assert.equal(stage.tokens, 2);
});

machineTest(
  "a machine that falls asleep while the form waits out the three seconds signs up for real",
  async (stage) => {
    await stage.visit();
    await tokens(stage, 1);
    await stage.page.getByLabel("Email address").fill("nap@example.com");
    await stage.page.getByRole("button", { name: "Subscribe" }).click();
    await stage.page.locator("cfbe-form:state(busy)").waitFor();
    await stage.sleep(3 * HOUR);
    await stage.answered();
    await stage.assertSignedUp("nap@example.com");
  },
);

machineTest("out of the back-forward cache, three hours later, a signup is real", async (stage) => {
  await stage.visit();
  await tokens(stage, 1);
  await stage.page.evaluate(() =>
    addEventListener("pageshow", (event) => document.body.dataset.persisted = `${event.persisted}`)
  );
  await stage.visit("/another");
  await stage.sleep(3 * HOUR);
  await stage.page.goBack({ waitUntil: "commit" });
  await stage.page.locator("body[data-persisted=true]").waitFor();
  await stage.page.clock.setSystemTime(stage.program.services.clock.now());
  await stage.signUp("back@example.com");
});

machineTest(
  "offline at the submission, and online again three hours later, a signup is real",
  async (stage) => {
    await stage.visit();
    await tokens(stage, 1);
    await stage.page.context().setOffline(true);
    await stage.page.getByLabel("Email address").fill("tunnel@example.com");
    await stage.submit();
    await stage.page.getByText("You’re offline").last().waitFor();
    await stage.pass(3 * HOUR);
    await stage.page.context().setOffline(false);
    assert.equal(await stage.page.getByLabel("Email address").inputValue(), "tunnel@example.com");
    await stage.signUp("tunnel@example.com");
  },
);

machineTest(
  "when the first token could not be had, the submission fetches one, and the signup is real",
  async (stage) => {
    let refused = 0;
    stage.between = () => {
      refused++;
      return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
    };
    await stage.visit();
    await eventually("a failed fetch", SOON_MS, () => refused > 0);
    stage.between = undefined;
    await stage.signUp("retried@example.com");
    assert.equal(stage.tokens, 1);
  },
);

machineTest(
  "a cache that answers with a token of three hours ago is passed by, and the signup is real",
  async (stage) => {
    const kept = { token: stage.program.token(3 * HOUR) };
    let first = true;
    // As a cache keeps it: for this address, whatever the query of the next is.
    stage.between = (pass) => {
      if (!first) return pass();
      first = false;
      return Response.json(kept);
    };
    const told = stage.page.waitForEvent("console");
    await stage.visit();
    assert.match((await told).text(), /a cache stores form-token/);
    await stage.signUp("cached@example.com");
  },
);
