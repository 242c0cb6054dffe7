/** Returns the token of `Authorization: Bearer …`, or undefined if the header is missing or has another form. */
export function bearerOf(headers: Headers, name = "authorization"): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.get(name) ?? "")?.[1];
}
