import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { siteLimitOf } from "../../platform/limits/policies.ts";
import { putLog } from "../../platform/limits/spend.ts";
import { en } from "../../../shared/texts/en.ts";

/** The limits of `subscribe`, and which of them count a refused request (contract 5.1 to 5.4, decision 14). */

const MINUTE = 60_000;

/** Sends up to `max` requests until one is refused. Returns how many were accepted. */
async function countAccepted(max: number, send: (i: number) => Promise<Response>): Promise<number> {
  for (let i = 0; i < max; i++) if ((await send(i)).status !== 200) return i;
  return max;
}

const peer = (i: number) => `192.0.2.${i + 1}`;
const countLogs = async (app: Harness) =>
  (await app.dump()).split("\n").filter((row) => row.includes('"log"')).length;

Deno.test("5 requests per IP are accepted in any 10 minutes; a refused one gets Retry-After and writes nothing", async () => {
  await using app = await harness();
  assert.equal(await countAccepted(9, (i) => app.post({ email: `ada${i}@example.com` })), 5);
  await app.clock.advance(MINUTE);
  const before = await app.dump();
  app.reset();
  const response = await app.post({ email: "eve@example.com" });
  assert.equal(response.status, 429);
  assert.deepEqual(await response.json(), {
    success: false,
    code: "rate_limited",
    message: en.form.rateLimited,
  });
  assert.equal(response.headers.get("retry-after"), String(9 * 60));
  assert.equal(app.counts.commits, 0);
  assert.equal(await app.dump(), before);
  await app.clock.advance(9 * MINUTE - 1);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 429);
  await app.clock.advance(1);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 200);
});

const BEFORE_THE_LIMIT: [what: string, body: BodyInit | Record<string, unknown>, status: number][] = [
  ["a body over 4 KB", { email: "ada@example.com", name: "x".repeat(5_000) }, 413],
  ["a body that is not JSON", "{", 400],
  ["a body that is no object", "[]", 400],
  ["another source", { email: "ada@example.com", source: "mail" }, 400],
  ["a filled honeypot", { email: "ada@example.com", cfbe_hp: "bot" }, 200],
  ["an invalid token", { email: "ada@example.com", cfbe_token: "0.x" }, 200],
];
for (const [what, body, status] of BEFORE_THE_LIMIT) {
  Deno.test(`a request that a check before the limits refuses counts toward none of them: ${what}`, async () => {
    await using app = await harness();
    for (let i = 0; i < 6; i++) {
      const response = typeof body === "string"
        ? await app.fetch(`${NAMESPACE}/subscribe`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        })
        : await app.post(body as Record<string, unknown>);
      await response.body?.cancel();
      assert.equal(response.status, status);
    }
    assert.equal(await countLogs(app), 0);
    assert.equal((await app.post({ email: "ada@example.com" })).status, 200);
  });
}

const AT_THE_LIMIT: [what: string, body: Record<string, unknown>][] = [
  ["a bad address", { email: "no" }],
  ["a bad name", { email: "ada@example.com", name: "spam.com" }],
  ["no consent", { email: "ada@example.com", consent: false }],
  ["interests that are no list", { email: "ada@example.com", interests: "tea" }],
];
for (const [what, body] of AT_THE_LIMIT) {
  Deno.test(`a request whose fields are invalid counts toward the limit per IP: ${what}`, async () => {
    await using app = await harness({
      settings: { form: { nameField: "optional", consent: "required", consentText: "Yes." } },
    });
    const valid = { email: "ada@example.com", consent: true };
    for (let i = 0; i < 5; i++) assert.equal((await app.post({ ...valid, ...body })).status, 400);
    assert.equal(await countLogs(app), 1);
    assert.equal((await app.post(valid)).status, 429);
  });
}

Deno.test("invalid requests count only for the limit per IP", async () => {
  await using app = await harness();
  for (let i = 0; i < 5; i++) assert.equal((await app.post({ email: "no" })).status, 400);
  assert.equal(await countLogs(app), 1);
  assert.equal((await app.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("an IPv6 address counts by its /64 prefix, and an IPv4-mapped one as IPv4", async () => {
  await using app = await harness();
  assert.equal(
    await countAccepted(9, (i) => app.post({ email: `a${i}@example.com` }, { peer: `2001:db8:1:2:${i}::1` })),
    5,
  );
  assert.equal((await app.post({ email: "x@example.com" }, { peer: "2001:db8:1:3::1" })).status, 200);
  for (let i = 0; i < 5; i++) await app.post({ email: "no" }, { peer: "::ffff:198.51.100.7" });
  assert.equal((await app.post({ email: "y@example.com" }, { peer: "198.51.100.7" })).status, 429);
});

Deno.test("30 signups per minute are accepted for the site; a refused one counts only for its IP", async () => {
  await using app = await harness();
  assert.equal(
    await countAccepted(40, (i) => app.post({ email: `a${i}@example.com` }, { peer: peer(i) })),
    30,
  );
  const before = await countLogs(app);
  const response = await app.post({ email: "eve@example.com" }, { peer: peer(100) });
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "60"]);
  assert.equal(await countLogs(app), before + 1);
  for (let i = 0; i < 4; i++) await app.post({ email: "no" }, { peer: peer(100) });
  await app.clock.advance(MINUTE);
  assert.equal((await app.post({ email: "eve@example.com" }, { peer: peer(100) })).status, 429);
  assert.equal((await app.post({ email: "eve@example.com" }, { peer: peer(101) })).status, 200);
});

Deno.test("a home that fills the site's limit stays refused, and visitors from elsewhere are accepted and counted", async () => {
  await using app = await harness();
  const home = (i: number) => `2001:db8:1:${i.toString(16)}::1`;
  const post = async (i: number, peer: string) => {
    const response = await app.post({ email: `a${i}@example.com` }, { peer });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(
    await countAccepted(40, (i) => app.post({ email: `h${i}@example.com` }, { peer: home(i) })),
    30,
  );
  for (let i = 0; i < 15; i++) assert.equal(await post(i, `198.51.${i}.1`), 200);
  assert.equal(await post(20, home(200)), 429);
  assert.equal(await post(21, "203.0.113.1"), 429, "half of the limit beyond it");
  const { accepted, ...totals } = await app.services.counters.totals();
  assert.deepEqual([accepted, totals["note.beyond_site_limit"]], [45, 15]);
  await app.clock.advance(MINUTE);
  assert.equal(await post(22, home(201)), 200);
});

Deno.test("of 60 signups at once from a home and 40 from elsewhere, the home has at most the limit, and all together half as much more", async () => {
  await using app = await harness();
  const peers = Array.from(
    { length: 100 },
    (_, i) => i % 5 < 3 ? `2001:db8:1:${i.toString(16)}::1` : `198.51.${i}.1`,
  );
  const responses = await Promise.all(
    peers.map((peer, i) => app.post({ email: `a${i}@example.com` }, { peer })),
  );
  const accepted = peers.filter((_, i) => responses[i]!.status === 200);
  const ofHome = accepted.filter((peer) => peer.includes(":")).length;
  assert.ok(
    ofHome <= 30 && accepted.length >= 30 && accepted.length <= 45,
    `${ofHome} of ${accepted.length}`,
  );
});

Deno.test("the filter lowers the site's limit, and 0 turns it off", async () => {
  for (const [limit, expected] of [[2, 2], [0, 36]] as const) {
    await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => limit } } });
    const send = (i: number) => app.post({ email: `a${i}@example.com` }, { peer: peer(i) });
    assert.equal(await countAccepted(36, send), expected);
  }
});

Deno.test("the site's limit is an integer from 0 to 5,000, whatever the filter returns", () => {
  const results = [
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
  assert.deepEqual(results.map(siteLimitOf), [31, 0, 1, 5000, 5000, 5000, 5000, ...Array(9).fill(30)]);
});

Deno.test("the filter gets the default of 30", async () => {
  const inputs: number[] = [];
  await using app = await harness({
    file: { filters: { cfbe_signup_site_limit: (n) => (inputs.push(n), n) } },
  });
  await app.post({ email: "ada@example.com" });
  assert.deepEqual(inputs, [30]);
});

Deno.test("a limit log of 5,000 entries fits into the database", async () => {
  await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => 5000 } } });
  const site = app.services.policies.site(5000, ["a", "a"])!;
  const times = Array.from({ length: 4_998 }, (_, n) => app.clock.now() - 5_000 + n);
  const tx = app.kv.atomic();
  putLog(tx, site, { times, networks: times.map((_, n) => n.toString(36).padStart(4, "0")) });
  await tx.commit();
  assert.equal((await app.post({ email: "ada@example.com" })).status, 200);
  assert.equal((await app.post({ email: "bob@example.com" })).status, 200);
  const refused = await app.post({ email: "eve@example.com" });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "55");
  await app.clock.advance(55_000);
  assert.equal((await app.post({ email: "eve@example.com" })).status, 200);
});

Deno.test("3 signups per hour are accepted for a mailbox in any spelling; a refused one counts only for its IP", async () => {
  await using app = await harness();
  const spellings = ["ada.l@gmail.com", "A.D.A.L+x@googlemail.com", "adal@gmail.com", "ada.l+news@gmail.com"];
  const responses = [];
  for (const [i, email] of spellings.entries()) responses.push(await app.post({ email }, { peer: peer(i) }));
  assert.deepEqual(responses.map(({ status }) => status), [200, 200, 200, 429]);
  assert.equal(responses[3]!.headers.get("retry-after"), "3600");
  assert.equal(await app.record("ada.l+news@gmail.com"), null);
  assert.equal(await countLogs(app), 6, "four IPs, the site, the mailbox");
  const site = (await app.kv.get<{ times: number[] }>(app.services.policies.site(30, ["a", "a"])!.key)).value;
  assert.equal(site?.times.length, 3);
  await app.clock.advance(60 * MINUTE);
  assert.equal((await app.post({ email: spellings[3]! }, { peer: peer(3) })).status, 200);
});

Deno.test("signups over the limit of a mailbox do not count for the site's limit", async () => {
  await using app = await harness();
  for (let i = 0; i < 35; i++) await app.post({ email: "ada@example.com" }, { peer: peer(i) });
  assert.equal(
    await countAccepted(40, (i) => app.post({ email: `a${i}@example.com` }, { peer: `198.51.100.${i}` })),
    27,
  );
});

Deno.test("a signup that the filter drops does not count for the site's limit", async () => {
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

Deno.test("Retry-After for the mailbox's limit is always a full hour, so that it reveals no earlier signup", async () => {
  await using app = await harness();
  for (let i = 0; i < 3; i++) {
    await app.post({ email: "ada@example.com" }, { peer: peer(i) });
    await app.clock.advance(13 * MINUTE);
  }
  const response = await app.post({ email: "ada@example.com" }, { peer: peer(3) });
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "3600"]);
});

Deno.test("after a clock that was a day ahead is corrected, limits recover within their own span", async () => {
  await using app = await harness();
  const correct = app.clock.now();
  app.clock.set(correct + 24 * 60 * MINUTE);
  assert.equal(await countAccepted(9, (i) => app.post({ email: `ada${i}@example.com` })), 5);
  for (let i = 0; i < 3; i++) await app.post({ email: "eve@example.com" }, { peer: `198.51.100.${i}` });
  app.clock.set(correct);
  const again = () => app.post({ email: "eve@example.com" });
  assert.equal((await again()).headers.get("retry-after"), "600");
  await app.clock.advance(10 * MINUTE);
  assert.equal((await again()).status, 429, "the span of the mailbox's limit starts only now");
  await app.clock.advance(60 * MINUTE);
  assert.equal((await again()).status, 200);
});

Deno.test("the signup service applies the mailbox's limit to every source", async () => {
  await using app = await harness();
  const consent = { given: false, locale: "en", ip: null };
  const signUp = (email: string) =>
    app.services.signups.accept({
      email,
      list: LIST,
      provider: "bluefox",
      tags: [],
      source: "checkout",
      consent,
    }, []);
  for (let i = 0; i < 3; i++) assert.equal((await signUp(`ada+${i}@example.com`)).kind, "accepted");
  assert.deepEqual(await signUp("ada@example.com"), {
    kind: "limited",
    by: "mailbox",
    retryAfterMs: 60 * MINUTE,
  });
  assert.equal((await app.post({ email: "ada@example.com" })).status, 429);
});

Deno.test("limit logs contain no address and no IP", async () => {
  await using app = await harness();
  await app.post({ email: "ada@example.com" }, { peer: "198.51.100.77" });
  const rows = (await app.dump()).split("\n").filter((row) => /"(log|mark)"/.test(row)).join();
  assert.doesNotMatch(rows, /ada|198\.51/);
});

Deno.test("no 10 minutes contain more than 5 accepted requests, whatever the clock does", async () => {
  await using app = await harness();
  const start = app.clock.now();
  const acceptedAt: number[] = [];
  for (const [i, minutes] of [0, 0, 5, -60, -60, 5, 9, 700, 0, 1, 11, -5, 300, 12, 0, 16, 0].entries()) {
    app.clock.set(start + minutes * MINUTE);
    if ((await app.post({ email: `a${i}@example.com` })).status === 200) acceptedAt.push(app.clock.now());
  }
  for (const from of acceptedAt) {
    assert.ok(acceptedAt.filter((at) => at >= from && at < from + 10 * MINUTE).length <= 5);
  }
});
