/** What the client accepts of an identity provider that lies. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ClaimRole } from "../../../platform/config/config.ts";
import { systemClock, systemRandom } from "../../../platform/deps.ts";
import { BadAnswer, createOidcClient, ProviderDown } from "./client.ts";
import type { FlowPurpose } from "./flow.ts";

const ISSUER = "https://id.example";
const BACK = "https://news.example/admin/login/provider/back";

const KEY_TYPE = { name: "ECDSA", namedCurve: "P-256" };
const [own, other] = await Promise.all(
  [0, 1].map(() => crypto.subtle.generateKey(KEY_TYPE, true, ["sign", "verify"]) as Promise<CryptoKeyPair>),
) as [CryptoKeyPair, CryptoKeyPair];

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function jwt(claims: object, { key = own, alg = "ES256" } = {}): Promise<string> {
  const text = `${base64url({ alg, kid: "one" })}.${base64url(claims)}`;
  if (alg === "none") return `${text}.`;
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    key.privateKey,
    Buffer.from(text),
  );
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

/** What a provider does that is not as it should be. */
interface Lies {
  metadata?: object;
  claims?: object;
  key?: CryptoKeyPair;
  alg?: string;
  query?: Record<string, string>;
  token?: { status: number; body: object };
  userinfo?: object;
  purpose?: FlowPurpose;
  roles?: ClaimRole[];
  roleClaim?: string;
  down?: string;
}

/** Goes to a provider and back, and returns whom the client takes as signed in. */
async function signIn(lies: Lies = {}) {
  let nonce = "";
  const requests: { path: string; body: URLSearchParams }[] = [];
  const client = createOidcClient({
    oidc: {
      issuer: ISSUER,
      clientId: "cfbe",
      clientSecret: "secret",
      name: "ID",
      domains: [],
      role: "viewer",
      roleClaim: lies.roleClaim ?? "groups",
      roles: lies.roles ?? [],
    },
    redirectUri: BACK,
    clock: systemClock,
    random: systemRandom,
    async fetch(input, init) {
      const { pathname } = new URL(input);
      requests.push({ path: pathname, body: new URLSearchParams(init?.body as string) });
      if (pathname === lies.down) throw new TypeError("connection refused");
      const now = Math.floor(Date.now() / 1000);
      switch (pathname) {
        case "/.well-known/openid-configuration":
          return Response.json({
            issuer: ISSUER,
            authorization_endpoint: `${ISSUER}/auth`,
            token_endpoint: `${ISSUER}/token`,
            userinfo_endpoint: `${ISSUER}/me`,
            jwks_uri: `${ISSUER}/jwks`,
            id_token_signing_alg_values_supported: ["ES256"],
            authorization_response_iss_parameter_supported: true,
            ...lies.metadata,
          });
        case "/token": {
          if (lies.token) return Response.json(lies.token.body, { status: lies.token.status });
          const claims = {
            iss: ISSUER,
            aud: "cfbe",
            sub: "ann",
            nonce,
            iat: now,
            exp: now + 60,
            email: "ann@news.example",
            email_verified: true,
            ...lies.claims,
          };
          return Response.json({
            access_token: "x",
            token_type: "bearer",
            id_token: await jwt(claims, lies),
          });
        }
        case "/jwks":
          return Response.json({
            keys: [{ ...await crypto.subtle.exportKey("jwk", own.publicKey), kid: "one", use: "sig" }],
          });
        default:
          return Response.json(lies.userinfo ?? { sub: "ann" });
      }
    },
  });
  const { url, flow } = await client.start(lies.purpose ?? { kind: "sign-in" }, "/forms");
  const sent = new URL(url).searchParams;
  nonce = sent.get("nonce")!;
  const query = new URLSearchParams({ code: "code", state: sent.get("state")!, iss: ISSUER, ...lies.query });
  return { claims: await client.finish(flow, query), sent, requests, flow };
}

Deno.test("a right answer names issuer and subject, with PKCE, state and nonce on the way", async () => {
  const { claims, sent, requests, flow } = await signIn();
  assert.deepEqual(claims, {
    issuer: ISSUER,
    subject: "ann",
    email: "ann@news.example",
    emailVerified: true,
    groups: [],
    isFresh: false,
  });
  assert.equal(sent.get("code_challenge"), createHash("sha256").update(flow.verifier).digest("base64url"));
  const { body } = requests.find(({ path }) => path === "/token")!;
  assert.deepEqual([body.get("code_verifier"), body.get("redirect_uri")], [flow.verifier, BACK]);
  assert.deepEqual(requests.map(({ path }) => path), [
    "/.well-known/openid-configuration",
    "/token",
    "/jwks",
  ]);
  const { sent: again } = await signIn();
  for (const each of ["state", "nonce", "code_challenge"]) assert.notEqual(sent.get(each), again.get(each));
});

const PAST = Math.floor(Date.now() / 1000) - 3600;
const INVALID: Record<string, Lies> = {
  "another nonce": { claims: { nonce: "of another request" } },
  "no nonce": { claims: { nonce: undefined } },
  "another issuer in the token": { claims: { iss: "https://evil.example" } },
  "another issuer in the query, as in a mix-up": { query: { iss: "https://evil.example" } },
  "another state": { query: { state: "of another request" } },
  "a token for another client": { claims: { aud: "other" } },
  "an expired token": { claims: { exp: PAST, iat: PAST } },
  "the signature of another key": { key: other },
  "no signature": { alg: "none" },
  "a code that was used": { token: { status: 400, body: { error: "invalid_grant" } } },
  "no ID token": { token: { status: 200, body: { access_token: "x", token_type: "bearer" } } },
  "claims about another subject": {
    claims: { email: undefined },
    userinfo: { sub: "eve", email: "eve@x.example" },
  },
  "an old session, where somebody should sign in again": {
    purpose: { kind: "again" },
    claims: { auth_time: PAST },
  },
  "no time, where somebody should sign in again": { purpose: { kind: "again" } },
};

for (const [what, lies] of Object.entries(INVALID)) {
  Deno.test(`nobody is signed in by ${what}`, async () => {
    await assert.rejects(signIn(lies), BadAnswer);
  });
}

Deno.test("a provider that is down, or that names another issuer, is reported as such, without its text", async () => {
  const rows: Lies[] = [
    { down: "/.well-known/openid-configuration" },
    { down: "/token" },
    { down: "/jwks" },
    { metadata: { issuer: "https://evil.example" } },
    { metadata: { authorization_endpoint: undefined } },
    { token: { status: 503, body: { error: "secret words" } } },
  ];
  for (const lies of rows) {
    await assert.rejects(signIn(lies), (error: unknown) => {
      assert.ok(error instanceof ProviderDown, `${JSON.stringify(lies)} ${error}`);
      assert.ok(!error.detail.includes("secret words"));
      return true;
    });
  }
});

Deno.test("an address is verified only if the provider says exactly so", async () => {
  for (const email_verified of [undefined, false, "true", 1]) {
    assert.equal((await signIn({ claims: { email_verified } })).claims.emailVerified, false);
  }
  const { claims } = await signIn({
    claims: { email: undefined, email_verified: undefined },
    userinfo: { sub: "ann", email: "ann@news.example", email_verified: true },
  });
  assert.deepEqual([claims.email, claims.emailVerified], ["ann@news.example", true]);
});

const ROLES: ClaimRole[] = [{ value: "editors", role: "marketer" }];

Deno.test("groups come from the ID token or else from the answer about the user, and are asked for where a provider has a scope", async () => {
  const groups = async (lies: Lies) => (await signIn({ roles: ROLES, ...lies })).claims.groups;
  assert.deepEqual(await groups({ claims: { groups: ["editors", 7, "press"] } }), ["editors", "press"]);
  assert.deepEqual(await groups({ claims: { groups: "editors" } }), ["editors"]);
  assert.deepEqual(await groups({ userinfo: { sub: "ann", groups: ["editors"] } }), ["editors"]);
  assert.deepEqual(await groups({}), []);
  assert.deepEqual(await groups({ claims: { groups: { editors: true } } }), []);
  const scope = async (lies: Lies) => (await signIn(lies)).sent.get("scope");
  const metadata = { scopes_supported: ["openid", "groups"] };
  assert.equal(await scope({ roles: ROLES, metadata }), "openid email profile groups");
  assert.equal(await scope({ roles: ROLES }), "openid email profile");
  assert.equal(await scope({ metadata }), "openid email profile", "nobody needs them");
});

Deno.test("groups are the values of the claim that the settings name, and those in the ID token count before others", async () => {
  const found = async (claims: object, about = {}) => {
    const userinfo = { sub: "ann", ...about };
    const metadata = { scopes_supported: ["groups", "team"] };
    const signedIn = await signIn({ roles: ROLES, roleClaim: "team", claims, userinfo, metadata });
    assert.equal(signedIn.sent.get("scope"), "openid email profile team");
    return signedIn.claims.groups;
  };
  assert.deepEqual(await found({ team: "editors", groups: "press" }), ["editors"]);
  assert.deepEqual(await found({ groups: "press" }, { team: "editors", groups: "staff" }), ["editors"]);
  assert.deepEqual(await found({ team: "editors", email: undefined }, { team: "staff" }), ["editors"]);
});

Deno.test("an answer that is asked for because of the groups changes neither the address nor whether it is verified", async () => {
  const unverified = { email: "ann@news.example", email_verified: false };
  const userinfo = { sub: "ann", email: "eve@news.example", email_verified: true, groups: ["editors"] };
  const { claims } = await signIn({ roles: ROLES, claims: unverified, userinfo });
  assert.deepEqual([claims.email, claims.emailVerified, claims.groups], ["ann@news.example", false, [
    "editors",
  ]]);
});
