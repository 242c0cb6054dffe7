/** What tests of forms that open by themselves share. */
import type { OpeningKind } from "../../../shared/opening_kinds.ts";
import type { PublicOpening } from "../../../shared/public_settings.ts";
import type { Page } from "playwright-core";
import { RULES } from "./popup.ts";
import { open, type PageOptions, until } from "./site.ts";

/** Returns the public settings of a form that opens by itself. */
export const formThatOpens = (kind: OpeningKind, rules: Partial<PublicOpening> = {}) =>
  ({ layout: "inline", cfg: `${kind}.cfg`, opens: { ...RULES, kind, quietHours: 24, ...rules } }) as const;

/** A page that is long enough to scroll, with links before and after the text. */
export const ARTICLE = `<main><h1>A shop</h1><a href="#x">First</a>${
  "<p>Text</p>".repeat(60)
}<a href="#y">Last</a></main>`;

/** Opens a page with the form `sale`, which opens by itself after a second. */
export const openWith = (kind: OpeningKind, options: PageOptions = {}) =>
  open(ARTICLE, { ...options, settings: { opening: ["sale"], forms: { sale: formThatOpens(kind) } } });

/** The open slide-in or bar. */
export const panel = (page: Page) => page.locator("cfbe-popup[open] aside");
export const waitForPanel = (page: Page) => until(page, "the form", () => panel(page).isVisible());
/** Returns the keys in local and in session storage. */
export const storedKeys = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage].map((storage) => Object.keys(storage).toSorted().join())
  );
