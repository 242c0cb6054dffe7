import assert from "node:assert/strict";
import { NAMESPACE } from "../../../shared/contract.ts";
import { issueNonce, newSession } from "../../shops/carts/checkout_nonce.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { spend } from "./spend.ts";

/**
 * Tests the limits of contract 5.1 to 5.7 and our own: each route rejects the request after the last allowed
 * one, until the last millisecond of the time span.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ip = (i: number) => `192.0.2.${i % 250}`;
const nonce = ({ services: { keyring, random, clock } }: Harness) =>
  issueNonce(keyring, newSession(random), clock.now());
const cartEmail = (app: Harness, email: string, peer: string) =>
  app.fetch(`${NAMESPACE}/cart-email`, {
    method: "POST",
    headers: { "x-wp-nonce": nonce(app) },
    body: JSON.stringify({ email }),
  }, peer);
const post = (app: Harness, path: string, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: "POST", headers });

type Send = (app: Harness, i: number) => Promise<Response>;

const ROUTES: [what: string, max: number, spanMs: number, send: Send][] = [
  ["subscribe: requests per IP", 5, 10 * MINUTE, (app, i) => app.post({ email: `a${i}@example.com` })],
  [
    "subscribe: signups for the whole site",
    30,
    MINUTE,
    (app, i) => app.post({ email: `a${i}@example.com` }, { peer: ip(i) }),
  ],
  [
    "subscribe: signups per mailbox",
    3,
    HOUR,
    (app, i) => app.post({ email: `ada+${i}@example.com` }, { peer: ip(i) }),
  ],
  ["provider-hook: requests per IP", 60, MINUTE, (app) => app.hook({ type: "open" })],
  [
    "cart-email: requests per IP",
    20,
    10 * MINUTE,
    (app, i) => cartEmail(app, `a${i}@example.com`, "192.0.2.1"),
  ],
  ["cart-email: requests per mailbox", 5, HOUR, (app, i) => cartEmail(app, `ada+${i}@example.com`, ip(i))],
  ["cart: requests per IP", 120, 10 * MINUTE, (app) => post(app, "/cart", { "x-wp-nonce": nonce(app) })],
  [
    "cart, signed: requests per IP",
    300,
    MINUTE,
    (app) => post(app, "/cart", { "x-cfbe-signature": "forged" }),
  ],
  ["shop-hook: requests per IP", 300, MINUTE, (app) => post(app, "/shop-hook/generic")],
  ["integrations/signup: requests per IP", 300, MINUTE, (app) => post(app, "/integrations/signup")],
];
for (const [what, max, spanMs, send] of ROUTES) {
  Deno.test(`${what}: at most ${max} in ${spanMs / SECOND} s`, async () => {
    await using app = await harness({ settings: { general: { modules: { carts: true } } } });
    const limited = async (i: number) => {
      const response = await send(app, i);
      await response.body?.cancel();
      return response.status === 429 && Number(response.headers.get("retry-after"));
    };
    for (let i = 0; i < max; i++) assert.equal(await limited(i), false, `${i + 1} of ${max}`);
    assert.equal(await limited(max), spanMs / SECOND);
    await app.clock.advance(spanMs - 1);
    // The exact wait would reveal when the owner of a mailbox signed up.
    assert.equal(await limited(max + 1), what.endsWith("mailbox") ? spanMs / SECOND : 1);
    await app.clock.advance(1);
    assert.equal(await limited(max + 2), false);
  });
}

/**
 * Policies of requests that need a password or a delivery. Tests next to the routes cover how the routes use
 * them.
 */
const POLICIES: [max: number, spanMs: number, policyOf: (app: Harness) => Parameters<typeof spend>[1]][] = [
  [10, 15 * MINUTE, ({ services: { policies } }) => policies.loginIp("192.0.2.1")],
  [5, 15 * MINUTE, ({ services: { policies } }) => policies.loginUserIp("ann", "192.0.2.1")],
  [10, HOUR, ({ services: { policies } }) => policies.loginUserNetwork("ann", "192.0.2.0/24")],
  [100, HOUR, ({ services: { policies } }) => policies.loginUser("ann")],
  [5, 15 * MINUTE, ({ services: { policies } }) => policies.loginDevice("a-device")],
  [3, DAY, ({ services: { policies } }) => policies.confirmationMails("ann@example.com")],
];
Deno.test("sign-ins and confirmation emails are limited as documented", async () => {
  await using app = await harness();
  for (const [max, spanMs, policyOf] of POLICIES) {
    const policy = policyOf(app);
    const admitted = async () => (await spend(app.services, policy)).admitted;
    for (let i = 0; i < max; i++) assert.equal(await admitted(), true, policy.name);
    assert.equal(await admitted(), false, policy.name);
    await app.clock.advance(spanMs - 1);
    assert.equal(await admitted(), false, policy.name);
    await app.clock.advance(1);
    assert.equal(await admitted(), true, policy.name);
  }
});

/** The largest body that each route reads, and the status for a body of that many spaces. */
const BODIES: [
  path: string,
  bytes: number,
  status: number,
  headers: (app: Harness) => Record<string, string>,
][] = [
  [`${NAMESPACE}/subscribe`, 4_096, 400, () => ({})],
  [`${NAMESPACE}/provider-hook`, 65_536, 400, () => ({ authorization: "Bearer the-provider-key" })],
  [`${NAMESPACE}/cart-email`, 4_096, 200, (app) => ({ "x-wp-nonce": nonce(app) })],
  ["/cart", 28_672, 400, (app) => ({ "x-wp-nonce": nonce(app) })],
  ["/integrations/signup", 4_096, 400, () => ({ authorization: "Bearer a-token-for-integrations" })],
  ["/shop-hook/generic", 65_536, 401, () => ({})],
  ["/shop-hook/woocommerce", 1_048_576, 401, () => ({})],
  ["/shop-hook/shopify", 1_048_576, 401, () => ({})],
];
for (const [path, bytes, status, headers] of BODIES) {
  Deno.test(`${path}: a body of ${bytes} bytes is read, and one more byte gets 413`, async () => {
    const shop = /shop-hook\/(.*)/.exec(path)?.[1] as "generic" | "woocommerce" | "shopify" | undefined;
    await using app = await harness({
      env: { CFBE_API_TOKEN: "a-token-for-integrations" },
      settings: { general: { modules: { carts: true } }, checkout: { shop: shop ?? "generic" } },
    });
    for (const [size, expected] of [[bytes, status], [bytes + 1, 413]] as const) {
      const response = await app.fetch(path, {
        method: "POST",
        headers: headers(app),
        body: " ".repeat(size),
      });
      await response.body?.cancel();
      assert.equal(response.status, expected, `${size} bytes`);
    }
  });
}
