/** The browser that the tests drive. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where a Chromium may be, the first that exists wins: named by hand, Playwright's own, the system's. */
export function findChromium(): string | undefined {
  const candidates = [
    Deno.env.get("CFBE_CHROMIUM"),
    chromium.executablePath(),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return candidates.find((path) => path && existsSync(path));
}

/**
 * Starts a browser without a window. Whoever starts it closes it.
 *
 * The back-forward cache is left on, as visitors have it.
 */
export function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium found: run `deno task chromium`.");
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    // Without a sandbox, for that needs rights which a container's root doesn't have.
    args: ["--no-sandbox"],
  });
}
