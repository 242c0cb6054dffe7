import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { aroundCalls } from "../kv/around_calls.ts";
import { readRow } from "../kv/key.ts";
import type { Kv } from "../kv/port.ts";
import { tokensKey, tokenUseKey } from "./row.ts";
import { createApiTokens } from "./store.ts";

const MINUTE = 60_000;
const SHOP = { name: "shop", scopes: ["signup"], by: "ann" };

async function fixture() {
  const temp = await tempKv();
  const counting = countingKv(temp.kv);
  const clock = new ManualClock();
  const log = memoryLog();
  let seed = 0;
  /** Starts a process with the database. */
  const process = (kv: Kv = counting.kv) => createApiTokens({ kv, clock, random: seededRandom(++seed), log });
  return {
    ...counting,
    clock,
    log,
    process,
    async add(tokens: ReturnType<typeof process>, more: Partial<Parameters<typeof tokens.add>[0]> = {}) {
      const added = await tokens.add({ ...SHOP, ...more });
      assert(typeof added === "object");
      return added;
    },
    usedAt: async (id: string) => (await readRow(temp.kv, tokenUseKey(id)))?.at,
    async dump() {
      const rows = await Array.fromAsync(temp.kv.list({ prefix: [] }));
      return JSON.stringify(rows.map(({ key, value }) => [key, value]));
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("a token is shown once and only its hash is stored, and it works after a restart", async () => {
  await using f = await fixture();
  const { id, token } = await f.add(f.process());
  const dump = await f.dump();
  assert.ok(!dump.includes(token) && !dump.includes(token.slice(-43)));
  const restarted = f.process();
  assert.deepEqual(await restarted.use(token), { id, name: "shop", scopes: ["signup"] });
  assert.ok(!JSON.stringify(await restarted.list()).includes("hash"));
  assert.equal(await restarted.use(token.slice(0, -1)), undefined);
});

Deno.test("a token that one process revokes is refused by every other from then on", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const { id, token } = await f.add(one);
  assert.equal((await two.use(token))?.id, id);
  assert.equal((await one.revoke(id))?.name, "shop");
  assert.equal(await two.use(token), undefined);
  assert.equal(await two.hashOf(id), undefined);
  assert.equal(await two.revoke(id), undefined);
  assert.deepEqual(await two.list(), []);
});

Deno.test("a token stops working when it expires, in every process, and stays listed", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const { id, token } = await f.add(one, { expiresAt: f.clock.now() + MINUTE });
  const { expiresAt } = (await two.use(token))!;
  assert.equal(expiresAt, f.clock.now() + MINUTE);
  await f.clock.advance(MINUTE - 1);
  assert.ok(await two.use(token) && await two.hashOf(id));
  await f.clock.advance(1);
  for (const each of [one, two]) {
    assert.equal(await each.use(token), undefined);
    assert.equal(await each.hashOf(id), undefined);
    assert.deepEqual((await each.list()).map(({ isExpired }) => isExpired), [true]);
  }
});

Deno.test("a request with a token costs one read and no commit, and one with any other text costs nothing", async () => {
  await using f = await fixture();
  const tokens = f.process();
  const { token } = await f.add(tokens);
  f.reset();
  await tokens.use(token);
  assert.deepEqual({ ...f.counts }, { reads: 1, commits: 0 });
  await tokens.use("a-token-of-the-environment");
  assert.deepEqual({ ...f.counts }, { reads: 1, commits: 0 });
});

Deno.test("when a token was used is written at most once a minute, and what is not written yet is shown", async () => {
  await using f = await fixture();
  const tokens = f.process();
  const { id, token } = await f.add(tokens);
  const usedAt = async () => (await tokens.list())[0]!.usedAt;
  assert.equal(await usedAt(), undefined);
  const first = Math.floor(f.clock.now() / MINUTE) * MINUTE;
  await tokens.use(token);
  assert.deepEqual([await usedAt(), await f.usedAt(id)], [first, undefined]);
  f.reset();
  for (let i = 0; i < 5; i++) {
    await tokens.use(token);
    await tokens.flush();
  }
  assert.deepEqual([f.counts.commits, await f.usedAt(id)], [1, first]);
  await f.clock.advance(MINUTE);
  await tokens.use(token);
  await tokens.flush();
  assert.deepEqual([f.counts.commits, await f.usedAt(id)], [2, first + MINUTE]);
});

Deno.test("of two processes that used a token, the later use stays, whichever writes last", async () => {
  await using f = await fixture();
  const [early, late] = [f.process(), f.process()];
  const { id, token } = await f.add(early);
  await early.use(token);
  await f.clock.advance(3 * MINUTE);
  await late.use(token);
  const latest = Math.floor(f.clock.now() / MINUTE) * MINUTE;
  await late.flush();
  await early.flush();
  assert.equal(await f.usedAt(id), latest);
});

Deno.test("a use that another process writes after the token was revoked leaves nothing behind", async () => {
  await using f = await fixture();
  const [one, two] = [f.process(), f.process()];
  const { id, token } = await f.add(one);
  await two.use(token);
  await two.flush();
  await f.clock.advance(MINUTE);
  await two.use(token);
  await one.revoke(id);
  await two.flush();
  assert.equal(await f.usedAt(id), undefined);
});

Deno.test("a use that could not be written is written later, and the failure is in the log", async () => {
  await using f = await fixture();
  let fails = false;
  const kv = aroundCalls(f.kv, async (call) => {
    const answer = await call;
    if (fails) throw new Error("out of order");
    return answer;
  });
  const { id, token } = await f.add(f.process());
  const tokens = f.process(kv);
  await tokens.use(token);
  fails = true;
  await tokens.flush();
  assert.equal(f.log.of("api_tokens.use_not_written").length, 1);
  assert.equal(await f.usedAt(id), undefined);
  fails = false;
  await tokens.flush();
  assert.notEqual(await f.usedAt(id), undefined);
});

Deno.test("scopes and members that a newer version stored survive every save, and grant nothing", async () => {
  await using f = await fixture();
  const tokens = f.process();
  const { id } = await f.add(tokens);
  const row = (await readRow(f.kv, tokensKey()))!;
  const newer = { ...row.tokens[id]!, scopes: ["signup", "newer"], networks: ["192.0.2.0/24"] };
  await f.kv.set(tokensKey(), { ...row, tokens: { [id]: newer }, more: true });
  const other = await f.add(tokens, { name: "other" });
  await tokens.revoke(other.id);
  assert.deepEqual(await readRow(f.kv, tokensKey()), { ...row, tokens: { [id]: newer }, more: true });
});

Deno.test("of tokens with the same name that two processes add at once, one is added", async () => {
  await using f = await fixture();
  const results = await Promise.all([f.process(), f.process(), f.process()].map((each) => each.add(SHOP)));
  assert.deepEqual(results.filter((each) => each === "exists").length, 2);
  assert.equal((await f.process().list()).length, 1);
});
