/** A page, a visitor and the real program whose clocks the test moves together, as one time passes for both. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { statusOf } from "../../server/ops/operations.ts";
import { ManualClock } from "../../server/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../server/testing/program.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { launch } from "../browser.ts";
import { eventually } from "../program.ts";

const START = Date.UTC(2030, 0, 1, 12);
/** Where time then stands: later than any browser takes to get there. */
const STANDS = START + 600_000;
const SOON_MS = 20_000;
const STEP_MS = 500;
const TOKEN = `${NAMESPACE}/form-token`;

export interface Stage extends AsyncDisposable {
  page: Page;
  program: TestProgram;
  /** How many tokens the service has issued. */
  readonly tokens: number;
  /** Takes requests for a token until it gives them back: the answers of whatever stands in between. */
  between: ((pass: () => Promise<Response>) => Response | Promise<Response>) | undefined;
  /** Opens the page, or another of the site, and waits until its form is there and has asked for a token. */
  visit(path?: string): Promise<void>;
  /** Time passes, and the browser's timers run. */
  pass(ms: number): Promise<void>;
  /** The machine sleeps: time of day passes, for the server too; no timer runs, and the steady clock stands still. */
  sleep(ms: number): Promise<void>;
  /** Lets time pass until the form that was sent has an answer. */
  answered(): Promise<void>;
  /** Sends the form, and waits for that. */
  submit(): Promise<void>;
  /** Proves that the visitor reads success, and that it is one: on record and at the provider. */
  assertSignedUp(email: string): Promise<void>;
  /** Fills in, sends, and proves it. */
  signUp(email: string): Promise<void>;
}

const browser = launch();
Deno.test.afterAll(async () => await (await browser).close());

/** The site's pages, and the service below `/news`, with something in between that may answer for it. */
export async function openStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock(START);
  const program = stack.use(await startProgram({ clock, prefix: "/news" }));
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
    const pass = () => {
      if (pathname.endsWith(TOKEN)) tokens++;
      return fetch(target, { method, headers, body, redirect: "manual" });
    };
    return pathname.endsWith(TOKEN) && stage.between ? await stage.between(pass) : await pass();
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  stack.defer(() => server.shutdown());
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const context = await (await browser).newContext({ locale: "en" });
  stack.defer(() => context.close());
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.clock.install({ time: START });
  await page.clock.pauseAt(STANDS);
  clock.set(STANDS);

  let underWay = 0;
  page.on("request", () => underWay++);
  page.on("requestfinished", () => underWay--);
  page.on("requestfailed", () => underWay--);
  /** Nothing may be on its way when the clocks move: one end would see another time than the other. */
  const quiet = () =>
    eventually("nothing is on its way", SOON_MS, async () => {
      if (underWay > 0) return false;
      // What just arrived may be answered by asking again.
      await page.evaluate("Promise.resolve()");
      return underWay <= 0;
    });
  const both = async (server: number, browser: () => Promise<void>) => {
    await quiet();
    await clock.advance(server);
    await browser();
  };
  const phase = (name: string) =>
    page.evaluate((name) => document.querySelector("cfbe-form")?.matches(`:state(${name})`) ?? false, name);

  const all = stack.move();
  const stage: Stage = {
    page,
    program,
    get tokens() {
      return tokens;
    },
    between: undefined,
    async visit(path = "/") {
      await page.goto(origin + path);
      await page.getByLabel("Email address").waitFor();
    },
    pass: (ms) => both(ms, () => page.clock.fastForward(ms)),
    sleep: (ms) => both(ms, () => page.clock.setSystemTime(clock.now())),
    async answered() {
      await eventually("an answer", SOON_MS, async () => {
        if (await phase("success") || await phase("error")) return true;
        await both(STEP_MS, () => page.clock.runFor(STEP_MS));
        return false;
      });
    },
    async submit() {
      await page.getByRole("button", { name: "Subscribe" }).click();
      await stage.answered();
    },
    async signUp(email) {
      await page.getByLabel("Email address").fill(email);
      await stage.submit();
      await stage.assertSignedUp(email);
    },
    async assertSignedUp(email) {
      assert.equal(await phase("success"), true);
      await eventually(`${email} is on record`, SOON_MS, async () => {
        const [status] = await statusOf(program.services, email) ?? [];
        if (status?.record.status === "pending") return true;
        // The provider takes its time, too.
        await clock.advance(STEP_MS);
        return false;
      });
      const path = `/sandbox/subscribers.json?email=${encodeURIComponent(email)}`;
      const { subscribers } = await (await fetch(program.baseUrl + path)).json();
      assert.equal(subscribers.length, 1, "the provider has it");
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
  return stage;
}
