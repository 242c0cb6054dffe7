import { html } from "hono/html";
import type { Context } from "hono";
import { pathPrefix } from "../config.ts";
import type { AdminServices } from "./services.ts";
import { LOCALES, matchLocale } from "../../shared/texts/locales.ts";
import { adminHref } from "./view.ts";
import { actorOf } from "./auth/identify.ts";

/**
 * `GET /admin/preview?form=NAME` or `?popup`: a page with one saved form in the real widget. Submissions are discarded.
 */
export function previewRoute(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    if (!await actorOf(app, c.req.raw.headers)) return c.text("Sign in to see the preview.", 401);
    const form = c.req.query("form") ?? "";
    const popup = c.req.query("popup") !== undefined;
    const locale = matchLocale([c.req.query("locale") ?? "en"], Object.keys(LOCALES));
    const href = (path: string) => adminHref(app, path);
    return c.html(html`
      <!doctype html>
      <html lang="${locale}">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>Preview</title>
          <link rel="stylesheet" href="${href("/assets/tokens.css")}">
          <link rel="stylesheet" href="${href("/assets/preview.css")}">
          <script type="module" src="${href("/assets/preview.js")}"
            data-base="${pathPrefix(app.config.baseUrl)}"></script>
        </head>
        <body>
          <div class="stage">${popup
            ? html`
              <button type="button" data-cfbe-open>Open the popup</button>
            `
            : html`
              <cfbe-form form="${form}" loading="eager"></cfbe-form>
            `}</div>
        </body>
      </html>
    `);
  };
}
