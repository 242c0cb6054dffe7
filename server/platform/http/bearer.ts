/**
 * Returns the token of `Authorization: Bearer …`, or undefined if the header is missing or has another form. API keys that
 * somebody has chosen may contain spaces.
 */
export function bearerOf(headers: Headers, name = "authorization"): string | undefined {
  const [, token] = /^Bearer\s(.*)$/i.exec(headers.get(name) ?? "") ?? [];
  return token?.trim() || undefined;
}
