import assert from "node:assert/strict";
import { browserName } from "./browser_name.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

const NAMES: [userAgent: string, name: string][] = [
  [`${WINDOWS} ${CHROME}`, "Chrome on Windows"],
  [`${WINDOWS} ${CHROME} Edg/140.0.0.0`, "Edge on Windows"],
  [`${WINDOWS} ${CHROME} OPR/120.0.0.0`, "Opera on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari on macOS",
  ],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari on iPhone"],
  [`${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome on iPhone"],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${CHROME.replace(" Chrome", " SamsungBrowser/28.0 Chrome")}`,
    "Samsung Internet on Android",
  ],
  ["curl/8.14.1", "Unknown browser"],
  ["", "Unknown browser"],
  ["<script>".repeat(10_000), "Unknown browser"],
];

for (const [userAgent, name] of NAMES) {
  Deno.test(`a User-Agent is shown in plain words: ${name}, from "${userAgent.slice(-60)}"`, () => {
    assert.equal(browserName(userAgent), name);
  });
}
