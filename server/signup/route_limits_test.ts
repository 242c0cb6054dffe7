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
const logs = async (b: Harness) => (await b.dump()).split("\n").filter((row) => row.includes('"log"')).length;

Deno.test("5 requests an IP in any 10 minutes; the refusal says when, and writes nothing", async () => {
  await using b = await harness();
  assert.equal(await admitted(9, (i) => b.post({ email: `ada${i}@example.com` })), 5);
  await b.clock.advance(MINUTE);
  const before = await b.dump();
  b.reset();
  const answer = await b.post({ email: "eve@example.com" });
  assert.equal(answer.status, 429);
  assert.deepEqual(await answer.json(), { success: false, code: "rate_limited", message: en.rateLimited });
  assert.equal(answer.headers.get("retry-after"), String(9 * 60));
  assert.equal(b.counts.commits, 0);
  assert.equal(await b.dump(), before);
  await b.clock.advance(9 * MINUTE - 1);
  assert.equal((await b.post({ email: "eve@example.com" })).status, 429);
  await b.clock.advance(1);
  assert.equal((await b.post({ email: "eve@example.com" })).status, 200);
});

Deno.test("invalid requests spend the IP's limit, and no other", async () => {
  await using b = await harness();
  for (let i = 0; i < 5; i++) assert.equal((await b.post({ email: "no" })).status, 400);
  assert.equal(await logs(b), 1);
  assert.equal((await b.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("an IPv6 visitor is counted by the /64, an IPv4-mapped one as IPv4", async () => {
  await using b = await harness();
  assert.equal(
    await admitted(9, (i) => b.post({ email: `a${i}@example.com` }, { peer: `2001:db8:1:2:${i}::1` })),
    5,
  );
  assert.equal((await b.post({ email: "x@example.com" }, { peer: "2001:db8:1:3::1" })).status, 200);
  for (let i = 0; i < 5; i++) await b.post({ email: "no" }, { peer: "::ffff:198.51.100.7" });
  assert.equal((await b.post({ email: "y@example.com" }, { peer: "198.51.100.7" })).status, 429);
});

Deno.test("30 signups a minute for the site; the refused one has spent its IP and nothing else", async () => {
  await using b = await harness();
  assert.equal(await admitted(40, (i) => b.post({ email: `a${i}@example.com` }, { peer: peer(i) })), 30);
  const before = await logs(b);
  const answer = await b.post({ email: "eve@example.com" }, { peer: "198.51.100.1" });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "60"]);
  assert.equal(await logs(b), before + 1);
  for (let i = 0; i < 4; i++) await b.post({ email: "no" }, { peer: "198.51.100.1" });
  await b.clock.advance(MINUTE);
  assert.equal((await b.post({ email: "eve@example.com" }, { peer: "198.51.100.1" })).status, 429);
  assert.equal((await b.post({ email: "eve@example.com" }, { peer: "198.51.100.2" })).status, 200);
});

Deno.test("the filter lowers the site's limit, and switches it off with 0", async () => {
  for (const [answered, admits] of [[2, 2], [0, 36]] as const) {
    await using b = await harness({ file: { filters: { cfbe_signup_site_limit: () => answered } } });
    const one = (i: number) => b.post({ email: `a${i}@example.com` }, { peer: peer(i) });
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
  await using b = await harness({
    file: { filters: { cfbe_signup_site_limit: (n) => (asked.push(n), n) } },
  });
  await b.post({ email: "ada@example.com" });
  assert.deepEqual(asked, [30]);
});

Deno.test("a log of 5,000 admissions fits into the database", async () => {
  await using b = await harness({ file: { filters: { cfbe_signup_site_limit: () => 5000 } } });
  const site = b.services.policies.site(5000)!;
  const times = Array.from({ length: 4_999 }, () => b.clock.now() - 1);
  await b.kv.set(site.key, { v: 1, times });
  assert.equal((await b.post({ email: "ada@example.com" })).status, 200);
  assert.equal((await b.post({ email: "eve@example.com" })).status, 429);
});

Deno.test("3 signups an hour for a mailbox, however it is spelled; the refused one has spent its IP alone", async () => {
  await using b = await harness();
  const spellings = ["ada.l@gmail.com", "A.D.A.L+x@googlemail.com", "adal@gmail.com", "ada.l+news@gmail.com"];
  const answers = [];
  for (const [i, email] of spellings.entries()) answers.push(await b.post({ email }, { peer: peer(i) }));
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 429]);
  assert.equal(answers[3]!.headers.get("retry-after"), "3600");
  assert.equal(await b.record("ada.l+news@gmail.com"), null);
  assert.equal(await logs(b), 6, "four IPs, the site, the mailbox");
  const site = (await b.kv.get<{ times: number[] }>(b.services.policies.site(30)!.key)).value;
  assert.equal(site?.times.length, 3);
  await b.clock.advance(60 * MINUTE);
  assert.equal((await b.post({ email: spellings[3]! }, { peer: peer(3) })).status, 200);
});

Deno.test("requests for a mailbox over its limit leave the site's 30 a minute to everybody else", async () => {
  await using b = await harness();
  for (let i = 0; i < 35; i++) await b.post({ email: "ada@example.com" }, { peer: peer(i) });
  assert.equal(
    await admitted(40, (i) => b.post({ email: `a${i}@example.com` }, { peer: `198.51.100.${i}` })),
    27,
  );
});

Deno.test("a signup that the owner's filter refuses does not count for the site", async () => {
  await using b = await harness({
    file: {
      filters: {
        cfbe_signup: (signup) => signup.email.startsWith("no") ? false : signup,
        cfbe_signup_site_limit: () => 1,
      },
    },
  });
  assert.equal((await b.post({ email: "no@example.com" }, { peer: peer(0) })).status, 200);
  assert.equal((await b.post({ email: "ada@example.com" }, { peer: peer(1) })).status, 200);
  assert.equal((await b.post({ email: "eve@example.com" }, { peer: peer(2) })).status, 429);
});

Deno.test("Retry-After of the mailbox's limit is the whole hour, whenever its owner signed up", async () => {
  await using b = await harness();
  for (let i = 0; i < 3; i++) {
    await b.post({ email: "ada@example.com" }, { peer: peer(i) });
    await b.clock.advance(13 * MINUTE);
  }
  const answer = await b.post({ email: "ada@example.com" }, { peer: peer(3) });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "3600"]);
});

Deno.test("limits recover within their own span after a clock that was a day ahead is set right", async () => {
  await using b = await harness();
  const right = b.clock.now();
  b.clock.set(right + 24 * 60 * MINUTE);
  assert.equal(await admitted(9, (i) => b.post({ email: `ada${i}@example.com` })), 5);
  for (let i = 0; i < 3; i++) await b.post({ email: "eve@example.com" }, { peer: `198.51.100.${i}` });
  b.clock.set(right);
  const again = () => b.post({ email: "eve@example.com" });
  assert.equal((await again()).headers.get("retry-after"), "600");
  await b.clock.advance(10 * MINUTE);
  assert.equal((await again()).status, 429, "the mailbox's own limit begins to count now");
  await b.clock.advance(60 * MINUTE);
  assert.equal((await again()).status, 200);
});

Deno.test("the mailbox's limit holds for every source, by the signup service", async () => {
  await using b = await harness();
  const consent = { given: false, locale: "en", ip: null };
  const signUp = (email: string) =>
    b.services.signups.accept({ email, list: LIST, tags: [], source: "checkout", consent }, []);
  for (let i = 0; i < 3; i++) assert.equal((await signUp(`ada+${i}@example.com`)).kind, "accepted");
  assert.deepEqual(await signUp("ada@example.com"), {
    kind: "limited",
    by: "mailbox",
    retryAfterMs: 60 * MINUTE,
  });
  assert.equal((await b.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("limits keep no address and no IP", async () => {
  await using b = await harness();
  await b.post({ email: "ada@example.com" }, { peer: "198.51.100.77" });
  const rows = (await b.dump()).split("\n").filter((row) => /"(log|mark)"/.test(row)).join();
  assert.doesNotMatch(rows, /ada|198\.51/);
});

Deno.test("wherever the clock steps to, no span of 10 minutes of its own admits a sixth request", async () => {
  await using b = await harness();
  const start = b.clock.now();
  const taken: number[] = [];
  for (const [i, minutes] of [0, 0, 5, -60, -60, 5, 9, 700, 0, 1, 11, -5, 300, 12, 0, 16, 0].entries()) {
    b.clock.set(start + minutes * MINUTE);
    if ((await b.post({ email: `a${i}@example.com` })).status === 200) taken.push(b.clock.now());
  }
  for (const from of taken) {
    assert.ok(taken.filter((at) => at >= from && at < from + 10 * MINUTE).length <= 5);
  }
});
