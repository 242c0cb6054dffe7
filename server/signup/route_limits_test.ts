import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../testing/harness.ts";
import { siteLimitOf } from "../limits/policies.ts";
import { en } from "../../shared/texts/en.ts";

/** The three limits of `subscribe`: how much each admits, and what a refusal spends (contract 5.1 to 5.4, decision 14). */

const MINUTE = 60_000;

/** Posts until refused. */
async function admitted(most: number, one: (i: number) => Promise<Response>): Promise<number> {
  for (let i = 0; i < most; i++) if ((await one(i)).status !== 200) return i;
  return most;
}

const peer = (i: number) => `192.0.2.${i + 1}`;
const logs = async (app: Harness) =>
  (await app.dump()).split("\n").filter((row) => row.includes('"log"')).length;

Deno.test("5 requests an IP in any 10 minutes; the refusal says when, and writes nothing", async () => {
  await using app = await harness();
  assert.equal(await admitted(9, (i) => app.post({ email: `ada${i}@example.com` })), 5);
  await app.clock.advance(MINUTE);
  const before = await app.dump();
  app.reset();
  const answer = await app.post({ email: "eve@example.com" });
  assert.equal(answer.status, 429);
  assert.deepEqual(await answer.json(), { success: false, code: "rate_limited", message: en.rateLimited });
  assert.equal(answer.headers.get("retry-after"), String(9 * 60));
  assert.equal(app.counts.commits, 0);
  assert.equal(await app.dump(), before);
  await app.clock.advance(9 * MINUTE - 1);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 429);
  await app.clock.advance(1);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 200);
});

Deno.test("invalid requests spend the IP's limit, and no other", async () => {
  await using app = await harness();
  for (let i = 0; i < 5; i++) assert.equal((await app.post({ email: "no" })).status, 400);
  assert.equal(await logs(app), 1);
  assert.equal((await app.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("an IPv6 visitor is counted by the /64, an IPv4-mapped one as IPv4", async () => {
  await using app = await harness();
  assert.equal(
    await admitted(9, (i) => app.post({ email: `a${i}@example.com` }, { peer: `2001:db8:1:2:${i}::1` })),
    5,
  );
  assert.equal((await app.post({ email: "x@example.com" }, { peer: "2001:db8:1:3::1" })).status, 200);
  for (let i = 0; i < 5; i++) await app.post({ email: "no" }, { peer: "::ffff:198.51.100.7" });
  assert.equal((await app.post({ email: "y@example.com" }, { peer: "198.51.100.7" })).status, 429);
});

Deno.test("30 signups a minute for the site; the refused one has spent its IP and nothing else", async () => {
  await using app = await harness();
  assert.equal(await admitted(40, (i) => app.post({ email: `a${i}@example.com` }, { peer: peer(i) })), 30);
  const before = await logs(app);
  const answer = await app.post({ email: "eve@example.com" }, { peer: "198.51.100.1" });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "60"]);
  assert.equal(await logs(app), before + 1);
  for (let i = 0; i < 4; i++) await app.post({ email: "no" }, { peer: "198.51.100.1" });
  await app.clock.advance(MINUTE);
  assert.equal((await app.post({ email: "eve@example.com" }, { peer: "198.51.100.1" })).status, 429);
  assert.equal((await app.post({ email: "eve@example.com" }, { peer: "198.51.100.2" })).status, 200);
});

Deno.test("the filter lowers the site's limit, and switches it off with 0", async () => {
  for (const [answered, admits] of [[2, 2], [0, 36]] as const) {
    await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => answered } } });
    const one = (i: number) => app.post({ email: `a${i}@example.com` }, { peer: peer(i) });
    assert.equal(await admitted(36, one), admits);
  }
});

Deno.test("whatever a filter answers, the site's limit is a whole number from 0 to 5,000", () => {
  const answers = [
    31,
    0,
    0.5,
    5000,
    5001,
    1e300,
    Infinity,
    -1,
    NaN,
    "50",
    null,
    undefined,
    {},
    [],
    true,
    9n,
  ];
  assert.deepEqual(answers.map(siteLimitOf), [31, 0, 1, 5000, 5000, 5000, 5000, ...Array(9).fill(30)]);
});

Deno.test("a filter is asked with the contract's 30", async () => {
  const asked: number[] = [];
  await using app = await harness({
    file: { filters: { cfbe_signup_site_limit: (n) => (asked.push(n), n) } },
  });
  await app.post({ email: "ada@example.com" });
  assert.deepEqual(asked, [30]);
});

Deno.test("a log of 5,000 admissions fits into the database", async () => {
  await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => 5000 } } });
  const site = app.services.policies.site(5000)!;
  const times = Array.from({ length: 4_999 }, () => app.clock.now() - 1);
  await app.kv.set(site.key, { v: 1, times });
  assert.equal((await app.post({ email: "ada@example.com" })).status, 200);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 429);
});

Deno.test("3 signups an hour for a mailbox, however it is spelled; the refused one has spent its IP alone", async () => {
  await using app = await harness();
  const spellings = ["ada.l@gmail.com", "A.D.A.L+x@googlemail.com", "adal@gmail.com", "ada.l+news@gmail.com"];
  const answers = [];
  for (const [i, email] of spellings.entries()) answers.push(await app.post({ email }, { peer: peer(i) }));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 429]);
  assert.equal(answers[3]!.headers.get("retry-after"), "3600");
  assert.equal(await app.record("ada.l+news@gmail.com"), null);
  assert.equal(await logs(app), 6, "four IPs, the site, the mailbox");
  const site = (await app.kv.get<{ times: number[] }>(app.services.policies.site(30)!.key)).value;
  assert.equal(site?.times.length, 3);
  await app.clock.advance(60 * MINUTE);
  assert.equal((await app.post({ email: spellings[3]! }, { peer: peer(3) })).status, 200);
});

Deno.test("requests for a mailbox over its limit leave the site's 30 a minute to everybody else", async () => {
  await using app = await harness();
  for (let i = 0; i < 35; i++) await app.post({ email: "ada@example.com" }, { peer: peer(i) });
  assert.equal(
    await admitted(40, (i) => app.post({ email: `a${i}@example.com` }, { peer: `198.51.100.${i}` })),
    27,
  );
});

Deno.test("a signup that the owner's filter refuses does not count for the site", async () => {
  await using app = await harness({
    file: {
      filters: {
        cfbe_signup: (signup) => signup.email.startsWith("no") ? false : signup,
        cfbe_signup_site_limit: () => 1,
      },
    },
  });
  assert.equal((await app.post({ email: "no@example.com" }, { peer: peer(0) })).status, 200);
  assert.equal((await app.post({ email: "ada@example.com" }, { peer: peer(1) })).status, 200);
  assert.equal((await app.post({ email: "eve@example.com" }, { peer: peer(2) })).status, 429);
});

Deno.test("Retry-After of the mailbox's limit is the whole hour, whenever its owner signed up", async () => {
  await using app = await harness();
  for (let i = 0; i < 3; i++) {
    await app.post({ email: "ada@example.com" }, { peer: peer(i) });
    await app.clock.advance(13 * MINUTE);
  }
  const answer = await app.post({ email: "ada@example.com" }, { peer: peer(3) });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "3600"]);
});

Deno.test("limits recover within their own span after a clock that was a day ahead is set right", async () => {
  await using app = await harness();
  const right = app.clock.now();
  app.clock.set(right + 24 * 60 * MINUTE);
  assert.equal(await admitted(9, (i) => app.post({ email: `ada${i}@example.com` })), 5);
  for (let i = 0; i < 3; i++) await app.post({ email: "eve@example.com" }, { peer: `198.51.100.${i}` });
  app.clock.set(right);
  const again = () => app.post({ email: "eve@example.com" });
  assert.equal((await again()).headers.get("retry-after"), "600");
  await app.clock.advance(10 * MINUTE);
  assert.equal((await again()).status, 429, "the mailbox's own limit begins to count now");
  await app.clock.advance(60 * MINUTE);
  assert.equal((await again()).status, 200);
});

Deno.test("the mailbox's limit holds for every source, by the signup service", async () => {
  await using app = await harness();
  const consent = { given: false, locale: "en", ip: null };
  const signUp = (email: string) =>
    app.services.signups.accept({ email, list: LIST, tags: [], source: "checkout", consent }, []);
  for (let i = 0; i < 3; i++) assert.equal((await signUp(`ada+${i}@example.com`)).kind, "accepted");
  assert.deepEqual(await signUp("ada@example.com"), {
    kind: "limited",
    by: "mailbox",
    retryAfterMs: 60 * MINUTE,
  });
  assert.equal((await app.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("limits keep no address and no IP", async () => {
  await using app = await harness();
  await app.post({ email: "ada@example.com" }, { peer: "198.51.100.77" });
  const rows = (await app.dump()).split("\n").filter((row) => /"(log|mark)"/.test(row)).join();
  assert.doesNotMatch(rows, /ada|198\.51/);
});

Deno.test("wherever the clock steps to, no span of 10 minutes of its own admits a sixth request", async () => {
  await using app = await harness();
  const start = app.clock.now();
  const taken: number[] = [];
  for (const [i, minutes] of [0, 0, 5, -60, -60, 5, 9, 700, 0, 1, 11, -5, 300, 12, 0, 16, 0].entries()) {
    app.clock.set(start + minutes * MINUTE);
    if ((await app.post({ email: `a${i}@example.com` })).status === 200) taken.push(app.clock.now());
  }
  for (const from of taken) {
    assert.ok(taken.filter((at) => at >= from && at < from + 10 * MINUTE).length <= 5);
  }
});
