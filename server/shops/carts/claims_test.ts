/** What a claim reads and writes. `once_model_test.ts` tests the same guarantees with crashes and many processes. */
import assert from "node:assert/strict";
import { fenceOf, LeaseLost } from "../../platform/jobs/handler.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { KvKey } from "../../platform/kv/port.ts";
import { createMarkers } from "../mail/markers.ts";
import { CART, HOUR_MS } from "../systems/testing/checkout.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { cartKey, type CartRow, putCart } from "./cart.ts";
import { type Claim, createClaims } from "./claims.ts";

const ADA = "ada@example.com";
const markers = createMarkers(createKeyring(["a salt for tests, long enough to be one"]));
const mailboxOfAda = markers.mailbox(ADA);
const mailedKey = markers.mailboxMailed(mailboxOfAda);

/** A job that holds its lease, and a cart that is due. */
async function world() {
  const temp = await tempKv();
  const { kv } = temp;
  const harness = queueHarness(kv);
  const { clock, random, queue } = harness;
  await harness.add({ id: "job" });
  const [claimed] = await queue.claim(1);
  const fence = fenceOf("job", claimed!.token);
  const at = clock.now() - HOUR_MS;
  const cart: CartRow = { v: 1, id: "c", email: ADA, content: CART, createdAt: at, changedAt: at };
  async function put(row: CartRow) {
    const tx = kv.atomic();
    putCart(tx, await readRow(kv, cartKey(row.id)), row);
    await tx.commit();
  }
  await put(cart);
  const claims = createClaims({ kv, clock, random, markers });
  return {
    kv,
    clock,
    random,
    queue,
    fence,
    cart,
    put,
    claims,
    claim: () => claims.claim("c", HOUR_MS, fence),
    stored: () => readRow(kv, cartKey("c")),
    /** The cart's own marker, and the mailbox's. */
    marks: async () => [await readRow(kv, markers.cartMailed("c")), await readRow(kv, mailedKey)],
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

async function claimed(w: Awaited<ReturnType<typeof world>>): Promise<Claim> {
  const claim = await w.claim();
  assert.equal(claim.kind, "send");
  return claim as Claim;
}

Deno.test("a claim marks the cart and its mailbox as being mailed, and there is no second one", async () => {
  await using w = await world();
  const at = w.clock.now();
  const mail = { at, state: "sending" } as const;
  const { cart, email, ...rest } = await claimed(w);
  assert.deepEqual(rest, { kind: "send", at });
  assert.deepEqual([email, cart.mail], [ADA, mail]);
  assert.deepEqual((await w.stored())?.mail, mail);
  assert.deepEqual(await w.marks(), [{ v: 1, at }, { v: 1, ...mail }]);
  assert.deepEqual(await w.claim(), { kind: "none", reason: "mailed" });
});

Deno.test("peek decides like a claim and writes nothing", async () => {
  await using w = await world();
  const stored = await w.stored();
  assert.deepEqual(await w.claims.peek("c", HOUR_MS), {
    cart: stored,
    decision: { kind: "send", email: ADA },
  });
  const until = w.clock.now() + 1;
  assert.deepEqual((await w.claims.peek("c", HOUR_MS + 1)).decision, { kind: "wait", until });
  assert.deepEqual(await w.claims.peek("gone", HOUR_MS), {
    cart: null,
    decision: { kind: "none", reason: "gone" },
  });
  assert.deepEqual([await w.stored(), await w.marks()], [stored, [null, null]]);
});

Deno.test("every marker of the mailbox and of the session is read", async () => {
  const opposing = [
    [markers.sessionOrdered("c"), "ordered"],
    [markers.mailboxOrdered(mailboxOfAda), "ordered"],
    [markers.cartMailed("c"), "mailed"],
    [markers.cartMailOptOut(mailboxOfAda), "opted_out"],
    [mailedKey, "mailbox_mailed"],
  ] as const;
  for (const [key, reason] of opposing) {
    await using w = await world();
    await w.kv.set(key, { v: 1, at: w.clock.now() });
    assert.deepEqual((await w.claims.peek("c", HOUR_MS)).decision, { kind: "none", reason });
    assert.deepEqual(await w.claim(), { kind: "none", reason });
    assert.equal(await w.stored() === null, reason === "ordered", "only an ordered cart is erased");
  }
});

Deno.test("a cart that its mailbox has ordered is erased, and its session accepts no new cart", async () => {
  await using w = await world();
  const at = w.clock.now();
  await w.kv.set(markers.mailboxOrdered(mailboxOfAda), { v: 1, at });
  await w.claim();
  assert.equal((await w.kv.get(keys.cartOf(ADA, "c"))).value, null);
  assert.deepEqual(await readRow(w.kv, markers.sessionOrdered("c")), { v: 1, at });
  assert.deepEqual(await w.marks(), [null, null]);
});

Deno.test("an address typed while the keys are read is the one that is claimed", async () => {
  await using w = await world();
  const eve = "eve@example.com";
  let reads = 0;
  const kv = new Proxy(w.kv, {
    get(target, property) {
      if (property === "getMany") {
        return async (wanted: KvKey[]) => {
          if (reads++ === 0) await w.put({ ...w.cart, email: eve });
          return await target.getMany(wanted);
        };
      }
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const { clock, random } = w;
  const claim = await createClaims({ kv, clock, random, markers }).claim("c", HOUR_MS, w.fence);
  assert.ok(claim.kind === "send");
  assert.equal(claim.email, eve);
  assert.equal(await readRow(w.kv, mailedKey), null);
  assert.ok(await readRow(w.kv, markers.mailboxMailed(markers.mailbox(eve))));
});

Deno.test("a result is stored with the cart and with the mailbox, and only once", async () => {
  await using w = await world();
  const claim = await claimed(w);
  const { at } = claim;
  await w.claims.settle(claim, "unknown");
  const settled = async () => [(await w.stored())?.mail, ...await w.marks()];
  const mail = { at, state: "unknown" };
  assert.deepEqual(await settled(), [mail, { v: 1, at }, { v: 1, ...mail }]);
  for (const later of ["sent", "released"] as const) {
    await w.claims.settle(claim, later);
    assert.deepEqual(await settled(), [mail, { v: 1, at }, { v: 1, ...mail }]);
  }
});

Deno.test("a released claim leaves no trace, so that another attempt can claim", async () => {
  await using w = await world();
  const before = await w.stored();
  await w.claims.settle(await claimed(w), "released");
  assert.deepEqual([await w.stored(), await w.marks()], [before, [null, null]]);
  await claimed(w);
});

Deno.test("the result of another attempt's claim changes nothing", async () => {
  await using w = await world();
  const claim = await claimed(w);
  const before = [await w.stored(), await w.marks()];
  for (const state of ["sent", "released"] as const) {
    await w.claims.settle({ ...claim, at: claim.at - 1 }, state);
    assert.deepEqual([await w.stored(), await w.marks()], before);
  }
});

Deno.test("the result for a cart that was erased meanwhile is stored with the mailbox alone", async () => {
  for (const [state, expected] of [["sent", "sent"], ["released", undefined]] as const) {
    await using w = await world();
    const claim = await claimed(w);
    await w.kv.delete(cartKey("c"));
    await w.claims.settle(claim, state);
    assert.equal(await w.stored(), null);
    assert.equal((await readRow(w.kv, mailedKey))?.state, expected);
  }
});

Deno.test("a job that has lost its lease claims nothing", async () => {
  await using w = await world();
  await w.queue.cancel("job");
  await assert.rejects(w.claim(), LeaseLost);
  assert.deepEqual(await w.marks(), [null, null]);
});

Deno.test("an order that a clock ahead has dated ends one cart, and none of the mailbox's later ones", async () => {
  await using w = await world();
  const ordered = markers.mailboxOrdered(mailboxOfAda);
  const now = w.clock.now();
  await w.kv.set(ordered, { v: 1, at: now + 365 * 24 * HOUR_MS });
  assert.deepEqual(await w.claim(), { kind: "none", reason: "ordered" });
  assert.deepEqual(await readRow(w.kv, ordered), { v: 1, at: now });
  const at = now + HOUR_MS;
  await w.clock.advance(2 * HOUR_MS);
  await w.put({ ...w.cart, id: "later", createdAt: at, changedAt: at });
  assert.equal((await w.claims.peek("later", HOUR_MS)).decision.kind, "send");
});
