import assert from "node:assert/strict";
import { Hono } from "hono";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { createDemo, type DemoOptions } from "./demo.ts";
import type { JourneyFacts } from "./journey.ts";

const BASE = "https://news.example/try";

/** Creates the demo behind a path prefix and returns a function that calls it. */
function demo(options: Partial<DemoOptions> = {}) {
  const log = memoryLog();
  const requested: number[] = [];
  const app = new Hono().route(
    "/try/demo",
    createDemo({
      baseUrl: BASE,
      clock: new ManualClock(),
      log,
      allowed: () => true,
      sandbox: true,
      testConfig: (form) => `test-of-${form}`,
      heightsOf: () => ({ narrow: 321, medium: 218, wide: 218 }),
      journey: (since) => {
        requested.push(since);
        return Promise.resolve(null);
      },
      ...options,
    }),
  );
  return { log, requested, call: (path: string, init?: RequestInit) => app.request(BASE + path, init) };
}

Deno.test("the page embeds the snippet it shows, marked as a test, under a Content Security Policy without exceptions", async () => {
  const response = await demo().call("/demo");
  const page = await response.text();
  assert.equal(response.status, 200);
  assert.match(page, /<script async src="https:\/\/news\.example\/try\/cfbe\.js"><\/script>/);
  assert.match(page, /&lt;script async src=&quot;https:\/\/news\.example\/try\/cfbe\.js&quot;>/);
  assert.match(page, /<cfbe-form form="footer" cfg="test-of-footer" /);
  assert.match(page, /<link rel="stylesheet" href="https:\/\/news\.example\/try\/demo\/form\.css"\/>/);
  const rule = await (await demo().call("/demo/form.css")).text();
  assert.ok(page.replaceAll("&quot;", '"').includes(`style>\n${rule}\n&lt;/style>`));
  assert.match(page, /href="https:\/\/news\.example\/try\/sandbox"/);
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/i);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self' https:\/\/news\.example;/);
  assert.doesNotMatch(policy, /unsafe|data:|\*/);
});

Deno.test("the gallery marks the options in the URL as selected and ignores unknown ones", async () => {
  const current = async (query: string) => {
    const page = await (await demo().call(`/demo/gallery${query}`)).text();
    return [...page.matchAll(/aria-current="true"[^>]*>([^<]+)/g)].map(([, text]) => text);
  };
  assert.deepEqual(await current("?state=offline&lang=de"), ["Offline", "Email only", "Deutsch"]);
  assert.deepEqual(await current("?state=constructor&fields=<b>&lang="), [
    "Idle",
    "Email only",
    "English",
  ]);
});

Deno.test("the gallery also has a Content Security Policy without exceptions", async () => {
  const response = await demo().call("/demo/gallery?lang=ar");
  const page = await response.text();
  assert.match(page, /<html lang="ar" dir="rtl">/);
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/i);
  assert.doesNotMatch(response.headers.get("content-security-policy") ?? "", /unsafe|data:|\*/);
});

Deno.test("every URL in the pages keeps the path prefix", async () => {
  const pages = await Promise.all(
    ["/demo", "/demo/gallery"].map(async (path) => await (await demo().call(path)).text()),
  );
  for (const [, address] of pages.join().matchAll(/(?:href|src|action)="([^"#?][^"]*)"/g)) {
    assert.ok(address!.startsWith(`${BASE}/`), address);
  }
});

Deno.test("every link of the page that opens a new tab says so", async () => {
  const page = await (await demo().call("/demo")).text();
  const links = page.match(/<a [^>]*target="_blank"[^>]*>/g) ?? [];
  assert.equal(links.length, 2);
  for (const link of links) assert.match(link, /title="Opens in a new tab"/);
});

Deno.test("without the sandbox there are no simulated failures and no inbox", async () => {
  const page = await (await demo({ sandbox: false }).call("/demo")).text();
  assert.doesNotMatch(page, /data-switch|\/sandbox/);
  assert.match(page, /data-bot/);
});

Deno.test("the journey is returned unchanged, with the server's time", async () => {
  const facts: JourneyFacts = { acceptedAt: 5, status: "queued", dropped: 2 };
  const response = await demo({ journey: () => Promise.resolve(facts) }).call("/demo/journey.json?since=1");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), { now: new ManualClock().now(), facts });
});

Deno.test("an invalid time counts as missing", async () => {
  const { call, requested } = demo();
  for (
    const since of ["", "?since=", "?since=x", "?since=-1", "?since=1e99", "?since=1.5", "?since=7&since=8"]
  ) {
    assert.equal((await call(`/demo/journey.json${since}`)).status, 200);
  }
  assert.deepEqual(requested, [0, 0, 0, 0, 0, 0, 7]);
});

Deno.test("without permission, neither the page nor the journey is shown", async () => {
  const { call, requested } = demo({ allowed: () => false });
  for (const path of ["/demo", "/demo/gallery", "/demo/journey.json"]) {
    assert.equal((await call(path)).status, 403);
  }
  assert.deepEqual(requested, []);
});

Deno.test("only the demo page can run the poll, and only if the demo was created with one", async () => {
  let polls = 0;
  const { call } = demo({
    pollNow() {
      polls++;
      return Promise.resolve();
    },
  });
  const post = (origin: string) =>
    call("/demo/poll", { method: "POST", body: new URLSearchParams(), headers: { origin } });
  assert.equal((await post("https://evil.example")).status, 403);
  assert.equal((await post("https://news.example")).status, 204);
  assert.equal(polls, 1);
  assert.match(await (await call("/demo")).text(), /data-poll/);
  assert.doesNotMatch(await (await demo().call("/demo")).text(), /data-poll/);
  assert.equal((await demo().call("/demo/poll", { method: "POST" })).status, 403);
});

Deno.test("an error while reading the journey gets a message and is logged", async () => {
  const { call, log } = demo({ journey: () => Promise.reject(new Error("secret")) });
  const response = await call("/demo/journey.json");
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
  assert.equal(log.of("demo.request_failed").length, 1);
});

Deno.test("assets have their content type and an ETag", async () => {
  const { call } = demo();
  const types = {
    "demo.js": "text/javascript",
    "journey_view.js": "text/javascript",
    "demo.css": "text/css",
  };
  for (const [file, type] of Object.entries(types)) {
    const response = await call(`/demo/assets/${file}`);
    await response.text();
    assert.match(response.headers.get("content-type") ?? "", new RegExp(`^${type}`));
    const again = await call(`/demo/assets/${file}`, {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304);
  }
});
