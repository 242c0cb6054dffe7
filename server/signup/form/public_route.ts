import { createHash } from "node:crypto";
import type { Context } from "hono";
import { publicSettings, type PublicSettingsDeps } from "./public_settings.ts";
import { acceptedLocales } from "../../settings/words.ts";

/** Browsers may keep it this long; afterwards they ask whether it changed. */
const CACHE_SECONDS = 60;

/** `GET {base_url}/cfbe.json?locale=…`: what the widget needs to show forms, in one locale. */
export function publicSettingsRoute(app: PublicSettingsDeps) {
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
