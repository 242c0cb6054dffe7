/** The widget in the oldest Chromium in which everything works, beside the current one. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { launch } from "../browser.ts";
import { FORMS, isOpenedByButton, startSite } from "../every_kind.ts";
import { runProgram } from "../program.ts";
import { signUp, statusOf, visit, waitForStatus } from "../visitors.ts";
import { launchOldest } from "./oldest_chromium.ts";

const NO_SANITIZERS = { sanitizeOps: false, sanitizeResources: false }; // The browser outlives a step of the sanitizers.
const PARTS = ["form", "heading", "text", "label", "input", "button", "close"];

/** Returns the colors and the border of each part of the form on a page. */
async function lookOf(page: Page): Promise<Record<string, string>> {
  const look: Record<string, string> = {};
  for (const part of PARTS) {
    const element = page.locator(`[part~=${part}]`).first();
    if (await element.count() === 0) continue;
    look[part] = await element.evaluate((element) => {
      const { color, backgroundColor, borderTopStyle, borderTopWidth } = getComputedStyle(element);
      return [color, backgroundColor, borderTopStyle, borderTopWidth].join(" ");
    });
  }
  return look;
}

async function looksIn(browser: Browser, origin: string, colorScheme: "light" | "dark") {
  const looks: Record<string, Record<string, string>> = {};
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  for (const form of FORMS.filter((name) => name !== "own" && name !== "rich")) {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${origin}/${form}`);
    if (isOpenedByButton(form)) await page.locator("[data-cfbe-open]").click();
    await page.locator("[part~=form]").waitFor();
    looks[form] = await lookOf(page);
    assert.deepEqual(errors, [], form);
    await page.close();
  }
  await context.close();
  return looks;
}

Deno.test(
  "every kind of form has the colors and borders that it has in a current browser, light and dark",
  NO_SANITIZERS,
  async () => {
    await using site = await startSite();
    const [oldest, current] = [await launchOldest(), await launch()];
    try {
      for (const scheme of ["light", "dark"] as const) {
        const looks = await looksIn(oldest, site.origin, scheme);
        assert.deepEqual(looks, await looksIn(current, site.origin, scheme), scheme);
        assert.notEqual(looks["inline"]!["button"], undefined);
      }
    } finally {
      await oldest.close();
      await current.close();
    }
  },
);

Deno.test("a form that stores where the visitor came from signs up", NO_SANITIZERS, async () => {
  await using program = await runProgram();
  const from = { name: "came_from", kind: "hidden", label: "From", from: "referrer" };
  await program.cfbe("settings", "set", "forms.forms", JSON.stringify([{ name: "club", fields: [from] }]));
  await using site = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const html = new URL(request.url).pathname === "/"
      ? `<a href="/shop">To the shop</a>`
      : `<script async src="${program.baseUrl}/cfbe.js"></script><cfbe-form form="club"></cfbe-form>`;
    return new Response(`<!doctype html><html lang="en"><title>A shop</title>${html}</html>`, {
      headers: { "content-type": "text/html" },
    });
  });
  const origin = `http://127.0.0.1:${site.addr.port}`;
  const browser = await launchOldest();
  try {
    const visitor = await visit(browser, origin);
    await visitor.page.getByRole("link").click();
    await signUp(visitor, "ada@example.com");
    await waitForStatus(program, "ada@example.com", "pending");
    const { record } = await statusOf(program, "ada@example.com");
    assert.deepEqual(record.fields, { came_from: origin });
  } finally {
    await browser.close();
  }
});
