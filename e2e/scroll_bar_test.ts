/** The popup on pages whose scroll bar takes up space. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { launchWithScrollBars } from "./browser.ts";
import { type Shop, startShop } from "./shop_with_form.ts";

const NO_SANITIZERS = { sanitizeOps: false, sanitizeResources: false }; // The browser outlives a step of the sanitizers.

const PAGES: Record<string, string> = {
  "a page without a background": "",
  "a dark page without a background": "html { color-scheme: dark }",
  "a page with a background": "body { background: #cef }",
  "a page with two backgrounds": "html { background: #fec } body { background: #cef; margin: 0 80px }",
  "a backdrop of the page's own": "body { background: #cef; --cfbe-backdrop: rgb(255 0 0 / 0.25) }",
};

let shop: Promise<Shop> | undefined;
let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await (await browser)?.close();
  await (await shop)?.[Symbol.asyncDispose]();
});

/** Opens a page that is higher than the window. Its popup opens after a second. */
async function openPage(css: string): Promise<Page> {
  const { url } = await (shop ??= startShop("popup", `<main style="height: 5000px"></main>`));
  const context = await (await (browser ??= launchWithScrollBars())).newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(url);
  await page.addStyleTag({ content: css || "main {}" });
  return page;
}

const widths = (page: Page) => page.evaluate(() => [innerWidth, document.body.getBoundingClientRect().width]);

/** Returns the colors of a pixel beside the scroll bar's place and of one in it: red, green and blue, 0 to 255. */
async function colorsOfEdge(page: Page): Promise<[number[], number[]]> {
  const { width, height } = page.viewportSize()!;
  const picture = await page.screenshot({ clip: { x: width - 30, y: height / 2, width: 30, height: 1 } });
  return await page.evaluate(async (png) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.fromBase64(png)]));
    const context = new OffscreenCanvas(30, 1).getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const colorAt = (x: number) => [...context.getImageData(x, 0, 1, 1).data.slice(0, 3)];
    return [colorAt(2), colorAt(22)];
  }, picture.toBase64());
}

for (const [what, css] of Object.entries(PAGES)) {
  Deno.test(`behind the popup, the place of the scroll bar looks like ${what}`, NO_SANITIZERS, async () => {
    const page = await openPage(css);
    const [window, body] = await widths(page);
    assert.ok(body! < window!, "the scroll bar takes up space");
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await widths(page), [window, body], "nothing shifts");
    const [beside, inPlace] = await colorsOfEdge(page);
    // Mixed colors can be rounded otherwise.
    assert.ok(beside.every((value, i) => Math.abs(value - inPlace[i]!) <= 1), `${inPlace}, not ${beside}`);
    await page.keyboard.press("Escape");
    await page.waitForFunction("getComputedStyle(document.documentElement).backgroundImage === 'none'");
    await page.context().close();
  });
}

Deno.test("a page with a background image keeps it behind the popup", NO_SANITIZERS, async () => {
  const page = await openPage("body { background: linear-gradient(#cef, #fec) }");
  const before = await widths(page);
  await page.locator("dialog[open]").waitFor();
  assert.deepEqual(await widths(page), before, "nothing shifts");
  assert.equal(await page.evaluate("getComputedStyle(document.documentElement).backgroundImage"), "none");
  await page.context().close();
});
