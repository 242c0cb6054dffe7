/** The oldest Chromium in which everything works (`widget/oldest_browsers.ts`), from npm: a headless build for servers. */
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { OLDEST_BROWSERS } from "../../widget/oldest_browsers.ts";
import { TOOLS } from "../tools_folder.ts";

const VERSION = "109.0.6";
if (!VERSION.startsWith(`${OLDEST_BROWSERS.chrome}.`)) throw new Error("Another Chromium is the oldest one.");

export const FOLDER = join(TOOLS, `chromium-${VERSION}`);
export const PACKAGE = `@sparticuz/chromium@${VERSION}`;
/** The program as the package contains it, compressed. */
export const PACKED = join(FOLDER, "node_modules/@sparticuz/chromium/bin/chromium.br");
export const PROGRAM = join(FOLDER, "chromium");

/** Starts the browser. The caller closes it. */
export function launchOldest(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
}
