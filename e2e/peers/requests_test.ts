/** How many requests and bytes a form costs a page until the signup, with the real server in a real browser. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { launch } from "../browser.ts";
import { startCfbe } from "./cfbe.ts";
import { measureVisit } from "./measure_visit.ts";

let browser: Promise<Browser> | undefined;
Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

/** Snippets from before scripts named their form. */
const withoutName = (html: string) => html.replace(/cfbe\.js\?\w+=footer/, "cfbe.js");

const CASES: [
  what: string,
  options: Parameters<typeof startCfbe>[0],
  requests: string[],
  kilobytes: number,
][] = [
  ["a form", {}, ["cfbe.js", "form-token", "OPTIONS subscribe", "subscribe"], 17],
  ["a form on an allowed origin", { hasOrigins: true }, ["cfbe.js", "form-token", "subscribe"], 17],
  [
    "a form with a design, a countdown and attribution",
    {
      hasOrigins: true,
      settings: {
        forms: {
          forms: [{
            name: "footer",
            design: { radius: "round" },
            countdown: "2099-01-01T00:00",
            attribution: true,
          }],
        },
      },
    },
    ["cfbe.js", "form-token", "subscribe"],
    22,
  ],
  ["own markup on an allowed origin", { snippet: "own", hasOrigins: true }, [
    "cfbe.js",
    "form-token",
    "subscribe",
  ], 7],
  ["own markup", { snippet: "own" }, ["cfbe.js", "form-token", "OPTIONS subscribe", "subscribe"], 7],
  ["a form whose snippet names it only in its element", { change: withoutName }, [
    "cfbe.js",
    "cfbe.json",
    "form",
    "form-token",
    "mail",
    "OPTIONS subscribe",
    "subscribe",
  ], 18.5],
];

for (const [what, options, requests, kilobytes] of CASES) {
  Deno.test({
    name: `${what} costs ${requests.length} requests until the signup, and at most ${kilobytes} kB`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using peer = await startCfbe(options);
      const visited = await measureVisit(await (browser ??= launch()), peer, "ada@example.com", {
        slowdown: 1,
      });
      assert.deepEqual(visited.names.toSorted(), requests.toSorted());
      assert.ok(visited.bytes <= kilobytes * 1000, `${visited.bytes} bytes`);
    },
  });
}
