/**
 * A visitor signs up through each kind of form, in a real browser with the real clock, and the signup is stored.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { systemClock } from "../../server/deps.ts";
import { keys } from "../../server/kv/keys.ts";
import type { PartialSettings } from "../../server/settings/schema.ts";
import type { SignupRecord } from "../../server/signup/record/row.ts";
import { startProgram, type TestProgram } from "../../server/testing/program.ts";
import { launch } from "../browser.ts";
import { createOverlap } from "../overlap.ts";

const SOON_MS = 20_000;
const opens = (kind: string) => ({ opens: { kind, triggers: { delaySeconds: 1 } } });
const OWN_MARKUP = `<form data-cfbe-form="own"><label>Email address <input name="email" type="email"></label>
  <button>Subscribe</button> <output data-cfbe-message></output></form>`;

/** The settings of a form of each kind, and what its page contains. A form that opens by itself needs no markup. */
const KINDS: Record<string, { form: Record<string, unknown>; markup?: string }> = {
  inline: { form: { layout: "inline" }, markup: `<cfbe-form form="inline"></cfbe-form>` },
  block: { form: { layout: "block" }, markup: `<cfbe-form form="block"></cfbe-form>` },
  promo: { form: { layout: "promo" }, markup: `<div data-cfbe-form="promo"></div>` },
  own: { form: {}, markup: OWN_MARKUP },
  popup: { form: opens("popup") },
  "slide-in": { form: opens("slide-in") },
  "bar-top": { form: opens("bar-top") },
  "bar-bottom": { form: opens("bar-bottom") },
};

interface Visit extends AsyncDisposable {
  program: TestProgram;
  page: Page;
}

/** Opens a page with the form of a kind on another origin than the program. */
async function visit(kind: string): Promise<Visit> {
  const { form, markup = "" } = KINDS[kind]!;
  const settings = { forms: { forms: [{ name: `my-${kind}`, ...form }] } } as unknown as PartialSettings;
  const program = await startProgram({ clock: systemClock, file: { settings } });
  const html = `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
    <script async src="${program.baseUrl}/cfbe.js"></script><h1>A shop</h1>
    ${markup.replaceAll(`"${kind}"`, `"my-${kind}"`)}</html>`;
  const headers = { "content-type": "text/html" };
  const shop = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(html, { headers }),
  );
  const browser = await launch();
  const page = await (await browser.newContext({ locale: "en" })).newPage();
  await page.goto(`http://127.0.0.1:${shop.addr.port}/`);
  return {
    program,
    page,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await shop.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}

const overlap = createOverlap();
Deno.test.afterAll(() => overlap.end());

for (const kind of Object.keys(KINDS)) {
  overlap.add(
    `a visitor signs up through the form of the kind ${kind}, and the signup is stored`,
    async () => {
      await using visited = await visit(kind);
      const { page, program } = visited;
      const email = `${kind}@example.com`;
      const field = page.getByRole("textbox", { name: "Email address" });
      await field.waitFor({ timeout: SOON_MS });
      await field.fill(email);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await page.getByText("check your inbox").last().waitFor({ timeout: SOON_MS });
      const { kv, settings } = program.services;
      const key = keys.signup(email, settings.current().general.defaultList);
      assert.equal((await kv.get<SignupRecord>(key)).value?.form, `my-${kind}`);
    },
  );
}
