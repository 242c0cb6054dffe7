/**
 * What a page or a network may get wrong: forms without a configuration, and a service that is down, silent or
 * replaced by somebody's HTML, for real programs and real clocks.
 */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { en } from "../../shared/texts/en.ts";
import { type SignupStatus, statusOf } from "../../server/ops/operations.ts";
import { signFormConfig } from "../../server/signup/form/signed_config.ts";
import { startProgram, type TestProgram } from "../../server/testing/program.ts";
import { createAhead } from "../ahead.ts";
import { launch } from "../browser.ts";
import { type Fault, type Misbehaving, misbehaving } from "../misbehaving.ts";
import { eventually } from "../program.ts";

const SOON_MS = 30_000;
const ANN = "ann@example.com";

interface Visit {
  page: Page;
  program: TestProgram;
  between: Misbehaving;
  signUp(): Promise<void>;
  arrived(): Promise<SignupStatus>;
}

const ahead = createAhead();
let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await ahead.end();
  await (await browser)?.close();
});

/** @param markup makes the page's form, from the program that it talks to */
function badTest(
  name: string,
  markup: (program: TestProgram) => string,
  drive: (visit: Visit) => Promise<void>,
): void {
  ahead.add(name, async () => {
    await using stack = new AsyncDisposableStack();
    const program = stack.use(await startProgram());
    const between = stack.use(misbehaving(program.baseUrl));
    const html = `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
      <script async src="${between.baseUrl}/cfbe.js"></script><h1>A shop</h1>${markup(program)}</html>`;
    const headers = { "content-type": "text/html; charset=utf-8" };
    const site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(html, { headers }),
    );
    stack.defer(() => site.shutdown());
    const context = await (await (browser ??= launch())).newContext({ locale: "en" });
    stack.defer(() => context.close());
    context.setDefaultTimeout(SOON_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`http://127.0.0.1:${site.addr.port}/`);
    await drive({
      page,
      program,
      between,
      async signUp() {
        await page.getByLabel(en.emailLabel).fill(ANN);
        await page.getByRole("button", { name: en.button }).click();
        await page.getByText(en.success).last().waitFor();
      },
      async arrived() {
        await eventually("the signup has arrived", SOON_MS, async () => {
          return (await statusOf(program.services, ANN))?.[0]?.record.status === "pending";
        });
        const [status, ...more] = await statusOf(program.services, ANN) as SignupStatus[];
        assert.equal(more.length, 0);
        return status!;
      },
    });
    assert.deepEqual(errors, [], "nothing was thrown");
  });
}

const FORM = () => `<cfbe-form form="footer"><a href="/by-hand">Subscribe by hand</a></cfbe-form>`;
const message = ({ page }: Visit, text: string) =>
  page.locator("[part=message]:visible").getByText(text).waitFor();

const CONFIGURATIONS: [what: string, markup: (program: TestProgram) => string][] = [
  ["no configuration", () => "<cfbe-form></cfbe-form>"],
  ["a form that is not in the settings", () => `<cfbe-form form="gone"></cfbe-form>`],
  ["an empty cfg", () => `<cfbe-form cfg=""></cfbe-form>`],
  ["a cfg that is none", () => `<cfbe-form cfg="%00 nonsense &quot;>"></cfbe-form>`],
  ["a cfg signed by somebody else", () => `<cfbe-form cfg="eyJsaXN0IjoieCJ9.AAAA"></cfbe-form>`],
  [
    "a cfg with one character changed",
    ({ services }) => {
      const cfg = signFormConfig(services.keyring, { placement: "landing", tags: ["vip"] });
      return `<cfbe-form cfg="${cfg.startsWith("e") ? "f" : "e"}${cfg.slice(1)}"></cfbe-form>`;
    },
  ],
  [
    "a cfg for a list that is not known",
    ({ services }) =>
      `<cfbe-form cfg="${signFormConfig(services.keyring, { list: "never-loaded" })}"></cfbe-form>`,
  ],
];

for (const [what, markup] of CONFIGURATIONS) {
  badTest(`${what}: the signup goes to the default list, without another's tags`, markup, async (visit) => {
    await visit.signUp();
    const { record } = await visit.arrived();
    assert.equal(record.list, visit.program.services.settings.current().general.defaultList);
    assert.equal(record.tags.includes("vip"), false);
  });
}

badTest(
  "a cfg that is signed does count",
  ({ services }) =>
    `<cfbe-form cfg="${
      signFormConfig(services.keyring, { placement: "landing", tags: ["vip"] })
    }"></cfbe-form>`,
  async (visit) => {
    await visit.signUp();
    assert.deepEqual((await visit.arrived()).record.tags.toSorted(), ["placement-landing", "vip"]);
  },
);

const FAULTS: [fault: Fault, how: string][] = [
  ["silent", "hangs"],
  ["down", "cuts the line"],
  ["html", "answers somebody's HTML"],
  ["not-found", "answers 404"],
  ["bad-gateway", "answers 502"],
];

for (const [fault, how] of FAULTS) {
  for (const part of ["subscribe", "token"] as const) {
    badTest(
      `a service whose ${part} route ${how}: the visitor is told, what was typed is there, and a later try succeeds`,
      FORM,
      async (visit) => {
        const { page, between, program } = visit;
        between.fail(part, fault);
        await page.getByLabel(en.emailLabel).fill(ANN);
        await page.getByRole("button", { name: en.button }).click();
        await message(visit, en.error);
        assert.ok(between.failed > 0);
        assert.equal(await page.getByLabel(en.emailLabel).inputValue(), ANN);
        assert.deepEqual(await statusOf(program.services, ANN), []);
        between.fail(part, "none");
        await visit.signUp();
        await visit.arrived();
      },
    );
  }
}
