import type { Context } from "hono";
import { render } from "preact-render-to-string";
import type { PublicSettings } from "../../../../shared/public_settings.ts";
import { pathPrefix } from "../../../platform/config/config.ts";
import { refuse } from "../../../platform/http/errors.ts";
import type { HasBody } from "../../../platform/http/guards/body_limit.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { type FormId, localeOf } from "../../../settings/forms/form_settings.ts";
import { allLive } from "../../../settings/forms/form_state.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { publicSettings } from "../../../forms/public/public_settings.ts";
import type { HasAction } from "../../shell/action_access.ts";
import { hasTooManyFields, readForm } from "../../frame/ajax_body.ts";
import { actorOf } from "../../auth/identify.ts";
import { colorsOf, contrastOf } from "../../frame/contrast.ts";
import { editedForm, previewedSettings, storedSettings } from "./previewed_edit.ts";
import { actorMay } from "../../auth/actor.ts";
import { notAllowed, Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";
import { ContrastNotices } from "../design/contrast_notices.tsx";
import { settingTitle } from "../../frame/setting_title.ts";
import { nextPageText } from "../../parts/preview.tsx";
import { adminHref } from "../../frame/view.ts";

const FALLBACK_LOCALE = "en";

/**
 * `GET /admin/preview?form=NAME`, `?popup` or neither: a page with a saved form, its draft, with `version=ID` one of its
 * versions, or with `variant=ID` one of its variants, in the real widget. The page contains the public settings, because it can send no requests.
 */
export function previewRoute(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    const actor = await actorOf(app, c.req.raw.headers);
    if (!actor) return c.text("Sign in to see the preview.", 401);
    if (!await actorMay(app.hooks, actor, "view")) {
      return c.text(await notAllowed(app.hooks, actor, "view"), 403);
    }
    await app.settings.refresh();
    const form = c.req.query("form");
    const id = previewed(c);
    const settings = await storedSettings(app, id, c.req.query("version"));
    const shown = await previewOf(app, settings, form, c.req.query("locale"));
    const href = (path: string) => adminHref(app, path);
    const page = (
      <html lang={shown.locale}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>Preview</title>
          <link rel="stylesheet" href={href("/assets/tokens.css")} />
          <link rel="stylesheet" href={href("/assets/preview.css")} />
          <script
            type="application/json"
            id="settings"
            dangerouslySetInnerHTML={{ __html: inScript(shown) }}
          />
          <script type="module" src={href("/assets/preview.js")} data-base={pathPrefix(app.config.baseUrl)} />
        </head>
        <body>
          <div class="stage" data-stage="" data-popup={id.name === POPUP ? "" : undefined} data-form={form} />
          <div class="page" aria-hidden="true" />
          <button type="button" data-again="" hidden>Open again</button>
        </body>
      </html>
    );
    return c.html("<!doctype html>" + render(page));
  };
}

/**
 * `POST /admin/preview?form=NAME&locale=…`: the settings that the widget would get if a form of the admin, in the body, was saved and published.
 * `nextPage` says where visitors go after the signup. `colors` has the form's colors, also those that it inherits. `contrast` is HTML: the notices about colors that are hard to read.
 * Changes nothing. Responds with 422 if saving would be refused: `problems` has the reasons with the paths and titles of
 * the fields.
 */
export function unsavedPreviewRoute(app: AdminServices) {
  return async (c: Context<HasAction & HasBody>): Promise<Response> => {
    const { body } = c.var;
    if (hasTooManyFields(body, "")) return await refuse(c, "too_large");
    const posted = readForm(new URLSearchParams(new TextDecoder().decode(body)));
    const { input } = posted;
    const action = c.var.action ?? posted.action;
    try {
      const settings = await previewedSettings(app, action, input);
      const edited = editedForm(action, input);
      const contrast = contrastOf(settings, edited);
      return c.json({
        ...await previewOf(app, settings, c.req.query("form"), c.req.query("locale")),
        nextPage: nextPageText(settings, previewed(c)),
        colors: colorsOf(settings, edited),
        contrast: render(<ContrastNotices findings={contrast} mayFix={() => true} />),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problems = Object.entries(error.fields).map(([path, message]) => ({
        path,
        title: settingTitle(path.split(".").findLast((part) => !/^\d+$/.test(part))!),
        message,
      }));
      return c.json({ message: error.message, problems }, 422);
    }
  };
}

/** Returns the form that the query names. */
const previewed = ({ req }: Context): FormId => ({
  name: req.query("popup") === undefined ? req.query("form") : POPUP,
  variant: req.query("variant"),
});

/** Returns what the widget needs to show one form. @param name of a named form; undefined returns all forms */
async function previewOf(
  { keyring, clock }: AdminServices,
  settings: Settings,
  name: string | undefined,
  locale?: string,
): Promise<PublicSettings> {
  // A preview proves no consent, so it stores no text.
  const consentTexts = { store: () => Promise.resolve(undefined) };
  const shown = await publicSettings(
    { keyring, clock, settings: { current: () => allLive(settings) }, consentTexts },
    [
      localeOf(settings, [locale ?? FALLBACK_LOCALE]),
    ],
  );
  // A preview shows the form that is edited to every visitor, not a variant that the browser draws.
  const cfg = "unsigned"; // The preview sends nothing, and signatures cannot be compressed.
  const { preload: _, visit: __, opening: ___, countries, ...preview } = shown;
  const forms = Object.entries(shown.forms).filter(([each]) => name === undefined || each === name)
    .map(([name, { targeting: _, experiment: __, ...form }]) => [name, { ...form, cfg }]);
  return {
    ...preview,
    cfg,
    popup: { ...preview.popup, cfg },
    forms: Object.fromEntries(forms),
    // Without their names, which would be the largest part: preview.js takes those of the browser.
    ...(countries && { countries: countries.map(({ value }) => ({ value, label: "" })) }),
  };
}

/** Returns a value as JSON that cannot end the script element around it. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
