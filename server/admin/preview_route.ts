import { html } from "hono/html";
import type { Context } from "hono";
import { pathPrefix } from "../config.ts";
import type { HasBody } from "../http/guards/body_limit.ts";
import { localeOf } from "../settings/form_settings.ts";
import type { Settings } from "../settings/schema.ts";
import { publicSettings } from "../signup/form/public_settings.ts";
import { readForm } from "./ajax_body.ts";
import { actorOf } from "./auth/identify.ts";
import { withEdit } from "./form_edits.ts";
import { previewedEdit } from "./previewed_edit.ts";
import type { AdminServices } from "./services.ts";
import { adminHref } from "./view.ts";

const FALLBACK_LOCALE = "en";

function wantedLocale(c: Context, settings: Settings): string {
  return localeOf(settings, [c.req.query("locale") ?? FALLBACK_LOCALE]);
}

/**
 * `GET /admin/preview?form=NAME`, `?popup` or neither: a page with a saved form in the real widget. Submissions are
 * discarded.
 */
export function previewRoute(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    if (!await actorOf(app, c.req.raw.headers)) return c.text("Sign in to see the preview.", 401);
    const form = c.req.query("form");
    const popup = c.req.query("popup") !== undefined;
    const locale = wantedLocale(c, app.settings.current());
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
              <cfbe-form ${form === undefined ? "" : html`form="${form}"`} loading="eager"></cfbe-form>
            `}</div>
        </body>
      </html>
    `);
  };
}

/**
 * `POST /admin/preview?locale=…`: the settings that the widget would get if a form of the admin, in the body, was saved.
 * Changes nothing. Responds with 422 if they would be invalid.
 */
export function unsavedPreviewRoute(app: AdminServices) {
  return async (c: Context<HasBody>): Promise<Response> => {
    const { settings, keyring } = app;
    const { action, input } = readForm(new URLSearchParams(new TextDecoder().decode(c.var.body)));
    const edit = previewedEdit(settings.current(), action, input);
    const unsaved = edit && withEdit(settings.current(), edit, settings.providers);
    if (!unsaved) return c.json({}, 422);
    const preview = { current: () => unsaved };
    // A preview proves no consent, so it stores no text.
    const consentTexts = { store: () => Promise.resolve(undefined) };
    return c.json(
      await publicSettings({ keyring, settings: preview, consentTexts }, [wantedLocale(c, unsaved)]),
    );
  };
}
