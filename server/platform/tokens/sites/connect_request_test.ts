import assert from "node:assert/strict";
import { InvalidRequest, readConnectRequest, returnUrl, siteName, siteUrl } from "./connect_request.ts";
import { challengeOf, verifierFits } from "./pkce.ts";

const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const ASKED = {
  site: "https://shop.example/blog/",
  name: "A shop",
  redirect_uri: "https://shop.example/blog/wp-admin/options-general.php?page=cfbe",
  state: "a-state-of-the-plugin",
  code_challenge: challengeOf(VERIFIER),
  code_challenge_method: "S256",
  purge_url: "https://shop.example/blog/wp-json/cfbe-bridge/v1/purge",
  shop: "woocommerce",
};
const read = (changes: Record<string, string> = {}) =>
  readConnectRequest(new URLSearchParams({ ...ASKED, ...changes }));

Deno.test("a request is read with the site's URL in one spelling", () => {
  assert.deepEqual(read(), {
    url: "https://shop.example/blog",
    name: "A shop",
    redirectUri: ASKED.redirect_uri,
    state: ASKED.state,
    challenge: ASKED.code_challenge,
    purgeUrl: ASKED.purge_url,
    hasShop: true,
  });
  assert.equal(read({ purge_url: "" }).purgeUrl, undefined);
  assert.equal(read({ shop: "shopify" }).hasShop, false);
});

const REFUSED: [string, Record<string, string>][] = [
  ["another host", { redirect_uri: "https://evil.example/wp-admin/" }],
  ["another port", { redirect_uri: "https://shop.example:8443/" }],
  ["another scheme", { redirect_uri: "http://shop.example/" }],
  ["a host that begins like the site's", { redirect_uri: "https://shop.example.evil.example/" }],
  ["the site as a user name", { redirect_uri: "https://shop.example@evil.example/" }],
  ["credentials", { redirect_uri: "https://a:b@shop.example/" }],
  ["a backslash before another host", { redirect_uri: "https://evil.example\\@shop.example/" }],
  ["a user name", { redirect_uri: "https://a@shop.example/" }],
  ["a password", { redirect_uri: "https://:b@shop.example/" }],
  ["a fragment", { redirect_uri: "https://shop.example/#" }],
  ["a script", { redirect_uri: "javascript:alert(1)//shop.example" }],
  ["data", { redirect_uri: "data:text/html,x" }],
  ["nothing", { redirect_uri: "" }],
  ["a path only", { redirect_uri: "/wp-admin/" }],
  ["too much", { redirect_uri: `https://shop.example/?${"x".repeat(500)}` }],
];

for (const [what, changes] of REFUSED) {
  Deno.test(`no code is sent to ${what}`, () => {
    assert.throws(() => read(changes), InvalidRequest);
  });
}

Deno.test("only https sites and those on this machine are connected, over whatever is asked for", () => {
  const hosts = [
    "http://shop.example",
    "http://10.0.0.5",
    "ftp://shop.example",
    "shop.example",
    "https://",
    "",
  ];
  for (const site of hosts) {
    assert.throws(() => read({ site, redirect_uri: `${site}/`, purge_url: "" }), InvalidRequest, site);
  }
  for (const site of ["http://localhost:8080", "http://127.0.0.1", "http://[::1]:81", "https://10.0.0.5"]) {
    assert.equal(read({ site, redirect_uri: `${site}/wp-admin/`, purge_url: "" }).url, site);
  }
});

Deno.test("a host with look-alike letters is shown in ASCII", () => {
  // The first letter is Cyrillic.
  const site = "https://\u0430pple.example";
  assert.equal(read({ site, redirect_uri: `${site}/`, purge_url: "" }).url, "https://xn--pple-43d.example");
});

Deno.test("requests without S256, a state or a whole challenge are refused, and so are those that say a thing twice", () => {
  for (
    const changes of [
      { code_challenge_method: "plain" },
      { code_challenge_method: "" },
      { code_challenge: "short" },
      { code_challenge: `${ASKED.code_challenge}x` },
      { state: "" },
      { state: "short" },
      { state: "a state\r\nSet-Cookie: x" },
      { site: "https://shop.example/?x=1" },
      { purge_url: "https://internal.example/" },
    ]
  ) assert.throws(() => read(changes), InvalidRequest, JSON.stringify(changes));
  const twice = new URLSearchParams(ASKED);
  twice.append("redirect_uri", "https://evil.example/");
  assert.throws(() => readConnectRequest(twice), InvalidRequest);
});

Deno.test("a site's name is one line of text, and is cut", () => {
  assert.equal(siteName("  A shop  "), "A shop");
  assert.equal(siteName("A\nshop"), "");
  assert.equal(siteName("evil\u202Epohs"), "");
  assert.equal([...siteName("\u{1F600}".repeat(100))].length, 40);
});

Deno.test("the code is added to the parameters of the page, and replaces what it had", () => {
  assert.equal(
    returnUrl("https://shop.example/a?page=cfbe&code=old", { code: "new", state: "s" }),
    "https://shop.example/a?page=cfbe&code=new&state=s",
  );
});

Deno.test("a URL of a site has no slash at its end", () => {
  assert.equal(siteUrl("https://Shop.Example:443//"), "https://shop.example");
});

Deno.test("a verifier fits its challenge only (RFC 7636, appendix B)", () => {
  assert.equal(challengeOf(VERIFIER), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  assert.ok(verifierFits(VERIFIER, challengeOf(VERIFIER)));
  assert.ok(!verifierFits(challengeOf(VERIFIER), challengeOf(VERIFIER)));
  assert.ok(!verifierFits("short", challengeOf("short")));
  assert.ok(!verifierFits("x".repeat(129), challengeOf("x".repeat(129))));
});
