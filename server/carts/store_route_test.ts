import assert from "node:assert/strict";
import { eventually } from "../testing/eventually.ts";
import { CART_BODY_BYTES } from "../../shared/limits.ts";
import { CART, HOUR_MS, MINUTE_MS, startCheckout, told } from "../shop/testing/checkout.ts";

const STORED = [200, { stored: true }];
const NOT_STORED = [200, { stored: false }];
const FORBIDDEN = [403, { stored: false }];
const LIMITED = [429, { stored: false }];

Deno.test("with the module off there is no such route, for nobody and no method", async () => {
  await using checkout = await startCheckout({ general: { modules: { carts: false } } });
  const { api, baseUrl } = checkout.program;
  for (const url of [`${api}/cart-email`, `${baseUrl}/cart`, `${baseUrl}/checkout-session`]) {
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(url, { method });
      assert.equal(answer.status, 404, `${method} ${url}`);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      await answer.body?.cancel();
    }
  }
});

Deno.test("an address is stored by who holds a nonce, and by nobody else", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  assert.deepEqual(await told(checkout.email("ann@example.com", nonce)), STORED);
  for (const wrong of ["", "nonsense", `${nonce}x`, checkout.program.token()]) {
    assert.deepEqual(await told(checkout.email("ann@example.com", wrong)), FORBIDDEN, wrong);
  }
  await checkout.clock.advance(24 * HOUR_MS + 1);
  assert.deepEqual(await told(checkout.email("ann@example.com", nonce)), FORBIDDEN);
});

Deno.test("a nonce is renewed for its own session, an old one for a new session", async () => {
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

Deno.test("what is no address is answered, and not stored", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  for (const wrong of ["", "ann", "ann@", "ann@example", "a b@example.com", 7, null, ["a@example.com"], {}]) {
    assert.deepEqual(await told(checkout.email(wrong, nonce)), NOT_STORED, JSON.stringify(wrong));
  }
  const { api } = checkout.program;
  for (const body of ["", "{", "[]", "null", "\0", '{"email":"ann@example.com']) {
    const answer = fetch(`${api}/cart-email`, { method: "POST", body, headers: { "x-wp-nonce": nonce } });
    assert.deepEqual(await told(answer), NOT_STORED, body);
  }
  const long = JSON.stringify({ email: "ann@example.com", more: "x".repeat(4096) });
  const answer = fetch(`${api}/cart-email`, { method: "POST", body: long, headers: { "x-wp-nonce": nonce } });
  assert.deepEqual(await told(answer), [413, { stored: false }]);
  assert.equal((await checkout.program.services.kv.get(["s", "main", "cart"])).value, null);
});

Deno.test("a database that does not answer is 503 after ten seconds", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  const { kv } = checkout.program.services;
  const { getMany } = kv;
  kv.getMany = () => new Promise(() => {});
  const asked = checkout.email("ann@example.com", nonce);
  await eventually("it waits", () => checkout.clock.wakesIn === 10_000);
  await checkout.clock.advance(10_000);
  const answer = await asked;
  assert.deepEqual([answer.status, await answer.json()], [503, { stored: false }]);
  kv.getMany = getMany;
});

Deno.test("exactly 20 of 50 requests at once from one IP pass, the next one 10 minutes later", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.session();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => checkout.email(`ann${i}@example.com`, nonce, "2001:db8::7")),
  );
  const statuses = answers.map((answer) => answer.status);
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  const refused = answers.find((answer) => answer.status === 429)!;
  assert.equal(refused.headers.get("retry-after"), "600");
  assert.deepEqual(await refused.json(), { stored: false });
  for (const answer of answers) if (answer !== refused) await answer.body?.cancel();

  await checkout.clock.advance(10 * MINUTE_MS - 1);
  assert.deepEqual(await told(checkout.email("ann@example.com", nonce, "2001:db8::8")), LIMITED);
  await checkout.clock.advance(1);
  assert.deepEqual(await told(checkout.email("ann@example.com", nonce, "2001:db8::8")), STORED);
});

Deno.test("exactly 5 requests an hour for one mailbox pass, however it is spelled", async () => {
  await using checkout = await startCheckout();
  const spellings = ["ann.a@gmail.com", "ANNA@gmail.com", "anna+1@gmail.com", "a.n.n.a@googlemail.com"];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => checkout.email(spellings[i % 4]!, undefined, `192.0.2.${i}`)),
  );
  const all = await Promise.all(answers.map((answer) => told(answer)));
  assert.equal(all.filter(([status]) => status === 200).length, 5);
  assert.equal(all.filter(([status]) => status === 429).length, 7);
  await checkout.clock.advance(HOUR_MS);
  assert.deepEqual(await told(checkout.email("anna@gmail.com")), STORED);
});

Deno.test("Retry-After of the mailbox's limit is the whole hour, whenever its address was typed", async () => {
  await using checkout = await startCheckout();
  for (let i = 0; i < 5; i += 1) {
    assert.deepEqual(await told(checkout.email("ann@example.com", undefined, `192.0.2.${i}`)), STORED);
    await checkout.clock.advance(HOUR_MS / 10);
  }
  const answer = await checkout.email("ann@example.com", undefined, "192.0.2.9");
  assert.equal(answer.headers.get("retry-after"), "3600");
  assert.deepEqual(await told(Promise.resolve(answer)), LIMITED);
});

Deno.test("a foreign page's cart and address are dropped silently and counted, and spend no limit", async () => {
  await using checkout = await startCheckout({ general: { origins: ["https://shop.example"] } });
  const { nonce } = await checkout.session();
  const send = async (path: string, headers: Record<string, string>) => {
    const body = JSON.stringify(path === "/cart" ? CART : { email: "ann@example.com" });
    const { baseUrl, api } = checkout.program;
    const answer = await fetch(path === "/cart" ? `${baseUrl}/cart` : api + path, {
      method: "POST",
      headers: { "x-wp-nonce": nonce, "content-type": "application/json", ...headers },
      body,
    });
    return await told(answer);
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

Deno.test("a cart is taken whole or not at all, and the largest one fits its row", async () => {
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
    const [status, answer] = await told(checkout.cart(cart, nonce));
    assert.equal(status, 400, JSON.stringify(cart).slice(0, 99));
    assert.equal((answer as { stored: boolean }).stored, false);
  }
  assert.deepEqual(await told(checkout.cart("x".repeat(CART_BODY_BYTES + 1), nonce)), [413, {
    stored: false,
  }]);
  // Mostly one byte a character in JSON, and two in the database, because of the one that needs them.
  const items = Array.from(
    { length: 100 },
    (_, i) => ({ id: `${i}`, name: "x".repeat(199) + "あ", quantity: 1 }),
  );
  assert.deepEqual(await told(checkout.cart({ ...CART, items }, nonce)), STORED);
  const wide = JSON.stringify({ ...CART, items });
  assert.ok(wide.length < CART_BODY_BYTES && wide.length > CART_BODY_BYTES * 0.8, `${wide.length}`);
});

Deno.test("without allowed origins no page's cart is taken, and the answer says what is missing", async () => {
  await using checkout = await startCheckout({ general: { origins: [] } });
  const { nonce } = await checkout.session();
  const [status, answer] = await told(checkout.cart(CART, nonce));
  assert.equal(status, 400);
  assert.match((answer as { error: string }).error, /Set allowed origins/);
  assert.deepEqual(await told(checkout.email("ann@example.com", nonce)), STORED);
  await checkout.pass(HOUR_MS);
  assert.deepEqual(await checkout.mails("ann@example.com"), []);
});

Deno.test("a shop's server may always send a cart that it signed, for the session that ordered nothing yet", async () => {
  const general = { origins: [] };
  await using checkout = await startCheckout({ general, checkout: { shopUrl: "https://shop.example/wp" } });
  const { session, nonce } = await checkout.session();
  await told(checkout.email("ann@example.com", nonce));
  assert.deepEqual(await told(checkout.signedCart({ ...CART, session })), STORED);
  const statusOf = async (answer: Promise<Response>) => (await told(answer))[0];
  assert.equal(await statusOf(checkout.signedCart({ ...CART, session }, { secret: "another secret" })), 401);
  assert.equal(await statusOf(checkout.signedCart({ ...CART, session }, { atMs: 0 })), 401);
  assert.equal(await statusOf(checkout.signedCart({ ...CART })), 400);
  const foreign = { ...CART, session, url: "https://evil.example/" };
  assert.equal(await statusOf(checkout.signedCart(foreign)), 400);
  await checkout.pass(HOUR_MS);
  assert.equal((await checkout.mails("ann@example.com")).length, 1);
});

Deno.test("with origins configured, a cart leads to one of them", async () => {
  await using checkout = await startCheckout({ general: { origins: ["https://shop.example"] } });
  const { nonce } = await checkout.session();
  assert.deepEqual(await told(checkout.cart(CART, nonce)), STORED);
  const foreign = { ...CART, url: "https://shop.example.evil.example/" };
  assert.equal((await told(checkout.cart(foreign, nonce)))[0], 400);
});

Deno.test("a page of another origin may ask, and every answer says not to keep it", async () => {
  await using checkout = await startCheckout({ general: { origins: [] } }, "/news");
  const { api, baseUrl } = checkout.program;
  const origin = "https://shop.example";
  for (const url of [`${api}/cart-email`, `${baseUrl}/cart`, `${baseUrl}/checkout-session`]) {
    const asked = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-wp-nonce",
      },
    });
    assert.equal(asked.headers.get("access-control-allow-origin"), "*");
    assert.match(asked.headers.get("access-control-allow-headers") ?? "", /x-wp-nonce/i);
    const answer = await fetch(url, { headers: { origin } });
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    await answer.body?.cancel();
  }
});
