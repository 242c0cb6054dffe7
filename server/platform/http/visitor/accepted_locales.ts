import { parseAccept } from "hono/utils/accept";

/** Returns the locales in an `Accept-Language` header, preferred first. Never throws. */
export function acceptedLocales(header: string | null | undefined): string[] {
  if (!header || header.length > 200) return [];
  return parseAccept(header).filter((accept) => accept.q > 0).sort((a, b) => b.q - a.q).map((accept) =>
    accept.type
  );
}
