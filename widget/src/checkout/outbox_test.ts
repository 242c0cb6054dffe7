import assert from "node:assert/strict";
import type { Cart } from "../../../shared/contract.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createSessionStore, type SessionStore } from "./session.ts";

const CART: Cart = { items: [], total: 0, currency: "EUR", url: "https://shop.example/" };
const ANN = "ann@example.com";

interface FakeServer extends AsyncDisposable {
  base: string;
  session: SessionStore;
  outbox: Outbox;
  /** `<path> <nonce> <body>`, in order. */
  requests: string[];
  /** Statuses of the next responses; 0 aborts the connection. */
  statuses: number[];
  /** Whether it stores what it accepts. */
  stores: boolean;
}

/** Starts a server that issues sessions and accepts everything, unless `statuses` says otherwise. */
function start(): FakeServer {
  sessionStorage.clear();
  let sessions = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const path = new URL(request.url).pathname.split("/").at(-1)!;
    if (path === "checkout-session") {
      const old = request.headers.get("x-wp-nonce");
      fake.requests.push(`session ${old ?? "-"}`);
      const session = old ? old.replace("nonce", "s") : `s${++sessions}`;
      return Response.json({ session, nonce: session.replace("s", "nonce") });
    }
    fake.requests.push(`${path} ${request.headers.get("x-wp-nonce")} ${await request.text()}`);
    const status = fake.statuses.shift() ?? 200;
    if (status === 0) return new Response(new ReadableStream({ start: (c) => c.error("cut") }));
    return Response.json({ stored: status === 200 && fake.stores }, { status });
  });
  const base = `http://127.0.0.1:${server.addr.port}/news`;
  const session = createSessionStore(base);
  const fake: FakeServer = {
    base,
    session,
    outbox: createOutbox(base, session),
    requests: [],
    statuses: [],
    stores: true,
    async [Symbol.asyncDispose]() {
      sessionStorage.clear();
      await server.shutdown();
    },
  };
  return fake;
}

const posts = ({ requests }: FakeServer) => requests.map((line) => line.split(" ").slice(0, 2).join(" "));

Deno.test("unchanged values are not sent again, and equal values count as unchanged", async () => {
  await using fake = start();
  const { outbox } = fake;
  assert.equal(await outbox.send("cart", CART), true);
  assert.equal(await outbox.send("cart", structuredClone(CART)), true);
  assert.equal(await outbox.send("email", ANN), true);
  assert.equal(await outbox.send("email", ANN), true);
  assert.equal(await outbox.send("cart", { ...CART, total: 1 }), true);
  assert.deepEqual(posts(fake), ["session -", "cart nonce1", "cart-email nonce1", "cart nonce1"]);
  assert.equal(fake.requests[2], `cart-email nonce1 {"email":"${ANN}"}`);
});

for (const status of [403, 409]) {
  Deno.test(`after ${status} a new session is created and receives all values`, async () => {
    await using fake = start();
    const { outbox } = fake;
    await outbox.send("email", ANN);
    fake.statuses = [status];
    assert.equal(await outbox.send("cart", CART), true);
    const resent = ["session -", "cart nonce2", "cart-email nonce2"];
    assert.deepEqual(posts(fake), ["session -", "cart-email nonce1", "cart nonce1", ...resent]);
    fake.statuses = [status, status, status];
    assert.equal(await outbox.send("cart", { ...CART, total: 1 }), false, "only one new session per attempt");
  });
}

Deno.test("an address that the server does not store is sent once, because its session goes on", async () => {
  await using fake = start();
  const { outbox } = fake;
  fake.stores = false;
  assert.equal(await outbox.send("email", ANN), false);
  assert.equal(await outbox.send("email", ANN), false);
  assert.deepEqual(posts(fake), ["session -", "cart-email nonce1", "session nonce1"]);
});

for (const status of [0, 429, 503]) {
  Deno.test(`a failed request (${status || "aborted"}) resolves to false and is sent again with the next change`, async () => {
    await using fake = start();
    const { outbox } = fake;
    fake.statuses = [status];
    assert.equal(await outbox.send("email", ANN), false);
    assert.equal(await outbox.send("cart", CART), true);
    assert.deepEqual(posts(fake).slice(1), ["cart-email nonce1", "cart nonce1", "cart-email nonce1"]);
  });
}

Deno.test("leaving the page sends the last address immediately, unless it was already sent", async () => {
  await using fake = start();
  const { outbox, session } = fake;
  outbox.flush(ANN);
  assert.deepEqual(fake.requests, [], "there is no time to fetch a session");
  await session.get();
  outbox.flush(ANN);
  outbox.flush(ANN);
  outbox.flush(undefined);
  await outbox.send("cart", CART);
  assert.deepEqual(posts(fake).filter((post) => post.startsWith("cart-email")), ["cart-email nonce1"]);
});

Deno.test("a session survives navigation, is renewed with its own nonce, and is fetched once for concurrent calls", async () => {
  await using fake = start();
  const [one, two] = await Promise.all([fake.session.get(), fake.session.get()]);
  assert.deepEqual(one, two);
  const next = createSessionStore(fake.base);
  assert.equal(next.current()?.session, "s1");
  assert.equal((await next.get()).session, "s1");
  assert.deepEqual(fake.requests, ["session -"]);

  const stored = JSON.parse(sessionStorage.getItem("cfbe_checkout")!);
  for (const at of [stored.at - 23 * 3_600_000, stored.at + 3_600_000]) {
    sessionStorage.setItem("cfbe_checkout", JSON.stringify({ ...stored, at }));
    const old = createSessionStore(fake.base);
    assert.equal(old.current(), undefined, "too old, or from before the clock was set back");
    assert.equal((await old.get()).session, "s1");
    assert.equal(fake.requests.at(-1), "session nonce1");
  }
  for (const invalid of ["", "{", "null", "7", '{"nonce":7,"at":1}']) {
    sessionStorage.setItem("cfbe_checkout", invalid);
    assert.equal(createSessionStore(fake.base).current(), undefined, invalid);
  }
});
