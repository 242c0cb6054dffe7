import { html } from "hono/html";
import { type Html, htmlDocument } from "./html_document.ts";

/** Path of the style sheet's folder below the public URL; see `assets`. */
export const PAGE_ASSETS = "/page-assets";
export const PAGE_ASSETS_FOLDER = new URL("./assets/", import.meta.url);

/** Renders a page for visitors, such as a form or a result. It works without JavaScript. */
export function visitorPage(
  { baseUrl, locale, title, head = "", body }: {
    baseUrl: string;
    locale: string;
    title: string;
    /** Further links to style sheets. */
    head?: Html | "";
    body: Html;
  },
): Html {
  return htmlDocument({
    locale,
    title,
    head: html`
      <link rel="stylesheet" href="${baseUrl}${PAGE_ASSETS}/tokens.css">
      <link rel="stylesheet" href="${baseUrl}${PAGE_ASSETS}/visitor_page.css">
      ${head}
    `,
    body: html`
      <main>${body}</main>
    `,
  });
}
