/** Scripts that name their form, on pages that are not as the script expects. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { startProgram, type TestProgram } from "../dev/testing/program.ts";
import type { PartialSettings } from "../server/settings/schema/schema.ts";
import { de } from "../shared/texts/de.ts";
import { en } from "../shared/texts/en.ts";
import { browserOfFile } from "./browser.ts";

const SCRIPT = '<script async src="BASE/cfbe.js?form=footer"></script>';
const FORM = '<cfbe-form form="footer"><a href="/form">By hand</a></cfbe-form>';

const browser = browserOfFile();

interface Case {
  body: string;
  lang?: string;
  policy?: string;
  settings?: PartialSettings;
  /** Allowed origins, given that of the page. */
  origins?: (page: string) => string[];
  test(site: { page: Page; program: TestProgram; names: string[]; logs: string[] }): Promise<void>;
}

function pageTest(name: string, { body, lang = "en", policy, settings = {}, origins, test }: Case): void {
  Deno.test({
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      let html = "";
      const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () =>
        new Response(html, {
          headers: {
            "content-type": "text/html",
            ...policy && { "content-security-policy": html && policy },
          },
        }));
      const url = `http://127.0.0.1:${server.addr.port}`;
      await using program = await startProgram({
        file: {
          settings: {
            forms: {
              forms: [{ name: "footer", heading: "Of the footer" }, { name: "hero", heading: "Of the hero" }],
            },
            general: { origins: origins?.(url) ?? [] },
            ...settings,
          },
        },
      });
      const fill = (text: string) => text.replaceAll("BASE", program.baseUrl);
      html = fill(
        `<!doctype html><html lang="${lang}"><link rel="icon" href="data:,"><title>A page</title>${body}</html>`,
      );
      if (policy) policy = fill(policy);
      const context = await browser().newContext({ locale: "en-GB" });
      try {
        const page = await context.newPage();
        const names: string[] = [];
        const logs: string[] = [];
        page.on("request", (request) => names.push(new URL(request.url()).pathname.split("/").at(-1)!));
        page.on("console", (message) => logs.push(message.text()));
        page.on("pageerror", (error) => logs.push(String(error)));
        await page.goto(url);
        await test({ page, program, names, logs });
      } finally {
        await context.close();
        await server.shutdown();
      }
    },
  });
}

const isSettings = (name: string) => name === "cfbe.json";

async function signUp(page: Page): Promise<void> {
  await page.getByRole("textbox").first().fill("ada@example.com");
  await page.getByRole("textbox").first().press("Enter");
  await page.getByText(en.form.successHeading).first().waitFor();
}

const accepted = async (program: TestProgram) => (await program.services.counters.totals())["accepted"] ?? 0;

pageTest("a page in another language than the script gets its settings from the server", {
  body: SCRIPT + FORM,
  lang: "de",
  async test({ page, names }) {
    await page.getByRole("button", { name: de.form.button }).waitFor();
    assert.equal(names.filter(isSettings).length, 1);
  },
});

pageTest("a region of the script's language needs no other settings", {
  body: SCRIPT + FORM,
  lang: "en-US",
  async test({ page, names }) {
    await page.getByRole("button", { name: en.form.button }).waitFor();
    assert.equal(names.filter(isSettings).length, 0);
  },
});

pageTest(
  "a page that is not on an allowed origin shows no form, and asks the server, which notices the site",
  {
    body: SCRIPT + FORM,
    origins: () => ["https://shop.example"],
    async test({ page, program, logs }) {
      await page.waitForEvent("console", (message) => message.text().includes("form not loaded"));
      assert.equal(await page.getByText("By hand").isVisible(), true);
      assert.equal(await page.locator("cfbe-form").evaluate((form) => form.shadowRoot), null);
      assert.ok(logs.some((line) => line.includes("cfbe.json") && line.includes("CORS")));
      assert.equal((await program.services.counters.totals())["seen"], undefined);
    },
  },
);

pageTest("a second form of the page, and one that a button opens, have their own settings", {
  body: `${SCRIPT}${FORM}<cfbe-form form="hero"></cfbe-form><button data-cfbe-open="hero">Open</button>`,
  async test({ page, names }) {
    await page.getByRole("heading", { name: "Of the footer" }).waitFor();
    await page.getByRole("heading", { name: "Of the hero" }).waitFor();
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Of the hero" }).waitFor();
    assert.equal(names.filter(isSettings).length, 1);
  },
});

pageTest("a button alone opens a form that the script does not name", {
  body: `${SCRIPT}<button data-cfbe-open="hero">Open</button><button data-cfbe-open="footer">Other</button>`,
  async test({ page }) {
    await page.getByRole("button", { name: "Other" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Of the footer" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "Of the hero" }).waitFor();
  },
});

pageTest("a form that changes its name gets the settings of the other one", {
  body: SCRIPT + FORM,
  async test({ page }) {
    await page.getByRole("heading", { name: "Of the footer" }).waitFor();
    await page.locator("cfbe-form").evaluate((form) => form.setAttribute("form", "hero"));
    await page.getByRole("heading", { name: "Of the hero" }).waitFor();
  },
});

pageTest("under a strict policy with a nonce, the script needs nothing else", {
  body: SCRIPT.replace("<script", '<script nonce="abc"') + FORM,
  policy: "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src BASE; img-src data:; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  async test({ page, program, logs, names }) {
    await signUp(page);
    assert.equal(await accepted(program), 1);
    assert.deepEqual(logs, []);
    assert.ok(!names.some(isSettings));
  },
});

pageTest("a page that was loaded before the allowed origins were removed signs up with a preflight request", {
  body: SCRIPT + FORM,
  origins: (page) => [page],
  settings: {},
  async test({ page, program }) {
    await page.getByRole("textbox").first().waitFor();
    const { settings } = program.services;
    const { current } = settings;
    settings.current = () => ({ ...current(), general: { ...current().general, origins: [] } });
    await signUp(page);
    assert.equal(await accepted(program), 1);
    assert.equal((await program.services.counters.totals())["invalid.not_json"], 1);
  },
});
