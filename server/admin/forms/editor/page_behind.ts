import { parse } from "hono/utils/cookie";
import { isLoopback } from "../../../platform/config/config.ts";
import type { Settings } from "../../../settings/schema/schema.ts";

/** The cookie with the URL of the site's page that the editor shows behind a form. Only scripts of the admin set it. */
const COOKIE = "cfbe_behind";
/** The pages that show it. */
const EDITORS = /\/(form-settings|popup)$/;

/**
 * Returns the origin that a page of the admin may frame: that of the page behind a form, if the site's settings allow it
 * to embed forms.
 */
export function framedOrigin(
  { general: { origins } }: Pick<Settings, "general">,
  request: { path: string; header(name: string): string | undefined },
): string | undefined {
  if (!EDITORS.test(request.path)) return undefined;
  const url = URL.parse(decoded(parse(request.header("cookie") ?? "", COOKIE)[COOKIE]));
  const isSecure = url?.protocol === "https:" || url?.protocol === "http:" && isLoopback(url.origin);
  const isAllowed = url && (origins.length === 0 || origins.includes(url.origin));
  return isSecure && isAllowed ? url.origin : undefined;
}

function decoded(value = ""): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
