/**
 * From a form on another origin to a confirmed subscriber, in a real browser, with the real server.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { launch } from "../browser.ts";
import { createOverlap } from "../overlap.ts";
import { type RunningProgram, runProgram, waitUntil } from "../program.ts";
import { statusOf, waitForStatus } from "../visitors.ts";

const SOON_MS = 15_000;

interface Journey extends AsyncDisposable {
  program: RunningProgram;
  page: Page;
  /** Submits the form, and waits for the success message. */
  signUp(email: string): Promise<void>;
  /** Opens the link in the confirmation email, which must be the only email. */
  confirm(email: string): Promise<void>;
}

interface Mail {
  kind: string;
  links: { confirm?: string };
  [key: string]: unknown;
}

const preloading = (path: string) => ["-A", `--preload=${fileURLToPath(new URL(path, import.meta.url))}`];
const NO_JITTER = preloading("../../dev/no_jitter.ts");
/** Without the recurring poll, which may come before a webhook. */
const NO_CRON = preloading("../deploy/no_cron.ts");

/** Starts the server, a page with the snippet on another origin, and a browser. */
async function start(flags?: string[]): Promise<Journey> {
  const program = await runProgram({}, flags && (() => flags));
  const markup = `<!doctype html><html lang="en"><title>A shop</title>
    <script async src="${program.baseUrl}/cfbe.js"></script>
    <h1>A shop</h1><cfbe-form form="footer"></cfbe-form></html>`;
  const shop = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(markup, { headers: { "content-type": "text/html" } }),
  );
  const browser: Browser = await launch();
  const context = await browser.newContext();
  const page = await context.newPage();

  return {
    program,
    page,
    async signUp(email) {
      await page.goto(`http://127.0.0.1:${shop.addr.port}/`);
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await page.getByText("please check your inbox").last().waitFor({ timeout: SOON_MS });
    },
    async confirm(email) {
      const inbox = await context.newPage();
      await waitUntil(
        "the confirmation email arrives",
        SOON_MS,
        async () => (await mails(program, email)).length > 0,
      );
      assert.equal((await mails(program, email)).length, 1);
      await inbox.goto(`${program.baseUrl}/sandbox`);
      await inbox.getByRole("link", { name: /confirm/i }).first().click();
      await inbox.getByRole("heading", { name: "You are subscribed" }).waitFor({ timeout: SOON_MS });
      await inbox.close();
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await shop.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}

async function mails(program: RunningProgram, email: string): Promise<Mail[]> {
  const inbox = await program.json<{ mails: Mail[] }>(
    `/sandbox/inbox.json?email=${encodeURIComponent(email)}`,
  );
  return inbox.mails;
}

/** requests = accepted + invalid + rate_limited + dropped + rejected (contract 4.20). */
async function assertCounted(program: RunningProgram, requests: number): Promise<void> {
  const { requests: counted, ...entries } = await program.json<Record<string, number>>("/ops/books");
  const sum = Object.entries(entries).filter(([entry]) => !entry.startsWith("note."))
    .reduce((total, [, count]) => total + count, 0);
  assert.deepEqual({ counted, sum }, { counted: requests, sum: requests });
}

function setFaults(program: RunningProgram, patch: Record<string, unknown>): Promise<unknown> {
  return program.json("/sandbox/faults", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(patch),
  });
}

const overlap = createOverlap();
Deno.test.afterAll(() => overlap.end());

overlap.add(
  "a visitor signs up on another origin's page, confirms in the inbox, and the webhook makes the record active",
  async () => {
    await using journey = await start(NO_CRON);
    const email = "ann@example.com";
    await journey.signUp(email);
    await waitForStatus(journey.program, email, "pending");
    await journey.confirm(email);
    await waitForStatus(journey.program, email, "active");

    const { record, consents } = await statusOf(journey.program, email);
    assert.equal(record.confirmed?.by, "webhook");
    assert.equal(record.form, "footer");
    assert.deepEqual(record.tags, ["placement-footer"]);
    assert.equal(consents.length, 1);
    assert.equal(consents[0]!.origin, new URL(journey.page.url()).origin);
    await assertCounted(journey.program, 1);
  },
);

overlap.add("with no webhook registered, the poll makes the record active", async () => {
  await using journey = await start(NO_CRON);
  const email = "ben@example.com";
  const removed = await fetch(`${journey.program.baseUrl}/sandbox/webhook/remove`, {
    method: "POST",
    headers: { origin: journey.program.baseUrl, "content-type": "application/x-www-form-urlencoded" },
    redirect: "manual",
  });
  await removed.body?.cancel();
  assert.equal(removed.status, 303);
  await journey.signUp(email);
  await waitForStatus(journey.program, email, "pending");
  await journey.confirm(email);

  assert.match(await journey.program.cfbe("poll"), /1 confirmed/);
  assert.equal((await statusOf(journey.program, email)).record.confirmed?.by, "poll");
  await assertCounted(journey.program, 1);
});

overlap.add(
  "if the provider is down during a signup, nothing is lost, and it gets one subscriber when it is back",
  async () => {
    await using journey = await start(NO_JITTER);
    const { program } = journey;
    const email = "cleo@example.com";
    await setFaults(program, { mode: "503", retryAfterSeconds: 1 });
    await journey.signUp(email);
    await waitUntil(
      "a first attempt fails",
      SOON_MS,
      async () => ((await statusOf(journey.program, email)).jobs[0]?.attempts ?? 0) > 0,
    );
    assert.equal((await statusOf(journey.program, email)).record.status, "queued");

    await setFaults(program, { mode: "none" });
    await waitUntil(
      "the record becomes pending",
      SOON_MS,
      async () => (await statusOf(journey.program, email)).record.status === "pending",
    );
    await journey.confirm(email);
    await waitForStatus(journey.program, email, "active");
    const subscribers = await program.json<{ subscribers: unknown[] }>(
      `/sandbox/subscribers.json?email=${encodeURIComponent(email)}`,
    );
    assert.equal(subscribers.subscribers.length, 1);
    await assertCounted(program, 1);
  },
);
