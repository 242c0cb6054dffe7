/** Returns a URL as everybody who can open the admin may see it: without credentials and what can contain some. */
export function shownUrl(text: string): string {
  const url = URL.parse(text.trim());
  // A text that is no URL can still have credentials in it.
  if (!url) return text.includes("@") ? "…" : text;
  const user = url.username + url.password;
  const rest = url.search + url.hash;
  if (user + rest === "") return text;
  return `${url.protocol}//${user === "" ? "" : "…@"}${url.host}${url.pathname}${rest === "" ? "" : "?…"}`;
}
