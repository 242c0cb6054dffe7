/** Pastes the snippets of the admin into a page, and measures layout shifts with a late script. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { snippetsFor } from "../server/admin/forms/snippets.ts";
import type { PartialSettings } from "../server/settings/schema/schema.ts";
import { startProgram } from "../dev/testing/program.ts";
import { browserOfFile } from "./browser.ts";
import { RECORD, recorded } from "./host_pages/host_view.ts";
import { createOverlap } from "./overlap.ts";

const WIDTHS = [360, 800, 1280];
const LATE_MS = 1_000;
const VERY_LATE_MS = 3_000;
/** Longer forms waste more, because one height serves all phones. */
const MAX_DEFAULT_WASTE_PX = 40;
const TIMEOUT_MS = 20_000;

const LONG_TEXTS = {
  heading: "A letter about coffee, bread and everything that is good on a Sunday morning",
  text:
    "One recipe, one bean, one good read. Every other Sunday, never more than that. Unsubscribe at any time.",
  button: "Send me the Sunday letter",
};
const ALL_FIELDS: PartialSettings["form"] = {
  nameField: "optional",
  interests: ["Coffee beans", "Brewing", "Bread", "Courses in our roastery", "Offers"].map((
    label,
    index,
  ) => ({
    tag: `interest-${index}`,
    label,
  })),
  consent: "required",
  consentText:
    "I have read the [privacy policy](https://shop.example/privacy) and want to receive the newsletter by email.",
};

interface Case {
  name: string;
  settings: PartialSettings;
  language?: string;
  lateMs?: number;
  maxWastePx?: number;
}

const layout = (layout: "inline" | "block" | "promo", texts = {}) => ({
  forms: [{ name: "footer", layout, ...texts }],
});

/** A minute in UTC, some days from now. */
const minuteIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
const withCountdown = (days: number): PartialSettings => ({
  general: { timeZone: "UTC" },
  forms: layout("inline", { countdown: minuteIn(days) }),
});

const CASES: Case[] = [
  { name: "default settings", settings: { forms: layout("inline") }, maxWastePx: MAX_DEFAULT_WASTE_PX },
  { name: "default settings, script 3 s late", settings: { forms: layout("inline") }, lateMs: VERY_LATE_MS },
  { name: "German page", settings: { forms: layout("inline") }, language: "de" },
  { name: "block layout", settings: { forms: layout("block") } },
  { name: "a countdown of days", settings: withCountdown(9), language: "fr" },
  { name: "a countdown of years", settings: withCountdown(4000), language: "de" },
  { name: "promo layout", settings: { forms: layout("promo") } },
  ...(["inline", "block", "promo"] as const).map((each) => ({
    name: `long texts and all fields, ${each} layout`,
    settings: { forms: layout(each, LONG_TEXTS), form: ALL_FIELDS, general: { modules: { coupons: true } } },
  })),
];

const browser = browserOfFile();
const overlap = createOverlap();
Deno.test.afterAll(() => overlap.end());

for (const { name, settings, language = "en", lateMs = LATE_MS, maxWastePx = Infinity } of CASES) {
  overlap.add(
    `a pasted snippet reserves the height of its form, so that nothing shifts: ${name}`,
    async () => {
      await using program = await startProgram({ file: { settings } });
      const current = program.services.settings.current();
      const { html } = snippetsFor(program.baseUrl, current.forms.forms[0]!, current, [language], Date.now());
      await using site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () =>
        new Response(
          `<!doctype html><html lang="${language}"><meta name="viewport" content="width=device-width">
        <title>A shop</title><style>body { margin: 16px }</style><h1>A shop</h1>${html}<p>What follows.</p></html>`,
          { headers: { "content-type": "text/html; charset=utf-8" } },
        ));
      await Promise.all(WIDTHS.map(async (width) => {
        const context = await browser().newContext({ viewport: { width, height: 2500 } });
        try {
          const page = await context.newPage();
          await page.addInitScript(RECORD);
          await page.route(/\/cfbe\.js$/, async (route) => {
            await new Promise((resolve) => setTimeout(resolve, lateMs));
            await route.continue();
          });
          await page.goto(`http://127.0.0.1:${site.addr.port}/`);
          await page.waitForFunction("recorded.events.some(({ type }) => type === 'cfbe-ready')", null, {
            timeout: TIMEOUT_MS,
          });
          // Layout shifts are reported after their frame.
          await page.evaluate(() =>
            new Promise((done) => new IntersectionObserver(done).observe(document.body))
          );
          assert.equal((await recorded(page)).shifted, 0, `layout shift, ${width} px wide`);
          const waste = await wasteOf(page);
          assert.ok(waste < maxWastePx, `${waste} px reserved for nothing, ${width} px wide`);
        } finally {
          await context.close();
        }
      }));
    },
  );
}

/** Returns how many CSS pixels of the reserved height the form does not need. */
function wasteOf(page: Page): Promise<number> {
  return page.locator("cfbe-form").evaluate((form: HTMLElement) => {
    const reserved = form.offsetHeight;
    form.style.cssText = "--cfbe-min-height: 0; min-height: 0";
    return reserved - form.offsetHeight;
  });
}
