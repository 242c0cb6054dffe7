/**
 * Forms that open by themselves, with the browser's own clock: the other tests pause it, so that a page in which time
 * passes between two statements is seen only here. `deno task test:openings` loads each page 200 times.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { OpeningKind } from "../../../shared/opening_kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { DAYS } from "../../../shared/targeting.ts";
import { ARTICLE, formThatOpens } from "../testing/openings.ts";
import { RULES } from "../testing/popup.ts";
import { browserTest, open } from "../testing/site.ts";
import { testSize } from "../../../dev/testing/test_size.ts";

/** How often each page is loaded, how many are open at a time, and the delays in seconds. */
const LOADS = testSize("CFBE_TEST_OPENINGS", 4);
const PARALLEL = testSize("CFBE_TEST_OPENINGS_PARALLEL", 4);
const DELAYS = (Deno.env.get("CFBE_TEST_OPENINGS_DELAYS") ?? "1").split(",").map(Number);
/** How late a form may open on a busy machine, its code and the form in it included. */
const LATEST_MS = 10_000;

interface Case {
  what: string;
  kind?: OpeningKind;
  body?: string;
  /** Removes what blocks the form. */
  unblock?: (page: Page) => Promise<unknown>;
}

const opened = () => !!document.querySelector("cfbe-popup[open]");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const run = (script: string) => (page: Page) => page.evaluate(script);

const CASES: Case[] = [
  { what: "the popup" },
  { what: "a slide-in", kind: "slide-in" },
  { what: "a bar", kind: "bar-bottom" },
  {
    what: "the popup, once a cookie bar is hidden,",
    body: `<div id=cookies style="position:fixed;inset:auto 0 0">We use cookies</div>`,
    unblock: run(`document.querySelector("#cookies").style.display = "none"`),
  },
  {
    what: "the popup, once a small dialog with a role is removed,",
    body: `<div id=host role=dialog style="position:fixed;inset:auto 0 0 auto">How can we help?</div>`,
    unblock: run(`document.querySelector("#host").remove()`),
  },
  {
    what: "the popup, once a modal dialog with a role is removed,",
    body: `<div id=host role=dialog aria-modal=true style="position:fixed;inset:0">Choose</div>`,
    unblock: run(`document.querySelector("#host").remove()`),
  },
  {
    what: "the popup, once a native dialog is closed,",
    body: `<dialog id=host>Choose</dialog><script>document.querySelector("#host").showModal()</script>`,
    unblock: run(`document.querySelector("#host").close()`),
  },
  {
    what: "the popup, once an inline form is scrolled away,",
    body: `<cfbe-form form=footer style="display:block;position:absolute;top:0"></cfbe-form>`,
    unblock: run(`scrollTo(0, document.body.scrollHeight)`),
  },
  {
    what: "the popup, once a field has lost the focus,",
    body: `<input id=field><script>document.querySelector("#field").focus()</script>`,
    unblock: run(`document.querySelector("#field").blur()`),
  },
];

function settingsOf(kind: OpeningKind | undefined, delaySeconds: number): Partial<PublicSettings> {
  const triggers = { delaySeconds, scrollPercent: 0, exitIntent: false };
  return kind
    ? { opening: ["sale"], forms: { sale: formThatOpens(kind, { triggers }) } }
    : { popup: { cfg: "popup.cfg", rules: { ...RULES, triggers } } };
}

/**
 * Loads a page, and waits for the form.
 *
 * @returns how long after its delay it opened in milliseconds, or what blocks it
 */
async function load(page: Page, delaySeconds: number, unblock: Case["unblock"]): Promise<number | string> {
  await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  await page.reload();
  if (unblock) {
    // Around the end of the delay, and when the form would have been open for a while.
    await pause(delaySeconds * 1000 + (Math.random() < 0.5 ? 1000 : 600 * Math.random() - 300));
    if (await page.evaluate(opened)) return "open, although it was blocked";
    await unblock(page);
  }
  const timeout = delaySeconds * 1000 + LATEST_MS;
  return await page.waitForFunction(opened, undefined, { timeout }).then(
    () => page.evaluate((ms) => performance.now() - ms, delaySeconds * 1000),
    async () => `closed, blocked by ${JSON.stringify(await page.evaluate("cfbe.why()"))}`,
  );
}

for (const delaySeconds of DELAYS) {
  for (const { what, kind, body = "", unblock } of CASES) {
    browserTest(`${what} opens in each of ${LOADS} loads, ${delaySeconds} s after the page`, async () => {
      const results: (number | string)[] = [];
      const loads = Array.from({ length: LOADS }, (_, n) => n);
      const worker = async () => {
        await using site = await open(ARTICLE + body, {
          live: true,
          settings: settingsOf(kind, delaySeconds),
        });
        while (loads.pop() !== undefined) results.push(await load(site.page, delaySeconds, unblock));
      };
      await Promise.all(Array.from({ length: Math.min(PARALLEL, LOADS) }, worker));
      const late = results.filter((result) => typeof result === "number").sort((a, b) => a - b);
      if (Deno.env.has("CFBE_TEST_OPENINGS")) {
        const [median, last] = [late[late.length >> 1], late.at(-1)].map((ms) => Math.round(ms ?? NaN));
        console.log(
          `${late.length} of ${LOADS} opened, median ${median} ms after the delay, at most ${last} ms`,
        );
      }
      assert.deepEqual(results.filter((result) => typeof result === "string"), []);
    });
  }
}

browserTest(
  "by the browser's clock, the popup opens once per session, and not while hideDays last",
  async () => {
    await using site = await open(ARTICLE, { live: true, settings: settingsOf(undefined, 1) });
    const { page } = site;
    const reloaded = async () => {
      await page.reload();
      // Long enough for it to open, as it did before.
      await pause(2_500);
      return [await page.evaluate(opened), await page.evaluate("cfbe.why()")];
    };
    await page.waitForFunction(opened);
    const before = Date.now();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => "cfbe_popup" in localStorage);
    const closedAt = Number(await page.evaluate(() => localStorage.cfbe_popup));
    assert.ok(before <= closedAt && closedAt <= Date.now(), "it remembers when it was closed");
    assert.deepEqual(await reloaded(), [false, ["shown", "closed"]]);

    const closeAgain = (daysAgo: number) =>
      page.evaluate((daysAgo) => {
        sessionStorage.clear();
        localStorage.cfbe_popup = Date.now() - daysAgo * 86_400_000;
      }, daysAgo);
    await closeAgain(RULES.hideDays - 0.01);
    assert.deepEqual(await reloaded(), [false, ["closed"]]);
    await closeAgain(RULES.hideDays);
    await page.reload();
    await page.waitForFunction(opened);
  },
);

browserTest(
  "by the browser's clock, no form opens while quiet hours last, and the next page opens it after them",
  async () => {
    await using site = await open(ARTICLE, { live: true, settings: settingsOf("slide-in", 1) });
    const { page } = site;
    await page.waitForFunction(opened);
    const closeAgain = (hoursAgo: number) =>
      page.evaluate((hoursAgo) => {
        localStorage.clear();
        sessionStorage.clear();
        localStorage.cfbe_popup_closed = Date.now() - hoursAgo * 3_600_000;
      }, hoursAgo);
    await closeAgain(23.9);
    await page.reload();
    await page.waitForFunction(`cfbe.why("sale").join() === "quiet"`);
    await pause(1_500);
    assert.equal(await page.evaluate(opened), false);
    await closeAgain(24);
    await page.reload();
    await page.waitForFunction(opened);
  },
);

browserTest(
  "by the browser's clock, a form opens within the hours that its targeting names, and not outside of them",
  async () => {
    const clockTime = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const between = (from: number, to: number) => [{
      conditions: [{
        ...{ kind: "time" as const, days: [...DAYS], from: clockTime(from), to: clockTime(to) },
        ...{ timeZone: "UTC", offsets: [[0, 0] as [number, number]], not: false },
      }],
    }];
    for (const [from, to, opens] of [[-2, 2, true], [2, 4, false], [-4, -2, false]] as const) {
      const triggers = { delaySeconds: 1, scrollPercent: 0, exitIntent: false };
      const rules = { triggers, targeting: between(from, to) };
      await using site = await open(ARTICLE, {
        live: true,
        settings: { opening: ["sale"], forms: { sale: formThatOpens("slide-in", rules as never) } },
      });
      if (opens) await site.page.waitForFunction(opened);
      else {
        await pause(2_500);
        assert.equal(await site.page.evaluate(opened), false, `${from} to ${to}`);
      }
    }
  },
);
