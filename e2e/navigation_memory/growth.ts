/** What a page keeps in memory after many navigations between views with forms. */
import type { Browser, CDPSession, Page } from "playwright-core";
import { EMPTY_VIEW, FORM_VIEWS } from "./site.ts";

/** Until the parts and settings are loaded, code is compiled, and the browser's history is full, with 50 entries. */
const FIRST_NAVIGATIONS = 12 * FORM_VIEWS.length;

/** What the page's process contains after garbage was collected. */
interface Memory {
  /** DOM nodes, in the document or not. */
  nodes: number;
  /** Event listeners written in JavaScript. */
  listeners: number;
  /** Live objects on the JavaScript heap, in bytes. */
  heap: number;
}

/** Visits views with forms, and then the one without. */
async function visitForms(page: Page, times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    await page.evaluate((view) => navigate(view), FORM_VIEWS[index % FORM_VIEWS.length]!);
  }
  await page.evaluate((view) => navigate(view), EMPTY_VIEW);
}

async function readMemory(session: CDPSession): Promise<Memory> {
  // Some objects are freed only by the collection after the one that finalizes them.
  for (let round = 0; round < 3; round++) await session.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { nodes, listeners: jsEventListeners, heap: usedSize };
}

/**
 * Visits views with forms `navigations` times in a single-page app that has been used before.
 *
 * @returns how much more the page has in memory afterwards, in a view without forms
 */
export async function measureGrowth(browser: Browser, origin: string, navigations: number): Promise<Memory> {
  const context = await browser.newContext({ locale: "en" });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.goto(origin);
    await visitForms(page, FIRST_NAVIGATIONS);
    const before = await readMemory(session);
    await visitForms(page, navigations);
    const after = await readMemory(session);
    return {
      nodes: after.nodes - before.nodes,
      listeners: after.listeners - before.listeners,
      heap: after.heap - before.heap,
    };
  } finally {
    await context.close();
  }
}

declare global {
  /** Of the site's page. */
  function navigate(view: string): Promise<void>;
}
