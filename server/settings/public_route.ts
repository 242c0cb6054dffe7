import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { PublicForm, PublicSettings } from "../../shared/public_settings.ts";
import { directionOf } from "../../shared/texts/locales.ts";
import type { Services } from "../services.ts";
import { signFormConfig } from "../signup/form_config.ts";
import { acceptedLocales, wordsFor } from "./words.ts";

/** Browsers may keep it this long; afterwards they ask whether it changed. */
const CACHE_SECONDS = 60;

/** `GET {base_url}/cfbe.json?locale=…`: what the widget needs to show forms, in one locale. */
export function publicSettingsRoute(app: Services) {
  return async (c: Context): Promise<Response> => {
    const asked = c.req.query("locale");
    const wanted = asked ? [asked.slice(0, 35)] : acceptedLocales(c.req.header("accept-language"));
    const body = JSON.stringify(await publicSettings(app, wanted));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    c.header("Cache-Control", `public, max-age=${CACHE_SECONDS}`);
    c.header("ETag", etag);
    // Without `locale` the answer depends on the visitor.
    if (!asked) c.header("Vary", "Accept-Language", { append: true });
    if (c.req.header("if-none-match")?.includes(etag)) return c.body(null, 304);
    return c.body(body, 200, { "Content-Type": "application/json; charset=utf-8" });
  };
}

async function publicSettings(app: Services, wanted: string[]): Promise<PublicSettings> {
  const settings = app.settings.current();
  const { locale, texts, consentText } = wordsFor(settings, wanted);
  // Kept before it is shown, so that every hash signed below has its text.
  const consent = await app.consentTexts.keep(consentText);
  const shown = { locale, ...(consent !== undefined && { consent }) };

  const forms: Record<string, PublicForm> = {};
  for (const { name, layout, list, tags, heading, text, button } of settings.forms.forms) {
    forms[name] = {
      layout,
      cfg: signFormConfig(app.keyring, {
        form: name,
        placement: name,
        ...(list !== "" && { list }),
        ...(tags.length > 0 && { tags }),
        ...shown,
      }),
      ...(heading !== undefined && { heading }),
      ...(text !== undefined && { text }),
      ...(button !== undefined && { button }),
    };
  }
  return {
    locale,
    dir: directionOf(locale),
    texts,
    nameField: settings.form.nameField,
    interests: settings.form.interests,
    consent: settings.form.consent,
    consentText,
    cfg: signFormConfig(app.keyring, shown),
    forms,
  };
}
