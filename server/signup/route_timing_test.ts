import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { eventually } from "../testing/eventually.ts";
import { NAMESPACE } from "../../shared/contract.ts";

/** When answers leave: every success at the same time after its arrival, everything else at once. */

const FLOOR = 200;
const paced = (more: Parameters<typeof harness>[0] = {}) =>
  harness({ ...more, env: { CFBE_ANSWER_FLOOR_MS: String(FLOOR) } });

/** How long after its arrival an answer leaves, in milliseconds of the clock. */
async function leavesAfter(app: Harness, answering: Promise<Response>): Promise<number> {
  const start = app.clock.now();
  let left: number | undefined;
  const answer = answering.then((answer) => (left = app.clock.now() - start, answer.body?.cancel()));
  // Something else sleeps while the body is read: its limit, which is longer than any pause.
  await eventually("answered or paused", () => left !== undefined || app.clock.wakesIn <= FLOOR);
  for (let passed = 0; left === undefined && passed < 2 * FLOOR; passed += 1) await app.clock.advance(1);
  await answer;
  return left!;
}

const successes: Record<string, Record<string, unknown>> = {
  "a new signup": {},
  "a honeypot": { cfbe_hp: "x" },
  "a missing token": { cfbe_token: undefined },
  "a stale token": { cfbe_token: "1.x" },
};
for (const [name, body] of Object.entries(successes)) {
  Deno.test(`${name} leaves after the floor, not before and not later`, async () => {
    await using app = await paced();
    assert.equal(await leavesAfter(app, app.post({ email: "ada@example.com", ...body })), FLOOR);
  });
}

Deno.test("so does a repeat, and an address that the provider suppresses", async () => {
  await using app = await paced();
  for (const seen of ["pending", "bounced"] as const) {
    app.provider.put(LIST, "ada@example.com", seen);
    const answering = app.post({ email: "ada@example.com" });
    assert.equal(await leavesAfter(app, answering), FLOOR);
    await app.work();
  }
});

Deno.test("what is no success is not held back", async () => {
  await using app = await paced({ configured: false });
  const send = (body: Record<string, unknown>) =>
    leavesAfter(app, app.post({ email: "ada@example.com", ...body }));
  assert.equal(await send({ source: "x" }), 0);
  assert.equal(await send({ email: "no" }), 0);
  assert.equal(await send({ pad: "x".repeat(5_000) }), 0);
  for (let i = 0; i < 5; i++) assert.equal(await send({}), 0);
  assert.equal(app.log.entries.length, 0);
});

Deno.test("who sends the body slowly still waits out the whole pause, and raises it for nobody", async () => {
  await using app = await paced();
  const text = JSON.stringify({ source: "popup", email: "ada@example.com", cfbe_token: app.token() });
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sender = controller) });
  const answering = app.fetch(`${NAMESPACE}/subscribe`, { method: "POST", body });
  await app.clock.advance(9_000);
  sender!.enqueue(new TextEncoder().encode(text));
  sender!.close();
  assert.equal(await leavesAfter(app, answering), FLOOR);
  const next = app.post({ email: "eve@example.com" }, { peer: "192.0.2.9" });
  assert.equal(await leavesAfter(app, next), FLOOR);
});
