/**
 * Mistakes of pages and networks: forms without a valid configuration, and a server that is down, hangs or is replaced
 * by an HTML page. With the real server and real time.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../shared/texts/en.ts";
import { type SignupStatus, signupStatuses } from "../../server/operations/remote/signup_status.ts";
import { signFormConfig } from "../../server/forms/public/signed_config.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { createOverlap } from "../overlap.ts";
import { browserOfFile } from "../browser.ts";
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from "../faulty_proxy.ts";
import { waitUntil } from "../program.ts";

const SOON_MS = 30_000;
const ANN = "ann@example.com";

interface Visit {
  page: Page;
  program: TestProgram;
  proxy: FaultyProxy;
  /** Submits the form and waits for the success message. */
  signUp(): Promise<void>;
  /** Waits until the signup is delivered, and returns its status. */
  waitForSignup(): Promise<SignupStatus>;
}

const browser = browserOfFile();
const overlap = createOverlap();
Deno.test.afterAll(() => overlap.end());

/**
 * Registers a test of a visitor on a page.
 *
 * @param markup returns the HTML of the page's form
 * @param act what the visitor does
 * @param prepare what is done before the page is opened, which may ask for a token at once
 */
function pageTest(
  name: string,
  markup: (program: TestProgram) => string,
  act: (visit: Visit) => Promise<void>,
  prepare: (proxy: FaultyProxy) => void = () => {},
): void {
  overlap.add(name, async () => {
    await using stack = new AsyncDisposableStack();
    const program = stack.use(await startProgram());
    const proxy = stack.use(startFaultyProxy(program.baseUrl));
    const html = `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
      <script async src="${proxy.baseUrl}/cfbe.js"></script><h1>A shop</h1>${markup(program)}</html>`;
    const headers = { "content-type": "text/html; charset=utf-8" };
    const site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(html, { headers }),
    );
    stack.defer(() => site.shutdown());
    const context = await browser().newContext({ locale: "en" });
    stack.defer(() => context.close());
    context.setDefaultTimeout(SOON_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    prepare(proxy);
    await page.goto(`http://127.0.0.1:${site.addr.port}/`);
    await act({
      page,
      program,
      proxy,
      async signUp() {
        await page.getByLabel(en.form.emailLabel).fill(ANN);
        await page.getByRole("button", { name: en.form.button }).click();
        await page.getByText(en.form.success).last().waitFor();
      },
      async waitForSignup() {
        await waitUntil("the signup is delivered", SOON_MS, async () => {
          return (await signupStatuses(program.services, ANN))?.[0]?.record.status === "pending";
        });
        const [status, ...more] = await signupStatuses(program.services, ANN) as SignupStatus[];
        assert.equal(more.length, 0);
        return status!;
      },
    });
    assert.deepEqual(errors, [], "no uncaught errors");
  });
}

const FORM = () => `<cfbe-form form="footer"><a href="/subscribe">Subscribe on our page</a></cfbe-form>`;
const waitForMessage = ({ page }: Visit, text: string) =>
  page.locator("[part=message]:visible").getByText(text).waitFor();

const CONFIGURATIONS: [what: string, markup: (program: TestProgram) => string][] = [
  ["no configuration", () => "<cfbe-form></cfbe-form>"],
  ["a form name that is not in the settings", () => `<cfbe-form form="gone"></cfbe-form>`],
  ["an empty cfg", () => `<cfbe-form cfg=""></cfbe-form>`],
  ["a malformed cfg", () => `<cfbe-form cfg="%00 nonsense &quot;>"></cfbe-form>`],
  ["a cfg signed with another salt", () => `<cfbe-form cfg="eyJsaXN0IjoieCJ9.AAAA"></cfbe-form>`],
  [
    "a cfg with one character changed",
    ({ services }) => {
      const cfg = signFormConfig(services.keyring, { placement: "landing", tags: ["vip"] });
      return `<cfbe-form cfg="${cfg.startsWith("e") ? "f" : "e"}${cfg.slice(1)}"></cfbe-form>`;
    },
  ],
  [
    "a cfg for an unknown list",
    ({ services }) =>
      `<cfbe-form cfg="${signFormConfig(services.keyring, { list: "never-loaded" })}"></cfbe-form>`,
  ],
];

for (const [what, markup] of CONFIGURATIONS) {
  pageTest(
    `${what}: the signup goes to the default list, without the tags in the cfg`,
    markup,
    async (visit) => {
      await visit.signUp();
      const { record } = await visit.waitForSignup();
      assert.equal(record.list, visit.program.services.settings.current().general.defaultList);
      assert.equal(record.tags.includes("vip"), false);
    },
  );
}

pageTest(
  "a validly signed cfg sets the tags",
  ({ services }) =>
    `<cfbe-form cfg="${
      signFormConfig(services.keyring, { placement: "landing", tags: ["vip"] })
    }"></cfbe-form>`,
  async (visit) => {
    await visit.signUp();
    assert.deepEqual((await visit.waitForSignup()).record.tags.toSorted(), ["placement-landing", "vip"]);
  },
);

const FAULTS: [fault: ProxyFault, what: string][] = [
  ["silent", "hangs for longer than 15 s"],
  ["down", "resets the connection"],
  ["html", "responds with an HTML page"],
  ["not-found", "responds with 404"],
  ["bad-gateway", "responds with 502"],
];

for (const [fault, what] of FAULTS) {
  for (const route of ["subscribe", "token"] as const) {
    pageTest(
      `if the ${route} route ${what}, the visitor sees an error, the entries are kept, and a later try succeeds`,
      FORM,
      async (visit) => {
        const { page, proxy, program } = visit;
        await page.getByLabel(en.form.emailLabel).fill(ANN);
        await page.getByRole("button", { name: en.form.button }).click();
        await waitForMessage(visit, en.form.error);
        assert.ok(proxy.failed > 0);
        assert.equal(await page.getByLabel(en.form.emailLabel).inputValue(), ANN);
        assert.deepEqual(await signupStatuses(program.services, ANN), []);
        proxy.fail(route, "none");
        await visit.signUp();
        await visit.waitForSignup();
      },
      (proxy) => proxy.fail(route, fault),
    );
  }
}
