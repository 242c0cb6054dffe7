/** Opens scenes in a browser. */
import type { Browser, Page } from "playwright-core";
import { forEachConcurrently } from "../for_each_concurrently.ts";
import { startExamplePage } from "./example_page.ts";
import { startPrograms } from "./programs.ts";
import { type Scene } from "./scenes.ts";

/** Shown in place of the program's own URL, whose port is another one each time. */
const SHOWN_URL = "https://news.example.com";

interface Options {
  theme: "light" | "dark";
  /** Pixels of the picture per pixel of the page. */
  scale: number;
  /** Replaces the width of every scene. */
  width?: number | undefined;
  /** Number of days that the sample data covers. */
  days?: number;
}

/** Opens each scene in a page of its own, three at a time, and calls `use` while it is open. */
export async function eachScene(
  browser: Browser,
  scenes: readonly Scene[],
  { theme, scale, width, days }: Options,
  use: (scene: Scene, page: Page) => Promise<void>,
): Promise<void> {
  // The admin shows times in the machine's time zone.
  Deno.env.set("TZ", "UTC");
  const look = { colorScheme: theme, deviceScaleFactor: scale, reducedMotion: "reduce" } as const;
  await using programs = startPrograms(browser, scenes.map(({ program }) => program), look, days);
  await using example = startExamplePage(async () => (await programs.get("live")).program.baseUrl);
  await forEachConcurrently(scenes, async (scene) => {
    const size = { ...scene.size, ...width && { width } };
    const { context, program: { baseUrl } } = await programs.get(scene.program);
    const page = await context.newPage();
    await page.setViewportSize(size);
    await scene.open({ page, baseUrl, example }).catch((cause) => {
      throw new Error(`${scene.name}: ${cause.message}`, { cause });
    });
    // The page's scripts show buttons that need them, and have run by then.
    await page.waitForLoadState("load");
    if (scene.size.fit) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: size.width, height: Math.min(size.height, height) });
    }
    await page.evaluate(replaceText, [baseUrl, SHOWN_URL]);
    await use(scene, page);
    await page.close();
  });
}

/** Replaces a text in the page, also in fields. Runs in the browser. */
function replaceText([from, to]: string[]): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.data.includes(from!)) node.data = node.data.replaceAll(from!, to!);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("input, textarea")) {
    if (field.value.includes(from!)) field.value = field.value.replaceAll(from!, to!);
  }
}
