import { createHash } from "node:crypto";
import type { Context } from "hono";
import { publicSettings, type PublicSettingsDeps } from "./public_settings.ts";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";

/** How long browsers may use the response without revalidation. */
const CACHE_SECONDS = 60;

/** A browser's list of languages can be longer; nobody needs more. */
const MOST_LOCALES = 12;

/** Handles `GET {base_url}/cfbe.json?locale=…`: the public settings, in the first of these locales that has texts. */
export function publicSettingsRoute(app: PublicSettingsDeps) {
  return async (c: Context): Promise<Response> => {
    const locale = c.req.query("locale");
    const wanted = locale
      ? locale.slice(0, MOST_LOCALES * 36).split(",", MOST_LOCALES)
      : acceptedLocales(c.req.header("accept-language"));
    const body = JSON.stringify(await publicSettings(app, wanted));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    c.header("Cache-Control", `public, max-age=${CACHE_SECONDS}`);
    c.header("ETag", etag);
    // Without `locale`, the response depends on the browser.
    if (!locale) c.header("Vary", "Accept-Language", { append: true });
    if (c.req.header("if-none-match")?.includes(etag)) return c.body(null, 304);
    return c.body(body, 200, { "Content-Type": "application/json; charset=utf-8" });
  };
}
