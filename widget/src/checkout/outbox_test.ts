import assert from "node:assert/strict";
import type { Cart } from "../../../shared/contract.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { keepSession, type SessionKeeper } from "./session.ts";

const CART: Cart = { items: [], total: 0, currency: "EUR", url: "https://shop.example/" };
const ANN = "ann@example.com";

interface Double extends AsyncDisposable {
  base: string;
  session: SessionKeeper;
  outbox: Outbox;
  /** `<path> <nonce> <body>`, in order. */
  heard: string[];
  /** Answers to give before the usual one; 0 cuts the connection. */
  answers: number[];
}

/** A service that hands out sessions and takes everything, unless told otherwise. */
function start(): Double {
  sessionStorage.clear();
  let sessions = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const path = new URL(request.url).pathname.split("/").at(-1)!;
    if (path === "checkout-session") {
      const old = request.headers.get("x-wp-nonce");
      double.heard.push(`session ${old ?? "-"}`);
      const session = old ? old.replace("nonce", "s") : `s${++sessions}`;
      return Response.json({ session, nonce: session.replace("s", "nonce") });
    }
    double.heard.push(`${path} ${request.headers.get("x-wp-nonce")} ${await request.text()}`);
    const status = double.answers.shift() ?? 200;
    if (status === 0) return new Response(new ReadableStream({ start: (c) => c.error("cut") }));
    return Response.json({ stored: status === 200 }, { status });
  });
  const base = `http://127.0.0.1:${server.addr.port}/news`;
  const session = keepSession(base);
  const double: Double = {
    base,
    session,
    outbox: createOutbox(base, session),
    heard: [],
    answers: [],
    async [Symbol.asyncDispose]() {
      sessionStorage.clear();
      await server.shutdown();
    },
  };
  return double;
}

const posts = ({ heard }: Double) => heard.map((line) => line.split(" ").slice(0, 2).join(" "));

Deno.test("what the server knows is not told again, and what is equal counts as known", async () => {
  await using double = start();
  const { outbox } = double;
  assert.equal(await outbox.tell("cart", CART), true);
  assert.equal(await outbox.tell("cart", structuredClone(CART)), true);
  assert.equal(await outbox.tell("email", ANN), true);
  assert.equal(await outbox.tell("email", ANN), true);
  assert.equal(await outbox.tell("cart", { ...CART, total: 1 }), true);
  assert.deepEqual(posts(double), ["session -", "cart nonce1", "cart-email nonce1", "cart nonce1"]);
  assert.equal(double.heard[2], `cart-email nonce1 {"email":"${ANN}"}`);
});

for (const status of [403, 409]) {
  Deno.test(`a session that is over (${status}) is left for a new one, which is told everything`, async () => {
    await using double = start();
    const { outbox } = double;
    await outbox.tell("email", ANN);
    double.answers = [status];
    assert.equal(await outbox.tell("cart", CART), true);
    const again = ["session -", "cart nonce2", "cart-email nonce2"];
    assert.deepEqual(posts(double), ["session -", "cart-email nonce1", "cart nonce1", ...again]);
    double.answers = [status, status, status];
    assert.equal(await outbox.tell("cart", { ...CART, total: 1 }), false, "once, and not for ever");
  });
}

for (const status of [0, 429, 503]) {
  Deno.test(`what failed (${status}) is false, rejects nothing, and is told with the next change`, async () => {
    await using double = start();
    const { outbox } = double;
    double.answers = [status];
    assert.equal(await outbox.tell("email", ANN), false);
    assert.equal(await outbox.tell("cart", CART), true);
    assert.deepEqual(posts(double).slice(1), ["cart-email nonce1", "cart nonce1", "cart-email nonce1"]);
  });
}

Deno.test("a page that is left tells the last address at once, and one that is known not again", async () => {
  await using double = start();
  const { outbox, session } = double;
  outbox.leave(ANN);
  assert.deepEqual(double.heard, [], "without a session there is no time for one");
  await session.get();
  outbox.leave(ANN);
  outbox.leave(ANN);
  outbox.leave(undefined);
  await outbox.tell("cart", CART);
  assert.deepEqual(posts(double).filter((post) => post.startsWith("cart-email")), ["cart-email nonce1"]);
});

Deno.test("a session is kept for the next page, renewed with its own nonce, and fetched once by many", async () => {
  await using double = start();
  const [one, two] = await Promise.all([double.session.get(), double.session.get()]);
  assert.deepEqual(one, two);
  const next = keepSession(double.base);
  assert.equal(next.now()?.session, "s1");
  assert.equal((await next.get()).session, "s1");
  assert.deepEqual(double.heard, ["session -"]);

  const kept = JSON.parse(sessionStorage.getItem("cfbe_checkout")!);
  for (const at of [kept.at - 23 * 3_600_000, kept.at + 3_600_000]) {
    sessionStorage.setItem("cfbe_checkout", JSON.stringify({ ...kept, at }));
    const old = keepSession(double.base);
    assert.equal(old.now(), undefined, "too old, or from a clock that went back");
    assert.equal((await old.get()).session, "s1");
    assert.equal(double.heard.at(-1), "session nonce1");
  }
  for (const junk of ["", "{", "null", "7", '{"nonce":7,"at":1}']) {
    sessionStorage.setItem("cfbe_checkout", junk);
    assert.equal(keepSession(double.base).now(), undefined, junk);
  }
});
