import type { Context } from "hono";
import { publicSettings, type PublicSettingsDeps } from "./public_settings.ts";
import { etagOf, SETTINGS_CACHE } from "../../platform/http/widget_files.ts";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";

/** A browser's list of languages can be longer; nobody needs more. */
const MOST_LOCALES = 12;

/** Handles `GET {base_url}/cfbe.json?locale=…`: the public settings, in the first of these locales that has texts. */
export function publicSettingsRoute(app: PublicSettingsDeps) {
  return async (c: Context): Promise<Response> => {
    const body = JSON.stringify(await publicSettings(app, wantedLocales(c)));
    const etag = etagOf(body);
    c.header("Cache-Control", SETTINGS_CACHE);
    c.header("ETag", etag);
    if (c.req.header("if-none-match")?.includes(etag)) return c.body(null, 304);
    return c.body(body, 200, { "Content-Type": "application/json; charset=utf-8" });
  };
}

/** Returns the locales that a request wants, best first: those of `locale`, else those of the browser. */
export function wantedLocales(c: Context): string[] {
  const locale = c.req.query("locale");
  if (locale) return locale.slice(0, MOST_LOCALES * 36).split(",", MOST_LOCALES);
  // The response depends on the browser.
  c.header("Vary", "Accept-Language", { append: true });
  return acceptedLocales(c.req.header("accept-language"));
}
