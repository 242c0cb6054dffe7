/** @returns the token of `Authorization: Bearer …`, or undefined for any other header or none */
export function bearerOf(headers: Headers, name = "authorization"): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.get(name) ?? "")?.[1];
}
