import type { Context } from "hono";
import { html } from "hono/html";
import { visitorPage } from "../../platform/pages/visitor_page.ts";
import { languageFor } from "../../../shared/texts/locales.ts";
import type { CartTexts } from "../../../shared/texts/texts.ts";

/** The texts of the pages that links in a cart reminder open, and their locale. */
export type PageTexts = CartTexts & { locale: string };

/** Returns the texts in the best available language. @param wanted locales, best first */
export function pageTexts(wanted: readonly string[]): PageTexts {
  const { locale, language } = languageFor(wanted);
  return { locale, ...language.cart };
}

/** Returns a page with one sentence and optionally one button that posts to the page's own URL. */
export function page(
  c: Context,
  status: 200 | 404,
  { baseUrl, locale }: { baseUrl: string; locale: string },
  { title, text, button }: { title: string; text: string; button?: string },
): Response | Promise<Response> {
  const form = button === undefined ? "" : html`<form method="post"><button>${button}</button></form>`;
  const body = html`<h1>${title}</h1><p class="text">${text}</p>${form}`;
  return c.html(visitorPage({ baseUrl, locale, title, body }), status);
}
