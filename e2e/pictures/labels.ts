import type { Page } from "playwright-core";

/** Where the labels of each picture are, as they were when it was taken. */
export const LABELS_FILE = new URL("../../docs/images/labels.json", import.meta.url);

/** The labels of each picture, by its name. */
export type Labels = Record<string, string[]>;

const LABELED = ["h1", "h2", "h3", "label", "legend", "button", "thead th", "dt", "nav a"];

/**
 * Returns the headings, labels, buttons and table headings that the page shows, also in shadow roots, sorted. Numbers are
 * replaced by 0, because they depend on how much data there is.
 */
export async function labelsOf(page: Page): Promise<string[]> {
  const texts = await page.locator(LABELED.map((name) => `${name}:visible`).join()).allInnerTexts();
  const labels = texts.map((text) => text.replace(/\s+/g, " ").trim().replace(/\d[\d,.]*/g, "0"));
  return [...new Set(labels)].filter((label) => label !== "").sort();
}

export async function readLabels(): Promise<Labels> {
  return JSON.parse(await Deno.readTextFile(LABELS_FILE));
}
