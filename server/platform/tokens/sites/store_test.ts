import assert from "node:assert/strict";
import { CrashingKv } from "../../../../dev/testing/crashing_kv.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../../dev/testing/temp_kv.ts";
import { createKeyring } from "../../keys/keyring.ts";
import { readRow } from "../../kv/key.ts";
import type { Kv } from "../../kv/port.ts";
import { createApiTokens } from "../store.ts";
import type { ConnectRequest } from "./connect_request.ts";
import { challengeOf } from "./pkce.ts";
import { siteUseKey } from "./row.ts";
import { CODE_MS, createSites, type SiteCredentials } from "./store.ts";

const SALTS = [
  "the first salt, which is long enough to be one",
  "the second salt, which is long enough",
] as const;
const VERIFIER = "a-verifier-of-the-plugin-with-enough-characters";
const REQUEST: ConnectRequest = {
  url: "https://shop.example",
  name: "A shop",
  redirectUri: "https://shop.example/wp-admin/options-general.php?page=cfbe",
  state: "a-state-of-the-plugin",
  challenge: challengeOf(VERIFIER),
  purgeUrl: "https://shop.example/wp-json/cfbe-bridge/v1/purge",
  hasShop: true,
};
const AGREED = { scopes: ["read" as const, "signup" as const], modules: ["checkout" as const], by: "ann" };

async function fixture() {
  const temp = await tempKv();
  const clock = new ManualClock();
  const log = memoryLog();
  let seed = 0;
  /** Starts a process with the database. */
  function process(kv: Kv = temp.kv, salts: readonly [string, ...string[]] = [SALTS[0]]) {
    const parts = { kv, clock, log, random: seededRandom(++seed) };
    const apiTokens = createApiTokens(parts);
    return { apiTokens, sites: createSites({ ...parts, keyring: createKeyring(salts), apiTokens }) };
  }
  return {
    kv: temp.kv,
    clock,
    process,
    async grant(sites: ReturnType<typeof createSites>, changes: Partial<ConnectRequest> = {}) {
      const { code, write } = sites.grant({ ...REQUEST, ...changes }, AGREED);
      const tx = temp.kv.atomic();
      write(tx);
      await tx.commit();
      return code;
    },
    async dump() {
      const rows = await Array.fromAsync(temp.kv.list({ prefix: [] }));
      return JSON.stringify(rows.map(({ key, value }) => [key, value]));
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const exchange = (sites: ReturnType<typeof createSites>, code: string, changes: object = {}) =>
  sites.exchange({ code, verifier: VERIFIER, redirectUri: REQUEST.redirectUri, ...changes });

async function connected(sites: ReturnType<typeof createSites>, code: string): Promise<SiteCredentials> {
  const given = await exchange(sites, code);
  assert(typeof given === "object", String(given));
  const { site, key, token } = given;
  return { site, key, token };
}

Deno.test("a code gives a key and a token once agreed, and the database has neither of them nor the code", async () => {
  await using f = await fixture();
  const { sites, apiTokens } = f.process();
  const code = await f.grant(sites);
  assert.deepEqual(await sites.list(), [], "nothing is connected before the site collects it");
  const { site, key, token } = await connected(sites, code);
  assert.match(key, new RegExp(`^cfbe_site_${site}_[\\w-]{43}$`));
  const known = await apiTokens.use(token);
  assert.deepEqual(
    [known?.name, known?.scopes, known?.site],
    ["WordPress shop.example", ["read", "signup"], site],
  );
  const dump = await f.dump();
  for (const secret of [code, token, token.slice(-43), key.slice(-43), VERIFIER]) {
    assert.ok(!dump.includes(secret), secret);
  }
  const [listed] = await sites.list();
  assert.deepEqual(
    [listed?.id, listed?.url, listed?.by, listed?.modules],
    [site, REQUEST.url, "ann", ["checkout"]],
  );
  assert.ok(sites.isConnected(site) && !sites.isConnected("constructor"));
});

Deno.test("a wrong verifier, another page, another code and a code that is too old give nothing, and end nothing", async () => {
  await using f = await fixture();
  const { sites } = f.process();
  const code = await f.grant(sites);
  for (
    const changes of [
      { verifier: `${VERIFIER}x` },
      { verifier: REQUEST.challenge },
      { redirectUri: `${REQUEST.redirectUri}x` },
      { code: `${code}x` },
      { code: "" },
    ]
  ) assert.equal(await exchange(sites, code, changes), "invalid_grant", JSON.stringify(changes));
  assert.deepEqual(await sites.list(), []);
  await connected(sites, code);
  const late = await f.grant(sites, { url: "https://other.example" });
  await f.clock.advance(CODE_MS);
  assert.equal(await exchange(sites, late), "invalid_grant");
});

Deno.test("an exchange that is repeated after a lost answer gives the same key and token, and only for two minutes", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const code = await f.grant(one.sites);
  const all = await Promise.all([one, two, one].map(({ sites }) => connected(sites, code)));
  assert.deepEqual(all[1], all[0]);
  assert.deepEqual(all[2], all[0]);
  const before = await f.dump();
  assert.deepEqual(await connected(two.sites, code), all[0]);
  assert.equal(await f.dump(), before, "nothing was written again");
  assert.equal(await exchange(two.sites, code, { verifier: `${VERIFIER}x` }), "invalid_grant");
  assert.equal((await one.apiTokens.list()).length, 1);
  assert.ok(await one.apiTokens.use(all[0]!.token), "a replay without the verifier ends nothing");
  await f.clock.advance(CODE_MS);
  assert.equal(await exchange(one.sites, code), "invalid_grant");
  assert.ok(await one.apiTokens.use(all[0]!.token));
});

Deno.test("a code gives nothing any more once its site was revoked", async () => {
  await using f = await fixture();
  const { sites, apiTokens } = f.process();
  const code = await f.grant(sites);
  const { site, token } = await connected(sites, code);
  assert.equal((await sites.revoke(site, "bo"))?.url, REQUEST.url);
  assert.equal(await sites.revoke(site, "bo"), undefined);
  assert.equal(await exchange(sites, code), "invalid_grant");
  assert.equal(await apiTokens.use(token), undefined);
  assert.ok(!sites.isConnected(site));
  assert.deepEqual(sites.webhookSecrets(site), []);
  assert.equal((await sites.list())[0]?.revokedBy, "bo");
});

Deno.test("a connected site that connects again keeps its ID and key, and its earlier token stops working", async () => {
  await using f = await fixture();
  const { sites, apiTokens } = f.process();
  const code = await f.grant(sites);
  const first = await connected(sites, code);
  const again = await connected(sites, await f.grant(sites));
  assert.deepEqual([again.site, again.key], [first.site, first.key]);
  assert.notEqual(again.token, first.token);
  assert.equal(await apiTokens.use(first.token), undefined);
  assert.ok(await apiTokens.use(again.token));
  assert.equal((await sites.list()).length, 1);
  assert.equal(await exchange(sites, code), "invalid_grant", "the earlier code does not take the token back");
  await sites.revoke(first.site, "ann");
  const fresh = await connected(sites, await f.grant(sites));
  assert.notEqual(fresh.site, first.site, "after a revocation, the site gets another key");
  assert.notEqual(fresh.key, first.key);
});

Deno.test("two admins who agree at the same time connect a site once", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const codes = await Promise.all([f.grant(one.sites), f.grant(two.sites)]);
  const given = await Promise.all([connected(one.sites, codes[0]!), connected(two.sites, codes[1]!)]);
  assert.equal(given[0]!.site, given[1]!.site);
  assert.equal((await one.sites.list()).length, 1);
  const works = await Promise.all(
    given.map(async ({ token }) => await one.apiTokens.use(token) !== undefined),
  );
  assert.equal(works.filter(Boolean).length, 1, "of two tokens, only the later one works");
});

Deno.test("a site that another process revokes is refused once this one has read it", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const { site } = await connected(one.sites, await f.grant(one.sites));
  await two.sites.refresh();
  assert.ok(two.sites.isConnected(site));
  await one.sites.revoke(site, "ann");
  await two.sites.refresh();
  assert.ok(!two.sites.isConnected(site));
});

Deno.test("a process that dies between two writes leaves a site whole, or not connected", async () => {
  await using f = await fixture();
  const { sites } = f.process();
  for (let halfTrips = 0; halfTrips < 8; halfTrips++) {
    const url = `https://shop-${halfTrips}.example`;
    const code = await f.grant(sites, { url });
    const dying = new CrashingKv(f.kv);
    dying.interruptAfter(halfTrips, "crash");
    await Promise.race([dying.died, exchange(f.process(dying.kv).sites, code)]);
    await sites.refresh();
    const site = sites.connected().find((each) => each.url === url);
    const tokens = await f.process().apiTokens.list();
    assert.equal(tokens.some(({ name }) => name.includes(`shop-${halfTrips}.`)), site !== undefined);
    assert.equal(tokens.some(({ id }) => id === site?.tokenId), site !== undefined);
    await connected(sites, code);
  }
});

Deno.test("uses are listed, of the key and of the token, and outlive a restart", async () => {
  await using f = await fixture();
  const { sites, apiTokens } = f.process();
  const { site, token } = await connected(sites, await f.grant(sites));
  assert.equal((await sites.list())[0]?.usedAt, undefined);
  sites.note(site);
  sites.note("unknown");
  await sites.flush();
  const at = Math.floor(f.clock.now() / 60_000) * 60_000;
  assert.equal((await f.process().sites.list())[0]?.usedAt, at);
  await f.clock.advance(120_000);
  await apiTokens.use(token);
  await apiTokens.flush();
  assert.equal((await f.process().sites.list())[0]?.usedAt, at + 120_000);
  assert.ok(!(await f.dump()).includes("unknown"));
});

Deno.test("a site that is revoked keeps when it was last used, whether written yet or not, and nothing else of its uses", async () => {
  for (const used of ["key", "token"] as const) {
    for (const isWritten of [true, false]) {
      await using f = await fixture();
      const { sites, apiTokens } = f.process();
      const { site, token } = await connected(sites, await f.grant(sites));
      if (used === "key") sites.note(site);
      else await apiTokens.use(token);
      const flush = () => Promise.all([sites.flush(), apiTokens.flush()]);
      if (isWritten) await flush();
      const at = (await sites.list())[0]?.usedAt;
      assert.ok(at);
      await sites.revoke(site, "bo");
      assert.equal((await sites.list())[0]?.usedAt, at, `${used}, before the next write`);
      await flush();
      assert.equal((await sites.list())[0]?.usedAt, at, `${used}, after the next write`);
      assert.equal((await f.process().sites.list())[0]?.usedAt, at, `${used}, after a restart`);
      assert.equal(await readRow(f.kv, siteUseKey(site)), null);
    }
  }
});

Deno.test("after a rotation, a site has another key, and its webhooks are verified with both until the earlier salt ends", async () => {
  await using f = await fixture();
  const before = f.process();
  const { site, key } = await connected(before.sites, await f.grant(before.sites));
  const [old] = before.sites.webhookSecrets(site);
  const rotated = f.process(f.kv, [SALTS[1], SALTS[0]]).sites;
  const revoked = f.process(f.kv, [SALTS[1]]).sites;
  await Promise.all([rotated.refresh(), revoked.refresh()]);
  const [fresh, ...earlier] = rotated.webhookSecrets(site);
  assert.deepEqual([earlier, revoked.webhookSecrets(site)], [[old], [fresh]]);
  assert.notEqual((await connected(rotated, await f.grant(rotated))).key, key);
});

Deno.test("the sites that fit into a row are connected, with the longest URLs, and no more", async () => {
  await using f = await fixture();
  const { sites } = f.process();
  const long = (start: string, length: number) => start + "x".repeat(length - start.length);
  const add = (n: number) =>
    sites.add({
      url: long(`https://shop-${n}.example/`, 200),
      name: "\u{1F600}".repeat(40),
      by: "a".repeat(60),
      scopes: ["read", "signup", "people"],
      modules: ["checkout", "carts"],
      purgeUrl: long(`https://shop-${n}.example/`, 300),
    });
  for (let n = 0; n < 20; n++) {
    const added = await add(n);
    assert(typeof added === "object");
    await sites.revoke(added.site, "a".repeat(60));
  }
  for (let n = 100; n < 140; n++) assert.equal(typeof await add(n), "object", String(n));
  assert.equal(await add(141), "too-many");
  assert.equal((await sites.list()).length, 60);
});

Deno.test("the last twenty revoked sites stay listed, the newest site first", async () => {
  await using f = await fixture();
  const { sites } = f.process();
  for (let n = 0; n < 22; n++) {
    const { site } = await connected(sites, await f.grant(sites, { url: `https://shop-${n}.example` }));
    await f.clock.advance(1);
    await sites.revoke(site, "ann");
  }
  await connected(sites, await f.grant(sites));
  const expected = [REQUEST.url, ...Array.from({ length: 20 }, (_, n) => `https://shop-${21 - n}.example`)];
  assert.deepEqual((await sites.list()).map(({ url }) => url), expected);
});

Deno.test("a connected site has the URL that empties its caches, until it is revoked", async () => {
  await using f = await fixture();
  const { sites } = f.process();
  const { site } = await connected(sites, await f.grant(sites));
  assert.equal((await sites.list())[0]?.purgeUrl, REQUEST.purgeUrl);
  await sites.revoke(site, "ann");
  assert.equal((await sites.list())[0]?.purgeUrl, undefined);
});

Deno.test("a site is connected although a token has its name already", async () => {
  await using f = await fixture();
  const { sites, apiTokens } = f.process();
  await apiTokens.add({ name: "wordpress SHOP.example", scopes: ["read"], by: "ann" });
  const { site, token } = await connected(sites, await f.grant(sites));
  assert.equal((await apiTokens.use(token))?.name, `WordPress shop.example ${site}`);
});
