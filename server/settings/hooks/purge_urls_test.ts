import assert from "node:assert/strict";
import { freePort } from "../../../dev/free_port.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { signForSite } from "../../platform/tokens/sites/site_keys.ts";
import { purgeTargets, requestPurges } from "./purge_urls.ts";

const NOW = 1_767_225_600_500;
const EVENT = { tab: "form" } as const;
const keyring = createKeyring(["a salt for these tests, and long enough for it"]);

/** Starts a site that responds with a status, and keeps what it was sent. */
function startSite(status = 200) {
  const requests: { body: string; headers: Headers; path: string }[] = [];
  const end = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: end.signal, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      requests.push({ body: await request.text(), headers: request.headers, path: pathname + search });
      return new Response(null, { status });
    },
  );
  return {
    requests,
    url: `http://127.0.0.1:${server.addr.port}/purge?site=1`,
    async [Symbol.asyncDispose]() {
      end.abort();
      await server.finished;
    },
  };
}

/** Requests the URLs, and returns what was logged. */
async function warnings(urls: string[]) {
  const logged: [string, unknown][] = [];
  const clock = { now: () => NOW, sleep: () => Promise.reject(new Error("not used")) };
  const log = {
    warn: (event: string, fields?: Record<string, unknown>) => void logged.push([event, fields]),
  };
  await requestPurges(urls.map((url) => ({ url })), EVENT, { keyring, clock, log });
  return logged;
}

Deno.test("each page cache gets a request that it can verify and date", async () => {
  await using one = startSite();
  await using other = startSite(204);
  assert.deepEqual(await warnings([one.url, other.url]), []);
  for (const { requests } of [one, other]) {
    const [{ body, headers, path }] = requests as [typeof requests[number]];
    assert.deepEqual([requests.length, body, path], [1, '{"tab":"form"}', "/purge?site=1"]);
    const time = headers.get("x-cfbe-timestamp")!;
    assert.equal(time, String(Math.floor(NOW / 1000)));
    assert.ok(keyring.verify("cfbe/purge", `${time}.${body}`, headers.get("x-cfbe-signature")!));
  }
});

Deno.test("a page cache that refuses is logged by its host, without what may be secret, and stops no other", async () => {
  await using refuses = startSite(401);
  await using works = startSite();
  const { host } = new URL(refuses.url);
  const down = `127.0.0.1:${freePort()}`;
  const [first, ...others] = await warnings([`http://${down}/?key=secret`, refuses.url, works.url]);
  assert.equal((first![1] as { host: string }).host, down);
  assert.ok(!JSON.stringify(first).includes("secret"));
  assert.deepEqual(others, [
    ["purge.failed", { host, detail: "HTTP 401" }],
  ]);
  assert.equal(works.requests.length, 1);
});

Deno.test("a connected site's page cache gets a request that its current and its earlier key verify, and no other", async () => {
  await using site = startSite();
  const [first, second] = ["the first salt, long enough to be one", "the second salt, long enough to be one"];
  const rotated = createKeyring([second!, first!]);
  const clock = { now: () => NOW, sleep: () => Promise.reject(new Error("not used")) };
  const targets = purgeTargets([site.url], [
    { id: "0123456789", url: "https://shop.example", purgeUrl: site.url },
    { id: "9876543210", url: "https://other.example" },
  ]);
  assert.deepEqual(targets, [{ url: site.url, site: "0123456789" }], "each URL once");
  await requestPurges(targets, EVENT, { keyring: rotated, clock, log: { warn() {} } });
  const [{ body, headers }] = site.requests as [typeof site.requests[number]];
  const signed = `${headers.get("x-cfbe-timestamp")}.${body}`;
  const signatures = headers.get("x-cfbe-signature")!.split(",");
  assert.equal(signatures.length, 2);
  for (const salt of [first!, second!]) {
    const [own] = signForSite(createKeyring([salt]), "0123456789", "cfbe/purge", signed);
    const [other] = signForSite(createKeyring([salt]), "9876543210", "cfbe/purge", signed);
    assert.ok(signatures.includes(own!) && !signatures.includes(other!));
  }
  assert.ok(!signatures.some((each) => rotated.verify("cfbe/purge", signed, each)));
});

Deno.test("the plugin's URL of a site that was added by hand is signed with the key of that site, and other URLs with the salt", () => {
  const sites = [
    { id: "1111111111", url: "https://shop.example" },
    { id: "2222222222", url: "https://shop.example/fr/" },
  ];
  const siteOf = (url: string) => purgeTargets([url], sites)[0]!.site;
  const route = "cfbe-bridge/v1/purge";
  assert.equal(siteOf(`https://shop.example/wp-json/${route}`), "1111111111");
  assert.equal(siteOf(`https://shop.example/?rest_route=/${route}`), "1111111111");
  assert.equal(siteOf(`https://shop.example/index.php?rest_route=%2Fcfbe-bridge%2Fv1%2Fpurge`), "1111111111");
  assert.equal(siteOf(`https://shop.example/fr/wp-json/${route}`), "2222222222");
  for (
    const url of [
      `https://shop.example.evil.example/wp-json/${route}`,
      `https://other.example/wp-json/${route}`,
      "https://shop.example/purge-all",
      "https://shop.example/wp-json/%E0%A4%A",
    ]
  ) {
    assert.equal(siteOf(url), undefined, url);
  }
});
