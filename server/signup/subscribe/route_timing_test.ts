import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { fetchToken } from "../testing/solved.ts";

/** Every success response takes equally long; all others are sent immediately. */

const FLOOR_MS = 200;
const harnessWithFloor = (more: Parameters<typeof harness>[0] = {}) =>
  harness({ ...more, env: { CFBE_ANSWER_FLOOR_MS: String(FLOOR_MS) } });

/** Returns how long a response takes, in milliseconds on the manual clock. */
async function responseTime(app: Harness, request: Promise<Response>): Promise<number> {
  const start = app.clock.now();
  let tookMs: number | undefined;
  const response = request.then((response) => {
    tookMs = app.clock.now() - start;
    return response.body?.cancel();
  });
  // Only its delay sleeps then. While the body is read or the database works, a longer timeout sleeps.
  await eventually(
    "answered or delayed",
    () => tookMs !== undefined || app.clock.sleeping === 1 && app.clock.wakesIn <= FLOOR_MS,
  );
  for (let passed = 0; tookMs === undefined && passed < 2 * FLOOR_MS; passed += 1) await app.clock.advance(1);
  await response;
  return tookMs!;
}

const successes: Record<string, Record<string, unknown>> = {
  "a new signup": {},
  "a honeypot": { cfbe_hp: "x" },
  "a missing token": { cfbe_token: undefined },
  "a stale token": { cfbe_token: "1.x" },
};
for (const [name, body] of Object.entries(successes)) {
  Deno.test(`${name} gets its response exactly after the minimum response time`, async () => {
    await using app = await harnessWithFloor();
    assert.equal(await responseTime(app, app.post({ email: "ada@example.com", ...body })), FLOOR_MS);
  });
}

Deno.test("in attack mode, what is dropped for want of a proof gets its response after the minimum response time, like an accepted signup", async () => {
  await using app = await harnessWithFloor({ settings: { privacy: { attackMode: "on" } } });
  app.services.attackMode.current();
  await app.clock.advance(5 * 60_000);
  const { proven } = await fetchToken(app);
  await app.clock.advance(3_000);
  const kinds = {
    solved: proven,
    used: proven,
    "without a proof": app.token(),
    "cut off": proven.slice(0, -9),
  };
  for (const [kind, token] of Object.entries(kinds)) {
    const request = app.post({ email: `${kind.length}@example.com`, cfbe_token: token });
    assert.equal(await responseTime(app, request), FLOOR_MS, kind);
  }
  const { accepted, "dropped.challenge": dropped } = await app.services.counters.totals();
  assert.deepEqual([accepted, dropped], [1, 3]);
});

Deno.test("a repeated signup and a suppressed address get their responses after the minimum response time", async () => {
  await using app = await harnessWithFloor();
  for (const seen of ["pending", "bounced"] as const) {
    app.provider.put(LIST, "ada@example.com", seen);
    const request = app.post({ email: "ada@example.com" });
    assert.equal(await responseTime(app, request), FLOOR_MS);
    await app.work();
  }
});

Deno.test("errors are sent without delay", async () => {
  await using app = await harnessWithFloor({ configured: false });
  // The clock stands still: a response that is delayed never comes.
  const send = async (body: Record<string, unknown>) => {
    const response = await app.post({ email: "ada@example.com", ...body });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await send({ source: "x" }), 400);
  assert.equal(await send({ email: "no" }), 400);
  assert.equal(await send({ pad: "x".repeat(5_000) }), 413);
  for (let i = 0; i < 5; i++) assert.notEqual(await send({}), 200);
  assert.equal(app.log.entries.length, 0);
});

Deno.test("a slow upload still waits for the full minimum response time, and does not raise it for others", async () => {
  await using app = await harnessWithFloor();
  const text = JSON.stringify({ source: "popup", email: "ada@example.com", cfbe_token: app.token() });
  let upload: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (upload = controller) });
  const request = app.fetch(`${NAMESPACE}/subscribe`, { method: "POST", body });
  await app.clock.advance(9_000);
  upload!.enqueue(new TextEncoder().encode(text));
  upload!.close();
  assert.equal(await responseTime(app, request), FLOOR_MS);
  const next = app.post({ email: "eve@example.com" }, { peer: "192.0.2.9" });
  assert.equal(await responseTime(app, next), FLOOR_MS);
});
