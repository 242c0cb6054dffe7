/** Tokens in `User-Agent` headers. The first match counts, because most browsers also name the ones they resemble. */
const BROWSERS: readonly [token: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [token: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns a browser's name from its `User-Agent` header, such as `Firefox on Windows`. Contains no text of the header. */
export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, 1000);
  const browser = BROWSERS.find(([token]) => token.test(text))?.[1] ?? "Unknown browser";
  const system = SYSTEMS.find(([token]) => token.test(text))?.[1];
  return system ? `${browser} on ${system}` : browser;
}
