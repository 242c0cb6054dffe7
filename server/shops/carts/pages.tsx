import type { Context } from "hono";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";
import { visitorPage } from "../../platform/pages/visitor_page.tsx";
import { languageFor } from "../../../shared/texts/locales.ts";
import type { CartTexts } from "../../../shared/texts/texts.ts";

/** The texts of the pages that links in a cart reminder open, and their locale. */
type PageTexts = CartTexts & { locale: string };

/** Returns the texts in the best available language. @param wanted locales, best first */
export function pageTexts(wanted: readonly string[]): PageTexts {
  const { locale, language } = languageFor(wanted);
  return { locale, ...language.cart };
}

/**
 * Returns a page with one sentence and optionally one button that posts to the page's own URL.
 *
 * @param contentOf returns what it says in the visitor's language
 */
export function page(
  c: Context,
  status: 200 | 404,
  { baseUrl }: { baseUrl: string },
  contentOf: (texts: CartTexts) => { title: string; text: string; button?: string },
): Response {
  const texts = pageTexts(acceptedLocales(c.req.header("accept-language")));
  const { title, text, button } = contentOf(texts);
  const body = (
    <>
      <h1>{title}</h1>
      <p class="text">{text}</p>
      {button && (
        <form method="post">
          <button type="submit">{button}</button>
        </form>
      )}
    </>
  );
  return c.html(visitorPage({ baseUrl, locale: texts.locale, title, body }), status);
}
