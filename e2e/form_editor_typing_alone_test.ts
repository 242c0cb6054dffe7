/** How soon the form in the editor shows what is typed beside it, on a slow computer. Runs alone, because it measures time. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, SOON } from "./admin_test_case.ts";
import { formIn } from "./form_editor.ts";

const SLOWDOWN = 4;
/** From the input event to the frame that shows the text: half of all keys are shown within it. */
const MOST_MS = 100;
const KEYS = "oin the Autumn Club for tea and cake";
/** A fast typist's. */
const BETWEEN_KEYS_MS = 140;

type Times = [text: string, at: number][];
declare const times: Times;

/** Notes when the heading has each text: in the page when it is typed, in the preview when it was drawn. */
function observe(): void {
  const noted: Times = [];
  Object.assign(globalThis, { times: noted });
  if (top === self) {
    const note = ({ target }: Event) => noted.push([(target as HTMLInputElement).value, Date.now()]);
    return addEventListener("input", note, { capture: true });
  }
  // The preview's `performance.now()` is ahead of time, so that forms open at once.
  const look = () => {
    const text = document.querySelector("cfbe-form")?.shadowRoot?.querySelector("[part=heading]")
      ?.textContent;
    if (!text || text === noted.at(-1)?.[0]) return;
    requestAnimationFrame(() => setTimeout(() => noted.push([text, Date.now()])));
  };
  addEventListener("message", () => setTimeout(look));
}

async function slowDown(page: Page): Promise<void> {
  // The preview has a process of its own.
  for (const target of [page, ...page.frames().slice(1)]) {
    const session = await page.context().newCDPSession(target);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  }
}

adminTest(
  "a text that is typed shows in the form within 100 ms, on a computer with a quarter of the speed",
  "/overview",
  async ({ page, open }) => {
    await page.addInitScript(observe);
    await open("/form-settings?form=footer");
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("J");
    await formIn(page).locator("[part=heading]").getByText("J", { exact: true }).waitFor(SOON);
    await slowDown(page);
    await heading.press("End");
    for (const key of KEYS) {
      await page.keyboard.type(key);
      await page.waitForTimeout(BETWEEN_KEYS_MS);
    }
    await formIn(page).locator("[part=heading]").getByText(`J${KEYS}`).waitFor(SOON);
    await page.waitForTimeout(BETWEEN_KEYS_MS);
    const shown = await Promise.all(page.frames().slice(1).map((frame) => frame.evaluate(() => times)));
    const first = new Map(shown.flat().reverse());
    const typed = (await page.evaluate(() => times)).slice(-KEYS.length);
    const delays = typed.map(([text, at]) => (first.get(text) ?? Infinity) - at).sort((a, b) => a - b);
    assert.ok(delays[KEYS.length >> 1]! <= MOST_MS, `${delays.map(Math.round)} ms`);
  },
);
