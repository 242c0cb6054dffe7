import assert from "node:assert/strict";
import fc from "fast-check";
import { HOOK_BODY_BYTES } from "../../../../shared/limits.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { ConsentRow } from "../../../signup/record/row.ts";
import {
  CART,
  type Checkout,
  HOUR_MS,
  MINUTE_MS,
  startCheckout,
  statusAndBody,
} from "../testing/checkout.ts";

const ANN = "ann@example.com";
const ACCEPTED = [200, { ok: true, action: "accepted" }];
const UPDATED = [200, { ok: true, action: "updated" }];
const IGNORED = [200, { ok: true, action: "ignored" }];
const UNSIGNED = [401, { ok: false }];

const count = async (checkout: Checkout, email = ANN) => (await checkout.mails(email)).length;

/** Returns the kinds of all rows that an order could have written. */
async function shopRows({ program }: Checkout): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of program.services.kv.list({ prefix: ["s", "main"] })) {
    const [, , family, kind] = key as string[];
    if (["mark", "job", "signup", "consent", "due"].includes(family!)) found.push(`${family} ${kind}`);
  }
  return found.filter((row) => !/^(job|due) (poll|blank|erase)/.test(row));
}

Deno.test("an order of the same session ends its cart, whatever its email address", async () => {
  await using checkout = await startCheckout();
  const { session, nonce } = await checkout.abandonCart(ANN);
  assert.deepEqual(await statusAndBody(checkout.order({ session, email: "other@example.com" })), ACCEPTED);
  assert.deepEqual(
    await statusAndBody(checkout.cart({ ...CART, items: [], total: 0 }, nonce)),
    [
      409,
      { stored: false },
    ],
  );
  assert.deepEqual(await statusAndBody(checkout.email(ANN, nonce)), [200, { stored: false }]);
  await checkout.runFor(3 * HOUR_MS);
  assert.equal(await count(checkout), 0);
});

Deno.test("an order of the same mailbox ends its earlier carts, however the address is spelled, but not later ones", async () => {
  await using checkout = await startCheckout();
  await checkout.abandonCart("a.n.n@gmail.com");
  await checkout.abandonCart("ANN@gmail.com");
  await checkout.runFor(10 * MINUTE_MS);
  assert.deepEqual(await statusAndBody(checkout.order({ email: "ann+shop@googlemail.com" })), ACCEPTED);
  await checkout.runFor(3 * HOUR_MS);
  assert.equal(await count(checkout, "a.n.n@gmail.com") + await count(checkout, "ann@gmail.com"), 0);
  await checkout.abandonCart("ann@gmail.com");
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout, "ann@gmail.com"), 1);
});

Deno.test("a cart that a closing page sends just after the order gets no reminder", async () => {
  await using checkout = await startCheckout();
  await statusAndBody(checkout.order({ email: ANN }));
  await checkout.clock.advance(MINUTE_MS);
  await checkout.abandonCart(ANN);
  await checkout.runFor(3 * HOUR_MS);
  assert.equal(await count(checkout), 0);
});

Deno.test("a replay has no second effect, even with another status and a new signature", async () => {
  await using checkout = await startCheckout();
  const order = { id: "4711", email: ANN, optIn: true };
  assert.deepEqual(await statusAndBody(checkout.order(order)), ACCEPTED);
  await checkout.runFor(10 * MINUTE_MS);
  await checkout.abandonCart(ANN);
  assert.deepEqual(await statusAndBody(checkout.order(order)), IGNORED);
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, status: "completed" })), UPDATED);
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, status: "completed" })), IGNORED);
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1, "a replay does not end a cart from after the order");
  const { kv } = checkout.program.services;
  const consents = await Array.fromAsync(kv.list<ConsentRow>({ prefix: ["s", "main", "consent"] }));
  assert.equal(consents.length, 1);
});

Deno.test("a late delivery with an older time overwrites nothing and signs nobody up", async () => {
  await using checkout = await startCheckout();
  const at = (minutes: number) => ({
    changedAt: new Date(checkout.clock.now() + minutes * MINUTE_MS).toISOString(),
  });
  const { session } = await checkout.abandonCart(ANN);
  const order = { id: "late", email: ANN, session, optIn: true };
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, status: "cancelled", ...at(2) })), IGNORED);
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, ...at(1) })), IGNORED);
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1, "a canceled order does not end its cart");
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, ...at(3) })), ACCEPTED);
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, status: "failed", ...at(2) })), IGNORED);
  assert.deepEqual(await statusAndBody(checkout.order({ ...order, status: "completed", ...at(4) })), UPDATED);
});

Deno.test("an old order that arrives now ends no new cart and signs nobody up", async () => {
  await using checkout = await startCheckout();
  await checkout.abandonCart(ANN);
  const orderedAt = new Date(checkout.clock.now() - 4 * 24 * HOUR_MS).toISOString();
  assert.deepEqual(await statusAndBody(checkout.order({ email: ANN, optIn: true, orderedAt })), ACCEPTED);
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1);
  assert.ok(!(await shopRows(checkout)).some((row) => row.startsWith("signup")));
});

Deno.test("of twenty concurrent deliveries of an order, one is accepted", async () => {
  await using checkout = await startCheckout();
  const order = { id: "rush", email: ANN, optIn: true };
  const all = await Promise.all(Array.from({ length: 20 }, () => statusAndBody(checkout.order(order))));
  assert.equal(all.filter(([, body]) => (body as { action: string }).action === "accepted").length, 1);
  assert.equal(all.filter(([status]) => status === 200).length, 20);
});

Deno.test("canceled and failed orders end no cart and sign nobody up", async () => {
  await using checkout = await startCheckout();
  const { session } = await checkout.abandonCart(ANN);
  for (const status of ["cancelled", "failed"]) {
    assert.deepEqual(await statusAndBody(checkout.order({ id: "1", status, session, optIn: true })), IGNORED);
  }
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1);
  assert.deepEqual(await statusAndBody(checkout.order({ id: "1", session })), ACCEPTED);
});

Deno.test("an order without a valid, recent signature gets 401 and has no effect", async () => {
  await using checkout = await startCheckout();
  const now = checkout.clock.now();
  const order = { email: ANN, optIn: true };
  const forged = [
    { secret: "another secret" },
    { secret: "" },
    { signature: "" },
    { signature: "sha256=" },
    { signature: "0".repeat(64) },
    { atMs: now - 5 * MINUTE_MS - 1000 },
    { atMs: now + 5 * MINUTE_MS + 1000 },
    { atMs: NaN },
  ];
  for (const changes of forged) {
    assert.deepEqual(await statusAndBody(checkout.order(order, changes)), UNSIGNED, JSON.stringify(changes));
  }
  assert.deepEqual(await shopRows(checkout), []);
  assert.deepEqual(await statusAndBody(checkout.order(order, { atMs: now - 5 * MINUTE_MS })), ACCEPTED);
  assert.deepEqual(
    await statusAndBody(checkout.order({ ...order, id: "b" }, { atMs: now + 5 * MINUTE_MS })),
    ACCEPTED,
  );
});

Deno.test("a secret saved in the admin is encrypted before it is stored", async () => {
  await using checkout = await startCheckout();
  const { kv, settings } = checkout.program.services;
  await settings.save("checkout", { secret: "saved by an admin" });
  const row = await kv.get<{ fields: { secret: string } }>(keys.settings("checkout"));
  assert.match(row.value!.fields.secret, /^sealed:1:/);
});

Deno.test("without a secret, no signature is valid", async () => {
  await using checkout = await startCheckout({ checkout: { secret: "" } });
  for (const secret of ["", "undefined"]) {
    assert.deepEqual(await statusAndBody(checkout.order({}, { secret })), UNSIGNED);
  }
});

Deno.test("an implausible order is rejected with the reason in the log, and leaves no job", async () => {
  await using checkout = await startCheckout();
  const implausible = [
    { total: -1 },
    { total: 1e13 },
    { total: "19" },
    { id: "" },
    { id: "x".repeat(101) },
    { status: "eaten" },
    { email: "ann" },
    { email: undefined },
    { session: "short" },
    { items: Array(501).fill({ name: "A mug", quantity: 1 }) },
    { items: [{ name: "A mug", quantity: -1 }] },
    { optIn: "yes" },
    { ip: "999.1.1.1" },
    { orderedAt: "yesterday" },
    { changedAt: "2026-11-21T10:00:00" },
    { name: "Ann\nBcc: bob@example.com" },
  ];
  for (const order of implausible) {
    const [status, body] = await statusAndBody(checkout.order(order));
    const { ok, error } = body as { ok: boolean; error: string };
    assert.deepEqual([status, ok], [400, false], JSON.stringify(order).slice(0, 80));
    assert.match(error, new RegExp(Object.keys(order)[0]!));
  }
  for (const body of ["", "{", "[]", "null", "7"]) {
    assert.equal((await statusAndBody(checkout.order({}, { body })))[0], 400, body);
  }
  const refusals = checkout.program.lines.filter((line) => line.includes("order.rejected"));
  assert.equal(refusals.length, implausible.length + 5);
  assert.ok(refusals[0]!.includes("total"));
  assert.deepEqual(await shopRows(checkout), []);
  assert.equal((await statusAndBody(checkout.order({}, { body: "x".repeat(HOOK_BODY_BYTES + 1) })))[0], 413);
});

Deno.test("signed garbage gets 400, never 5xx", async () => {
  await using checkout = await startCheckout();
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 3 }), async (body) => {
      assert.equal((await statusAndBody(checkout.order({}, { body })))[0], 400);
    }),
    { numRuns: 60 },
  );
});

Deno.test("the published schema is the one that validates orders", async () => {
  await using checkout = await startCheckout();
  const response = await fetch(`${checkout.program.baseUrl}/shop-hook/generic/schema.json`);
  assert.equal(response.headers.get("content-type"), "application/schema+json");
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  const schema = await response.json();
  assert.deepEqual(schema.required, ["id", "status", "email", "total"]);
  assert.deepEqual(Object.keys(schema.properties), [
    "id",
    "status",
    "email",
    "session",
    "number",
    "name",
    "orderedAt",
    "changedAt",
    "total",
    "currency",
    "items",
    "optIn",
    "optInText",
    "locale",
    "ip",
  ]);
  assert.equal(schema.properties.items.maxItems, 500);
});
