import { html } from "hono/html";
import { directionOf } from "../../shared/texts/locales.ts";

/** What `hono/html` returns: escaped HTML, possibly a promise. */
export type Html = ReturnType<typeof html>;

/** Path of the style sheet's folder below the public URL; see `assets`. */
export const PAGE_ASSETS = "/page-assets";
export const PAGE_ASSETS_FOLDER = new URL("./assets/", import.meta.url);

/** Renders a page for visitors, such as a form or a result. It works without JavaScript. */
export function visitorPage(
  { baseUrl, locale, title, body }: { baseUrl: string; locale: string; title: string; body: Html },
): Html {
  return html`
    <!doctype html>
    <html lang="${locale}" dir="${directionOf(locale)}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>${title}</title>
        <link rel="stylesheet" href="${baseUrl}${PAGE_ASSETS}/tokens.css">
        <link rel="stylesheet" href="${baseUrl}${PAGE_ASSETS}/visitor_page.css">
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>
  `;
}
