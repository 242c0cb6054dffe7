/**
 * A storefront that a real cache serves to everybody alike, and the real program.
 *
 * `deno task test:hosts` runs it: the caches must be installed.
 */
import assert from "node:assert/strict";
import { createKeyring } from "../../server/keys/keyring.ts";
import { issueToken } from "../../server/keys/form_token.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { launch } from "../browser.ts";
import { type RunningProgram, runProgram } from "../program.ts";
import { type CacheKind, type RunningCache, startCache } from "./cache.ts";
import { nginx } from "./nginx.ts";
import { type Site, startSite } from "./site.ts";
import { varnish } from "./varnish.ts";
import { becomes, confirm, signsUp, signUp, statusOf, type Visit, visit } from "./visitors.ts";

const SALT = "a salt for tests, long enough to be one";
const TOKEN = `${NAMESPACE}/form-token`;
const HOUR = 3_600_000;

interface Stage extends AsyncDisposable {
  program: RunningProgram;
  site: Site;
  cache: RunningCache;
  arrive(): Promise<Visit>;
}

/** @param script where the page's script comes from: from the service itself, or through the cache */
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
    arrive: () => visit(browser, cache.url),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Lets a cache keep a token that was issued a while ago, as when its first visitor came then. */
async function keepOldToken({ site, cache }: Stage, ageMs: number): Promise<void> {
  const token = issueToken(createKeyring([SALT]), Date.now() - ageMs);
  site.answerOnce(
    TOKEN,
    () =>
      Response.json({ token }, {
        headers: { "cache-control": "no-store", "access-control-allow-origin": "*" },
      }),
  );
  for (let i = 0; i < 2; i++) {
    // As the form of the page asks for it.
    const answer = await fetch(`${cache.url}${TOKEN}?form=block`);
    assert.deepEqual(await answer.json(), { token });
  }
}

const hostTest = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false }); // The browser is a process with sockets.

for (const kind of [varnish, nginx]) {
  hostTest(`two visitors who get the same page out of ${kind.name} both become subscribers`, async () => {
    await using stage = await start(kind, "direct");
    const { program, site } = stage;
    const [ann, ben] = [await stage.arrive(), await stage.arrive()];
    assert.equal(ann.headers["x-cache"], "MISS");
    assert.equal(ben.headers["x-cache"], "HIT");
    assert.equal(ben.bytes, ann.bytes);
    assert.match(ben.bytes, /cfg="[\w-]+\.[\w-]+"/);
    assert.equal(site.asked.get("GET /"), 1);

    await Promise.all([signsUp(ann, "ann@example.com"), signsUp(ben, "ben@example.com")]);
    for (const email of ["ann@example.com", "ben@example.com"]) {
      await becomes(program, email, "pending");
      await confirm(program, email);
      await becomes(program, email, "active");
      const { record, consents } = await statusOf(program, email);
      assert.deepEqual(record.tags.toSorted(), ["placement-landing", "vip"]);
      assert.equal(consents[0]!.source, "block");
    }
    assert.deepEqual([...ann.said, ...ben.said], []);
  });

  hostTest(`with the service behind ${kind.name} too, it serves the widget and never a token`, async () => {
    await using stage = await start(kind, "cached");
    const { program, site } = stage;
    const ann = await stage.arrive();
    await signsUp(ann, "ann@example.com");
    const ben = await stage.arrive();
    await signsUp(ben, "ben@example.com");

    for (const path of ["/cfbe.js", "/cfbe.json"]) {
      assert.equal(ben.answers.get(`GET ${path}`)?.["x-cache"], "HIT", path);
      assert.equal(site.asked.get(`GET ${path}`), 1, path);
    }
    for (const { answers } of [ann, ben]) {
      const token = answers.get(`GET ${TOKEN}`);
      assert.equal(token?.["cache-control"], "no-store");
      assert.equal(token?.["x-cache"], "MISS");
    }
    assert.equal(site.asked.get(`GET ${TOKEN}`), 2);
    for (const email of ["ann@example.com", "ben@example.com"]) await becomes(program, email, "pending");
    assert.deepEqual([...ann.said, ...ben.said], []);
  });
}

hostTest(
  "a cache that ignores no-store is found out and told of, and the signup is real all the same",
  async () => {
    await using stage = await start(nginx, "cached", true);
    const { program, site } = stage;
    await keepOldToken(stage, 3 * HOUR);
    const ann = await stage.arrive();
    await signsUp(ann, "ann@example.com");

    assert.equal(ann.said.length, 1);
    assert.match(ann.said[0]!, /^\[cfbe\] a cache keeps form-token/);
    assert.equal(site.asked.get(`GET ${TOKEN}`), 2, "the one that is kept, and one that went past the cache");
    await becomes(program, "ann@example.com", "pending");
    const counters = await program.json<Record<string, number>>("/ops/books");
    assert.equal(counters.accepted, 1);
    assert.equal(counters.requests, 1);
  },
);

hostTest(
  "a cache that ignores no-store and queries loses no signup in silence: the visitor and the console are told",
  async () => {
    await using stage = await start(varnish, "cached", true);
    const { program } = stage;
    await keepOldToken(stage, 3 * HOUR);
    const ann = await stage.arrive();
    await signUp(ann, "ann@example.com");
    await ann.page.getByText("did not work").last().waitFor();

    assert.match(ann.said[0]!, /^\[cfbe\] a cache keeps form-token/);
    assert.equal(await ann.page.getByLabel("Email address").inputValue(), "ann@example.com");
    const { requests = 0 } = await program.json<Record<string, number>>("/ops/books");
    assert.equal(requests, 0, "nothing was sent that would be dropped");
  },
);
