import assert from "node:assert/strict";
import { eventually } from "../../../dev/testing/eventually.ts";
import { CART_BODY_BYTES } from "../../../shared/limits.ts";
import { CART, HOUR_MS, MINUTE_MS, startCheckout, statusAndBody } from "../systems/testing/checkout.ts";

const STORED = [200, { stored: true }];
const NOT_STORED = [200, { stored: false }];
const FORBIDDEN = [403, { stored: false }];
const LIMITED = [429, { stored: false }];

Deno.test("while the module is off, its routes return 404 for every method", async () => {
  await using checkout = await startCheckout({ general: { modules: { carts: false } } });
  const { api, baseUrl } = checkout.program;
  for (const url of [`${api}/cart-email`, `${baseUrl}/cart`, `${baseUrl}/checkout-session`]) {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(url, { method });
      assert.equal(response.status, 404, `${method} ${url}`);
      assert.equal(response.headers.get("cache-control"), "no-store");
      await response.body?.cancel();
    }
  }
});

Deno.test("an address is stored only with a valid nonce", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", nonce)), STORED);
  for (const wrong of ["", "nonsense", `${nonce}x`, checkout.program.token()]) {
    assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", wrong)), FORBIDDEN, wrong);
  }
  await checkout.clock.advance(24 * HOUR_MS + 1);
  assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", nonce)), FORBIDDEN);
});

Deno.test("a valid nonce is renewed for its own session, an expired one gets a new session", async () => {
  await using checkout = await startCheckout();
  const renew = async (nonce: string) =>
    await (await fetch(`${checkout.program.baseUrl}/checkout-session`, { headers: { "x-wp-nonce": nonce } }))
      .json();
  const first = await checkout.session();
  await checkout.clock.advance(23 * HOUR_MS);
  const second = await renew(first.nonce);
  assert.equal(second.session, first.session);
  assert.notEqual(second.nonce, first.nonce);
  await checkout.clock.advance(23 * HOUR_MS);
  assert.notEqual((await renew(first.nonce)).session, first.session);
  assert.equal((await renew(second.nonce)).session, first.session);
});

Deno.test("an invalid address gets 200 and is not stored", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  for (const wrong of ["", "ann", "ann@", "ann@example", "a b@example.com", 7, null, ["a@example.com"], {}]) {
    assert.deepEqual(await statusAndBody(checkout.email(wrong, nonce)), NOT_STORED, JSON.stringify(wrong));
  }
  const { api } = checkout.program;
  for (const body of ["", "{", "[]", "null", "\0", '{"email":"ann@example.com']) {
    const response = fetch(`${api}/cart-email`, { method: "POST", body, headers: { "x-wp-nonce": nonce } });
    assert.deepEqual(await statusAndBody(response), NOT_STORED, body);
  }
  const long = JSON.stringify({ email: "ann@example.com", more: "x".repeat(4096) });
  const response = fetch(`${api}/cart-email`, {
    method: "POST",
    body: long,
    headers: { "x-wp-nonce": nonce },
  });
  assert.deepEqual(await statusAndBody(response), [413, { stored: false }]);
  assert.equal((await checkout.program.services.kv.get(["s", "main", "cart"])).value, null);
});

Deno.test("if the database does not respond, a request gets 503 after ten seconds", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  const { kv } = checkout.program.services;
  const { getMany } = kv;
  kv.getMany = () => new Promise(() => {});
  const pending = checkout.email("ann@example.com", nonce);
  await eventually("the request waits", () => checkout.clock.wakesIn === 10_000);
  await checkout.clock.advance(10_000);
  const response = await pending;
  assert.deepEqual([response.status, await response.json()], [503, { stored: false }]);
  kv.getMany = getMany;
});

Deno.test("exactly 20 of 50 concurrent requests from one IP pass, and the next one 10 minutes later", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => checkout.email(`ann${i}@example.com`, nonce, "2001:db8::7")),
  );
  const statuses = responses.map((response) => response.status);
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  const refused = responses.find((response) => response.status === 429)!;
  assert.equal(refused.headers.get("retry-after"), "600");
  assert.deepEqual(await refused.json(), { stored: false });
  for (const response of responses) if (response !== refused) await response.body?.cancel();

  await checkout.clock.advance(10 * MINUTE_MS - 1);
  assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", nonce, "2001:db8::8")), LIMITED);
  await checkout.clock.advance(1);
  assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", nonce, "2001:db8::8")), STORED);
});

Deno.test("exactly 5 requests per mailbox and hour pass, however the address is spelled", async () => {
  await using checkout = await startCheckout();
  const spellings = ["ann.a@gmail.com", "ANNA@gmail.com", "anna+1@gmail.com", "a.n.n.a@googlemail.com"];
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => checkout.email(spellings[i % 4]!, undefined, `192.0.2.${i}`)),
  );
  const all = await Promise.all(responses.map((response) => statusAndBody(response)));
  assert.equal(all.filter(([status]) => status === 200).length, 5);
  assert.equal(all.filter(([status]) => status === 429).length, 7);
  await checkout.clock.advance(HOUR_MS);
  assert.deepEqual(await statusAndBody(checkout.email("anna@gmail.com")), STORED);
});

Deno.test("Retry-After of the mailbox limit is always one hour, so it does not reveal when the address was typed", async () => {
  await using checkout = await startCheckout();
  for (let i = 0; i < 5; i += 1) {
    assert.deepEqual(
      await statusAndBody(checkout.email("ann@example.com", undefined, `192.0.2.${i}`)),
      STORED,
    );
    await checkout.clock.advance(HOUR_MS / 10);
  }
  const response = await checkout.email("ann@example.com", undefined, "192.0.2.9");
  assert.equal(response.headers.get("retry-after"), "3600");
  assert.deepEqual(await statusAndBody(Promise.resolve(response)), LIMITED);
});

Deno.test("a foreign page's cart and address are dropped silently and counted, and do not use up limits", async () => {
  await using checkout = await startCheckout({ general: { origins: ["https://shop.example"] } });
  const { nonce } = await checkout.session();
  const send = async (path: string, headers: Record<string, string>) => {
    const body = JSON.stringify(path === "/cart" ? CART : { email: "ann@example.com" });
    const { baseUrl, api } = checkout.program;
    const response = await fetch(path === "/cart" ? `${baseUrl}/cart` : api + path, {
      method: "POST",
      headers: { "x-wp-nonce": nonce, "content-type": "application/json", ...headers },
      body,
    });
    return await statusAndBody(response);
  };
  for (const path of ["/cart", "/cart-email"]) {
    for (let i = 0; i < 21; i += 1) {
      assert.deepEqual(await send(path, { origin: "https://evil.example" }), STORED);
    }
    assert.deepEqual(
      await send(path, { origin: "https://shop.example", "content-type": "text/plain" }),
      [400, { stored: false }],
    );
  }
  const stored = await Array.fromAsync(checkout.program.services.kv.list({ prefix: [] }));
  assert.equal(stored.some(({ value }) => JSON.stringify(value)?.includes("ann@example.com")), false);
  assert.equal((await checkout.program.services.counters.totals())["note.cart_foreign"], 42);
  assert.deepEqual(await send("/cart-email", { origin: "https://shop.example" }), STORED);
  assert.deepEqual(await send("/cart-email", {}), STORED);
});

Deno.test("a cart is stored completely or not at all, and the largest one fits its row", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  const [item] = CART.items;
  const wrong = [
    {},
    { ...CART, items: Array(101).fill(item) },
    { ...CART, items: [{ ...item, name: "x".repeat(201) }] },
    { ...CART, items: [{ ...item, name: "two\nlines" }] },
    { ...CART, items: [{ ...item, quantity: 0 }] },
    { ...CART, total: -1 },
    { ...CART, total: "19" },
    { ...CART, currency: "€" },
    { ...CART, url: "javascript:alert(1)" },
    { ...CART, url: "https://user:word@shop.example/" },
    { ...CART, url: "/checkout" },
  ];
  for (const cart of wrong) {
    const [status, response] = await statusAndBody(checkout.cart(cart, nonce));
    assert.equal(status, 400, JSON.stringify(cart).slice(0, 99));
    assert.equal((response as { stored: boolean }).stored, false);
  }
  assert.deepEqual(await statusAndBody(checkout.cart("x".repeat(CART_BODY_BYTES + 1), nonce)), [413, {
    stored: false,
  }]);
  // One byte per character in JSON, but two in the database, because one character of each name needs them.
  const items = Array.from(
    { length: 100 },
    (_, i) => ({ id: `${i}`, name: "x".repeat(199) + "あ", quantity: 1 }),
  );
  assert.deepEqual(await statusAndBody(checkout.cart({ ...CART, items }, nonce)), STORED);
  const wide = JSON.stringify({ ...CART, items });
  assert.ok(wide.length < CART_BODY_BYTES && wide.length > CART_BODY_BYTES * 0.8, `${wide.length}`);
});

Deno.test("without allowed origins, pages' carts are rejected, and the error says what is missing", async () => {
  await using checkout = await startCheckout({ general: { origins: [] } });
  const { nonce } = await checkout.session();
  const [status, response] = await statusAndBody(checkout.cart(CART, nonce));
  assert.equal(status, 400);
  assert.match((response as { error: string }).error, /Set allowed origins/);
  assert.deepEqual(await statusAndBody(checkout.email("ann@example.com", nonce)), STORED);
  await checkout.runFor(HOUR_MS);
  assert.deepEqual(await checkout.mails("ann@example.com"), []);
});

Deno.test("without allowed origins, a shop's server can send a signed cart", async () => {
  const general = { origins: [] };
  await using checkout = await startCheckout({ general, checkout: { shopUrl: "https://shop.example/wp" } });
  const { session, nonce } = await checkout.session();
  await statusAndBody(checkout.email("ann@example.com", nonce));
  assert.deepEqual(await statusAndBody(checkout.signedCart({ ...CART, session })), STORED);
  const statusOf = async (response: Promise<Response>) => (await statusAndBody(response))[0];
  assert.equal(await statusOf(checkout.signedCart({ ...CART, session }, { secret: "another secret" })), 401);
  assert.equal(await statusOf(checkout.signedCart({ ...CART, session }, { atMs: 0 })), 401);
  assert.equal(await statusOf(checkout.signedCart({ ...CART })), 400);
  const foreign = { ...CART, session, url: "https://evil.example/" };
  assert.equal(await statusOf(checkout.signedCart(foreign)), 400);
  await checkout.runFor(HOUR_MS);
  assert.equal((await checkout.mails("ann@example.com")).length, 1);
});

Deno.test("with allowed origins, a cart's URL must be on one of them", async () => {
  await using checkout = await startCheckout({ general: { origins: ["https://shop.example"] } });
  const { nonce } = await checkout.session();
  assert.deepEqual(await statusAndBody(checkout.cart(CART, nonce)), STORED);
  const foreign = { ...CART, url: "https://shop.example.evil.example/" };
  assert.equal((await statusAndBody(checkout.cart(foreign, nonce)))[0], 400);
});

Deno.test("pages of other origins can read the responses, which are not cached", async () => {
  await using checkout = await startCheckout({ general: { origins: [] } }, "/news");
  const { api, baseUrl } = checkout.program;
  const origin = "https://shop.example";
  for (const url of [`${api}/cart-email`, `${baseUrl}/cart`, `${baseUrl}/checkout-session`]) {
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-wp-nonce",
      },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /x-wp-nonce/i);
    const response = await fetch(url, { headers: { origin } });
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    await response.body?.cancel();
  }
});
