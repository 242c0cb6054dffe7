/**
 * Signups on a page that a real cache serves to all visitors, with the real server.
 *
 * Run by `deno task test:hosts`, which needs Varnish and nginx.
 */
import assert from "node:assert/strict";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { en } from "../../shared/texts/en.ts";
import { launch } from "../browser.ts";
import { type RunningProgram, runProgram } from "../program.ts";
import { type CacheKind, type RunningCache, startCache } from "./cache.ts";
import { nginx } from "./nginx.ts";
import { type Site, startSite } from "./site.ts";
import { varnish } from "./varnish.ts";
import { confirm, signUp, statusOf, submitForm, type Visit, visit, waitForStatus } from "../visitors.ts";

const SALT = "a salt for tests, long enough to be one";
const TOKEN = `${NAMESPACE}/form-token`;
const HOUR = 3_600_000;

interface Stage extends AsyncDisposable {
  program: RunningProgram;
  site: Site;
  cache: RunningCache;
  /** Opens the page through the cache, as a new visitor. */
  visit(): Promise<Visit>;
}

/**
 * Starts the server, a page, and a cache in front of the page.
 *
 * @param script whether the page loads the script from the server or through the cache
 */
async function start(kind: CacheKind, script: "direct" | "cached", greedy = false): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const program = stack.use(await runProgram({ CFBE_SALT: SALT }));
  const site = stack.use(startSite(program));
  const cache = stack.use(await startCache(kind, site.port, greedy));
  const browser = await launch();
  stack.defer(() => browser.close());

  const cfg = (await program.cfbe("sign", "--placement", "landing", "--tag", "vip")).trim();
  const base = script === "direct" ? program.baseUrl : cache.url;
  site.page = `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
    <script async src="${base}/cfbe.js"></script>
    <h1>A shop</h1><cfbe-form source="block" cfg="${cfg}"></cfbe-form></html>`;
  const all = stack.move();
  return {
    program,
    site,
    cache,
    visit: () => visit(browser, cache.url),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Makes the cache store a token issued `ageMs` ago. */
async function cacheOldToken({ site, cache }: Stage, ageMs: number): Promise<void> {
  const token = issueToken(createKeyring([SALT]), Date.now() - ageMs);
  site.respondOnce(
    TOKEN,
    () =>
      Response.json({ token }, {
        headers: { "cache-control": "no-store", "access-control-allow-origin": "*" },
      }),
  );
  for (let i = 0; i < 2; i++) {
    // The URL that the page's form requests.
    const response = await fetch(`${cache.url}${TOKEN}?form=block`);
    assert.deepEqual(await response.json(), { token });
  }
}

const hostTest = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false }); // The browser outlives a test.

for (const kind of [varnish, nginx]) {
  hostTest(`two visitors who get the same page from ${kind.name} both become subscribers`, async () => {
    await using stage = await start(kind, "direct");
    const { program, site } = stage;
    const [ann, ben] = [await stage.visit(), await stage.visit()];
    assert.equal(ann.headers["x-cache"], "MISS");
    assert.equal(ben.headers["x-cache"], "HIT");
    assert.equal(ben.html, ann.html);
    assert.match(ben.html, /cfg="[\w-]+\.[\w-]+"/);
    assert.equal(site.requests.get("GET /"), 1);

    await Promise.all([signUp(ann, "ann@example.com"), signUp(ben, "ben@example.com")]);
    for (const email of ["ann@example.com", "ben@example.com"]) {
      await waitForStatus(program, email, "pending");
      await confirm(program, email);
      await waitForStatus(program, email, "active");
      const { record, consents } = await statusOf(program, email);
      assert.deepEqual(record.tags.toSorted(), ["placement-landing", "vip"]);
      assert.equal(consents[0]!.source, "block");
    }
    assert.deepEqual([...ann.console, ...ben.console], []);
  });

  hostTest(`with cfbe behind ${kind.name} too, the cache serves the widget, but never a token`, async () => {
    await using stage = await start(kind, "cached");
    const { program, site } = stage;
    const ann = await stage.visit();
    await signUp(ann, "ann@example.com");
    const ben = await stage.visit();
    await signUp(ben, "ben@example.com");

    for (const path of ["/cfbe.js", "/cfbe.json"]) {
      assert.equal(ben.responses.get(`GET ${path}`)?.["x-cache"], "HIT", path);
      assert.equal(site.requests.get(`GET ${path}`), 1, path);
    }
    for (const { responses } of [ann, ben]) {
      const token = responses.get(`GET ${TOKEN}`);
      assert.equal(token?.["cache-control"], "no-store");
      assert.equal(token?.["x-cache"], "MISS");
    }
    assert.equal(site.requests.get(`GET ${TOKEN}`), 2);
    for (const email of ["ann@example.com", "ben@example.com"]) {
      await waitForStatus(program, email, "pending");
    }
    assert.deepEqual([...ann.console, ...ben.console], []);
  });
}

hostTest(
  "a cache that ignores no-store causes a console warning, and the signup still succeeds",
  async () => {
    await using stage = await start(nginx, "cached", true);
    const { program, site } = stage;
    await cacheOldToken(stage, 3 * HOUR);
    const ann = await stage.visit();
    await signUp(ann, "ann@example.com");

    assert.equal(ann.console.length, 1);
    assert.match(ann.console[0]!, /^\[cfbe\] a cache stores form-token/);
    assert.equal(site.requests.get(`GET ${TOKEN}`), 2, "the cached one, and one that bypassed the cache");
    await waitForStatus(program, "ann@example.com", "pending");
    const counters = await program.json<Record<string, number>>("/ops/books");
    assert.equal(counters.accepted, 1);
    assert.equal(counters.requests, 1);
  },
);

hostTest(
  "a cache that ignores no-store and queries causes an error message and a console warning, and no signup is lost silently",
  async () => {
    await using stage = await start(varnish, "cached", true);
    const { program } = stage;
    await cacheOldToken(stage, 3 * HOUR);
    const ann = await stage.visit();
    await submitForm(ann, "ann@example.com");
    await ann.page.getByText(en.form.error).last().waitFor();

    assert.match(ann.console[0]!, /^\[cfbe\] a cache stores form-token/);
    assert.equal(await ann.page.getByLabel("Email address").inputValue(), "ann@example.com");
    const { requests = 0 } = await program.json<Record<string, number>>("/ops/books");
    assert.equal(requests, 0, "no request was sent that would be dropped");
  },
);
