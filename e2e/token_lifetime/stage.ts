/** A page, a visitor and the real server. The test moves the clocks of browser and server together. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { signupStatuses } from "../../server/operations/remote/signup_status.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { waitUntil } from "../program.ts";

const START = Date.UTC(2030, 0, 1, 12);
/** Time at which the clocks are paused, later than any browser needs to start. */
const PAUSED_AT = START + 600_000;
const SOON_MS = 20_000;
const STEP_MS = 500;
const TOKEN = `${NAMESPACE}/form-token`;

/** A site with the form, and cfbe below `/news`. */
interface Site extends AsyncDisposable {
  origin: string;
  /** Number of tokens issued by the server. */
  readonly tokens: number;
  /** Handles requests for a token instead of the server, like a proxy or cache. */
  intercept: ((forward: () => Promise<Response>) => Response | Promise<Response>) | undefined;
}

export interface Stage extends AsyncDisposable {
  page: Page;
  program: TestProgram;
  site: Site;
  /** Opens a page of the site, and waits until its form is rendered. */
  visit(path?: string): Promise<void>;
  /** Advances both clocks, and runs the browser's timers. */
  advance(ms: number): Promise<void>;
  /** Simulates a sleeping machine: advances the time of day in both, but runs no timers and pauses `performance.now()`. */
  sleep(ms: number): Promise<void>;
  /** Advances the clocks until the submitted form shows a result. */
  waitForResult(): Promise<void>;
  /** Submits the form, and waits for the result. */
  submit(): Promise<void>;
  /** Asserts that the visitor sees success, and that the signup is stored and delivered. */
  assertSignedUp(email: string): Promise<void>;
  /** Fills in and submits the form, and asserts that the signup is delivered. */
  signUp(email: string): Promise<void>;
}

function serveSite(program: TestProgram): Site {
  let tokens = 0;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/news/")) {
      return new Response(
        `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
          <script async src="/news/cfbe.js"></script><h1>A shop</h1><cfbe-form form="footer"></cfbe-form></html>`,
        { headers: { "content-type": "text/html; charset=utf-8" } },
      );
    }
    const { method, headers, body } = request;
    const target = new URL(program.baseUrl).origin + pathname + search;
    const forward = () => {
      if (pathname.endsWith(TOKEN)) tokens++;
      return fetch(target, { method, headers, body, redirect: "manual" });
    };
    return pathname.endsWith(TOKEN) && site.intercept ? await site.intercept(forward) : await forward();
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  const site: Site = {
    origin: `http://127.0.0.1:${server.addr.port}`,
    get tokens() {
      return tokens;
    },
    intercept: undefined,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return site;
}

/** Starts a server with a manual clock, a site and a page in `browser` whose clock is paused. */
export async function openStage(browser: Browser): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock(START);
  const program = stack.use(await startProgram({ clock, prefix: "/news" }));
  const site = stack.use(serveSite(program));
  const context = await browser.newContext({ locale: "en" });
  stack.defer(() => context.close());
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.clock.install({ time: START });
  await page.clock.pauseAt(PAUSED_AT);
  clock.set(PAUSED_AT);

  let pending = 0;
  page.on("request", () => pending++);
  page.on("requestfinished", () => pending--);
  page.on("requestfailed", () => pending--);
  /** Waits for pending requests. If the clocks moved meanwhile, browser and server would see different times. */
  const waitForRequests = () =>
    waitUntil("all requests are finished", SOON_MS, async () => {
      if (pending > 0) return false;
      // A response can cause another request.
      await page.evaluate("Promise.resolve()");
      return pending <= 0;
    });
  const advanceBoth = async (serverMs: number, advanceBrowser: () => Promise<void>) => {
    await waitForRequests();
    await clock.advance(serverMs);
    await advanceBrowser();
  };
  const hasState = (name: string) =>
    page.evaluate((name) => document.querySelector("cfbe-form")?.matches(`:state(${name})`) ?? false, name);

  const all = stack.move();
  const stage: Stage = {
    page,
    program,
    site,
    async visit(path = "/") {
      await page.goto(site.origin + path);
      await page.getByLabel("Email address").waitFor();
    },
    advance: (ms) => advanceBoth(ms, () => page.clock.fastForward(ms)),
    sleep: (ms) => advanceBoth(ms, () => page.clock.setSystemTime(clock.now())),
    async waitForResult() {
      await waitUntil("the form shows a result", SOON_MS, async () => {
        if (await hasState("success") || await hasState("error")) return true;
        await advanceBoth(STEP_MS, () => page.clock.runFor(STEP_MS));
        return false;
      });
    },
    async submit() {
      await page.getByRole("button", { name: "Subscribe" }).click();
      await stage.waitForResult();
    },
    async signUp(email) {
      await page.getByLabel("Email address").fill(email);
      await stage.submit();
      await stage.assertSignedUp(email);
    },
    async assertSignedUp(email) {
      assert.equal(await hasState("success"), true);
      await waitUntil(`${email} is delivered`, SOON_MS, async () => {
        const [status] = await signupStatuses(program.services, email) ?? [];
        if (status?.record.status === "pending") return true;
        // The provider needs time as well.
        await clock.advance(STEP_MS);
        return false;
      });
      const path = `/sandbox/subscribers.json?email=${encodeURIComponent(email)}`;
      const { subscribers } = await (await fetch(program.baseUrl + path)).json();
      assert.equal(subscribers.length, 1, "the provider has the address exactly once");
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
  return stage;
}
