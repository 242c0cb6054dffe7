import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { fetchToken } from "../testing/solved.ts";

/** Attack mode from outside: what visitors and bots get. */

const MINUTE = 60_000;
const OFF = { settings: { privacy: { attackMode: "off" } } };
const ON = { settings: { privacy: { attackMode: "on" } } };
const home = (n: number) => `2a02:8109:9a40:17${(n % 256).toString(16).padStart(2, "0")}::${n}`;
const elsewhere = (n: number) => `2a0${n % 8}:${(n + 1).toString(16)}::7`;
const total = async (app: Harness, entry: string) => (await app.services.counters.totals())[entry] ?? 0;

/** Signs up with a token that was sent by `form-token`, when it is old enough. */
async function signUp(app: Harness, email: string, token: string, peer = elsewhere(99)) {
  await app.clock.advance(3_000);
  const response = await app.post({ email, cfbe_token: token }, { peer });
  return [response.status, await response.text()] as const;
}

/** An attack that began so long ago that no form is open since before. */
async function attacked(): Promise<Harness> {
  const app = await harness(ON);
  assert.ok(app.services.attackMode.current());
  // It is stored once it is noticed, and no signup waits for that.
  await app.services.attackMode.tick();
  await app.clock.advance(5 * MINUTE);
  return app;
}

/** What a client sees of a response, all of it. */
async function seen(response: Response) {
  return [response.status, Object.fromEntries(response.headers), await response.text()] as const;
}

/** Replays visits of a week, the same for every app: the seed decides. */
async function replayWeek(app: Harness): Promise<unknown[]> {
  const random = seededRandom(31);
  const pick = (most: number) => Math.floor(random.float() * most);
  const responses: unknown[] = [];
  const reused = app.token();
  for (let n = 0; n < 120; n++) {
    const rush = n > 40 && n < 80;
    await app.clock.advance(rush ? 500 : pick(40 * MINUTE));
    responses.push(await seen(await app.fetch(`${NAMESPACE}/form-token?form=footer`)));
    const kind = pick(8);
    const body = {
      email: kind === 0 ? "nobody" : `v${pick(150)}@example.com`,
      // A script that has fetched one token uses it for all of its visitors.
      cfbe_token: kind === 1 ? reused : kind === 2 ? undefined : app.token(),
      ...kind === 3 && { cfbe_hp: "spam" },
    };
    const peer = kind < 5 ? elsewhere(pick(5_000)) : home(pick(30));
    const response = await app.post(body, { peer });
    responses.push(await seen(response));
    if (kind > 3 && response.status === 200) app.services.attackMode.noteConfirmed("shortcode");
    await app.services.attackMode.tick();
  }
  // A cache gives one token to many visitors, a third of whom confirm soon.
  const cached = app.token();
  for (let n = 0; n < 65; n++) {
    await app.clock.advance(10_000);
    const body = { email: `c${n}@example.com`, cfbe_token: cached };
    responses.push(await seen(await app.post(body, { peer: elsewhere(n) })));
    if (n % 3 === 0) app.services.attackMode.noteConfirmed("shortcode");
    await app.services.attackMode.tick();
  }
  // A client that tests the site's limit with one token, from one network.
  const token = app.token();
  for (let n = 0; n < 40; n++) {
    responses.push(
      await seen(await app.post({ email: `t${n}@example.com`, cfbe_token: token }, { peer: home(n) })),
    );
  }
  return responses;
}

Deno.test("while it is calm, a week of honest visits gets exactly the responses of a service without attack mode, also a client that reuses one token", async () => {
  await using app = await harness();
  await using without = await harness(OFF);
  const ids = (text: string) => text.replace(/"x-request-id":"[^"]*"/g, "");
  assert.equal(ids(JSON.stringify(await replayWeek(app))), ids(JSON.stringify(await replayWeek(without))));
  assert.equal(app.services.attackMode.current(), undefined);
  assert.equal(await app.dump(), await without.dump());
});

Deno.test("while it is calm, form-token has no other member than the token, and a signup costs one read and one commit", async () => {
  await using app = await harness();
  const response = await app.fetch(`${NAMESPACE}/form-token`);
  assert.deepEqual(Object.keys(await response.json()), ["token"]);
  app.reset();
  await app.post({ email: "ada@example.com" }, { peer: elsewhere(1) });
  assert.deepEqual(app.counts, { reads: 1, commits: 1 });
});

Deno.test("during an attack, bots without a solution get the response of a success, and nothing is stored, read or spent", async () => {
  await using app = await attacked();
  const expected = await app.post({ email: "eve@example.com", cfbe_hp: "x" }, { peer: home(0) });
  const success = [expected.status, await expected.text()];
  const before = await app.dump();
  app.reset();
  for (let n = 0; n < 50; n++) {
    const response = await app.post({ email: `victim${n}@example.com` }, { peer: home(n) });
    assert.deepEqual([response.status, await response.text()], success);
  }
  assert.deepEqual(app.counts, { reads: 0, commits: 0 });
  assert.equal(await app.dump(), before);
  assert.equal(await total(app, "dropped.challenge"), 50);
  assert.equal(await app.record("victim0@example.com"), null);
});

Deno.test("during an attack, a visitor who solved the challenge is accepted, in one read and one commit", async () => {
  await using app = await attacked();
  const { proven } = await fetchToken(app);
  app.reset();
  const [status, text] = await signUp(app, "ada@example.com", proven);
  assert.deepEqual([status, JSON.parse(text).code], [200, "pending"]);
  assert.deepEqual(app.counts, { reads: 1, commits: 1 });
  assert.ok(await app.record("ada@example.com"));
  assert.equal(await total(app, "note.challenge_solved"), 1);
});

Deno.test("a solution counts once: the next signup with it gets the same response, and is dropped", async () => {
  await using app = await attacked();
  const { proven } = await fetchToken(app);
  const first = await signUp(app, "ada@example.com", proven);
  assert.deepEqual(await signUp(app, "eve@example.com", proven), first);
  assert.equal(await app.record("eve@example.com"), null);
  assert.equal(await total(app, "dropped.challenge"), 1);
});

Deno.test("of many concurrent signups with one solution, one is accepted", async () => {
  await using app = await attacked();
  const { proven } = await fetchToken(app);
  await app.clock.advance(3_000);
  const accepted = await total(app, "accepted");
  await Promise.all(
    Array.from(
      { length: 10 },
      (_, n) => app.post({ email: `v${n}@example.com`, cfbe_token: proven }, { peer: elsewhere(n) }),
    ),
  );
  assert.equal(await total(app, "accepted"), accepted + 1);
  assert.equal(await total(app, "dropped.challenge"), 9);
});

Deno.test("a signup that is invalid or over a limit does not use up its solution", async () => {
  await using app = await attacked();
  const { proven } = await fetchToken(app);
  assert.equal((await signUp(app, "nobody", proven))[0], 400);
  const peer = elsewhere(1);
  for (let n = 0; n < 5; n++) await app.post({ email: "nobody", cfbe_token: proven }, { peer });
  assert.equal((await signUp(app, "ada@example.com", proven, peer))[0], 429);
  assert.equal((await signUp(app, "ada@example.com", proven))[0], 200);
  assert.ok(await app.record("ada@example.com"));
});

Deno.test("another token's solution, a solution that has expired, and one that is cut off are dropped", async () => {
  await using app = await attacked();
  const one = await fetchToken(app);
  await app.clock.advance(1);
  const other = await fetchToken(app);
  const [, , proof] = one.proven.split(".");
  await signUp(app, "a@example.com", `${other.token}.${proof}`);
  await signUp(app, "b@example.com", one.proven.slice(0, -20));
  await signUp(app, "c@example.com", `${one.token}.`);
  assert.equal(await total(app, "dropped.challenge"), 3);
  await app.clock.advance(120 * MINUTE);
  await signUp(app, "d@example.com", one.proven);
  assert.equal(await total(app, "dropped.token_old"), 1);
  for (const name of "abcd") assert.equal(await app.record(`${name}@example.com`), null);
});

Deno.test("a form that was open when the attack began can be sent for two and a half minutes, the time in which the widget asks for no other token", async () => {
  await using app = await harness();
  const open = app.token(0);
  await app.clock.advance(10_000);
  await app.services.settings.save("privacy", { attackMode: "on" });
  assert.ok(app.services.attackMode.current());
  await app.clock.advance(2.5 * MINUTE);
  assert.equal((await signUp(app, "ada@example.com", open))[0], 200);
  assert.ok(await app.record("ada@example.com"));
  await app.clock.advance(MINUTE);
  await signUp(app, "eve@example.com", open);
  assert.equal(await app.record("eve@example.com"), null);
});

Deno.test("forms that were open when an attack began can fill the site's limit, but visitors with a solution are accepted beyond it", async () => {
  await using app = await harness();
  const tokens = Array.from({ length: 31 }, (_, n) => app.token(10_000 + n));
  await app.services.settings.save("privacy", { attackMode: "on" });
  assert.ok(app.services.attackMode.current());
  const statuses: number[] = [];
  for (const [n, cfbe_token] of tokens.entries()) {
    statuses.push(
      (await app.post({ email: `s${n}@example.com`, cfbe_token }, { peer: elsewhere(n) })).status,
    );
  }
  assert.deepEqual(statuses, [...Array(30).fill(200), 429]);
  const { proven } = await fetchToken(app);
  assert.equal((await signUp(app, "ada@example.com", proven))[0], 200);
  assert.ok(await app.record("ada@example.com"));
});

Deno.test("a token of calm times that many signups share, or that comes from the attacking network, needs a proof at once", async () => {
  // Only the network is a sign.
  await using app = await harness({ settings: { privacy: { attackSignups: 10_000 } } });
  const open = app.token();
  for (let n = 0; n < 81; n++) {
    await app.post({ email: `s${n}@example.com`, cfbe_token: n < 3 ? open : app.token() }, { peer: home(n) });
    await app.clock.advance(2_000);
  }
  assert.ok(app.services.attackMode.current());
  await app.post({ email: "shared@example.com", cfbe_token: open }, { peer: elsewhere(1) });
  await app.post({ email: "near@example.com" }, { peer: home(200) });
  await app.post({ email: "visitor@example.com" }, { peer: elsewhere(2) });
  assert.equal(await app.record("shared@example.com"), null);
  assert.equal(await app.record("near@example.com"), null);
  assert.ok(await app.record("visitor@example.com"));
});

Deno.test("a token with a solution is accepted after the attack has ended, and nothing is stored for it", async () => {
  await using app = await harness(ON);
  const { proven } = await fetchToken(app);
  await using calm = await harness();
  await calm.clock.advance(3_000);
  const response = await calm.post({ email: "ada@example.com", cfbe_token: proven }, { peer: elsewhere(1) });
  assert.equal(response.status, 200);
  assert.ok(await calm.record("ada@example.com"));
  assert.doesNotMatch(await calm.dump(), /"solved"/);
});

Deno.test("an attack ends by itself, and form-token is again as the contract says", async () => {
  await using app = await harness();
  for (let n = 0; n < 81; n++) {
    await app.post({ email: `stranger${n}@example.com` }, { peer: home(n) });
    await app.clock.advance(5_000);
  }
  assert.ok(app.services.attackMode.current());
  for (let minute = 0; minute < 91; minute++) {
    await app.clock.advance(MINUTE);
    await app.services.attackMode.tick();
  }
  assert.equal(app.services.attackMode.current(), undefined);
  assert.deepEqual(Object.keys(await (await app.fetch(`${NAMESPACE}/form-token`)).json()), ["token"]);
  await app.post({ email: "ada@example.com" }, { peer: elsewhere(1) });
  assert.ok(await app.record("ada@example.com"));
});

Deno.test("if they are to be held, deliveries of an attack wait until it is over, without a call and without losing one", async () => {
  await using app = await harness();
  const { settings } = app.services;
  await settings.save("privacy", { attackMode: "on", attackHold: true });
  app.services.attackMode.current();
  await app.clock.advance(5 * MINUTE);
  const { proven } = await fetchToken(app);
  await signUp(app, "ada@example.com", proven);
  await app.work();
  await app.clock.advance(60 * MINUTE);
  await app.work();
  assert.equal(app.provider.calls.length, 0);
  assert.equal((await app.record("ada@example.com"))?.status, "queued");
  await settings.save("privacy", { attackMode: "on", attackHold: false });
  await app.clock.advance(5 * MINUTE);
  await app.work();
  assert.equal((await app.record("ada@example.com"))?.status, "pending");
});

Deno.test("whoever turns the site's limit off to test a site begins no attack", async () => {
  await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => 0 } } });
  for (let n = 0; n < 100; n++) await app.post({ email: `s${n}@example.com` }, { peer: home(n) });
  assert.equal(app.services.attackMode.current(), undefined);
});
