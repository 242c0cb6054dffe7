/** Chapter 5 of the contract, from outside: how many requests each route accepts. */
import assert from "node:assert/strict";
import { type Answer, ANY_IP, anyEmail, anyIp, type Service, start, statements } from "./service.ts";

const FILLS = "fills limits";
const TEN_MINUTES = 10 * 60;
const HOUR = 60 * 60;

/** As the README starts it: the visitor's IP is the peer's. */
const { here } = statements();
const proxied = start({ config: `{ settings: { ${ANY_IP} } }` });
const unlimited = start({
  config: `{ settings: { ${ANY_IP} }, filters: { cfbe_signup_site_limit: () => 0 } }`,
});

/** Sends a request that counts toward the limit per IP, and toward no other: its fields are invalid. */
const count = (service: Service, ip: string, headers = {}) => service.signUp({ email: "x" }, { ip, headers });

/** Checks a response to a request over a limit. */
function assertLimited({ status, headers, json }: Answer, seconds: number, exact = false): void {
  assert.equal(status, 429);
  assert.deepEqual(Object.keys(json), ["success", "code", "message"]);
  assert.deepEqual([json.success, json.code], [false, "rate_limited"]);
  const wait = Number(headers.get("retry-after"));
  assert.ok(Number.isInteger(wait) && wait <= seconds && wait > (exact ? seconds - 1 : 0), `${wait} seconds`);
}

/** Returns how many responses have each status. */
function countOf(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const atOnce = (times: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, index) => send(index)));

here(
  "5 requests per IP are accepted in 10 minutes, whatever a visitor writes into headers",
  FILLS,
  async (service) => {
    const headers = (index: number) => ({
      "x-forwarded-for": `198.51.100.${index}`,
      "x-real-ip": `198.51.100.${index}`,
      "cf-connecting-ip": `198.51.100.${index}`,
      "true-client-ip": `198.51.100.${index}`,
      forwarded: `for=198.51.100.${index}`,
    });
    for (let index = 0; index < 5; index++) {
      const { status } = await count(service, anyIp(), headers(index));
      assert.equal(status, 400);
    }
    assertLimited(await count(service, anyIp(), headers(5)), TEN_MINUTES);
    assertLimited(await service.signUp({ email: anyEmail() }), TEN_MINUTES);
  },
);

here("after the limits of an IP are forgotten, it has 5 requests again", FILLS, async (service) => {
  await service.cfbe("forget-limits", "--ip", "127.0.0.1");
  const answers = await atOnce(6, () => count(service, anyIp()));
  assert.deepEqual(countOf(answers), { 400: 5, 429: 1 });
});

here("of 60 requests at once from one IP, exactly 5 are accepted", FILLS, async () => {
  const ip = anyIp();
  await proxied().token();
  const answers = await atOnce(60, () => count(proxied(), ip));
  assert.deepEqual(countOf(answers), { 400: 5, 429: 55 });
  for (const answer of answers) if (answer.status === 429) assertLimited(answer, TEN_MINUTES);
});

here(
  "an IPv6 address counts with its /64, and one that contains an IPv4 address as that",
  FILLS,
  async () => {
    const service = proxied();
    const network = ["::1", "::2", ":ffff:ffff:ffff:ffff", ":a:b:c:d", ":0:0:0:1"].map((end) =>
      `2001:db8:1:2${end}`
    );
    for (const ip of network) assert.equal((await count(service, ip)).status, 400, ip);
    assertLimited(await count(service, "2001:db8:1:2::99"), TEN_MINUTES);
    assertLimited(await count(service, "2001:0DB8:0001:0002:0:0:0:9"), TEN_MINUTES);
    for (const other of ["2001:db8:1:3::1", "2001:db8:2:2::1"]) {
      assert.equal(
        (await count(service, other)).status,
        400,
      );
    }
    for (const ip of ["::ffff:192.0.2.7", "192.0.2.7", "::ffff:c000:207", "192.0.2.7", "192.0.2.7"]) {
      assert.equal((await count(service, ip)).status, 400, ip);
    }
    assertLimited(await count(service, "192.0.2.7"), TEN_MINUTES);
    assert.equal((await count(service, "::ffff:192.0.2.8")).status, 400);
  },
);

here("a forwarded header that is malformed does not free a visitor from the limit", FILLS, async () => {
  const service = proxied();
  const malformed = ["tea", "1.2.3", "1.2.3.4.5", "::1::2", "198.51.100.1, 198.51.100.2"];
  const answers = await atOnce(
    malformed.length * 2,
    (index) => count(service, malformed[index % malformed.length]!),
  );
  assert.deepEqual(countOf(answers), { 400: 5, 429: 5 });
});

here("what an earlier check refuses or drops counts toward no limit", FILLS, async () => {
  const service = proxied();
  const ip = anyIp();
  const cfbe_token = await service.token();
  const post = (call: { json?: unknown; body?: string }) => service.call("subscribe", { ip, ...call });
  const email = anyEmail();
  await atOnce(6, () => post({ body: "x".repeat(5_000) }));
  await atOnce(6, () => post({ body: "[]" }));
  await atOnce(6, () => post({ json: { source: "tea", email, cfbe_token } }));
  await atOnce(6, () => post({ json: { source: "popup", email, cfbe_token, cfbe_hp: "x" } }));
  await atOnce(6, () => post({ json: { source: "popup", email, cfbe_token: `${cfbe_token}x` } }));
  assert.deepEqual(countOf(await atOnce(6, () => count(service, ip))), { 400: 5, 429: 1 });
});

here(
  "3 signups per mailbox are accepted in an hour, and a refusal always says to wait an hour",
  FILLS,
  async () => {
    const service = unlimited();
    const name = anyEmail().split("@")[0]!;
    const spellings = [
      `${name}@example.com`,
      `${name.toUpperCase()}+news@Example.com`,
      `${name}+2@example.com`,
    ];
    for (const email of spellings) assert.equal((await service.signUp({ email })).status, 200, email);
    for (const email of [...spellings, `${name}+3+4@example.com`]) {
      assertLimited(await service.signUp({ email }), HOUR, true);
    }
    assert.equal((await service.signUp({ email: `${name}@other.example` })).status, 200);
  },
);

here(
  "for Gmail, dots do not count and googlemail.com is gmail.com; elsewhere dots count",
  FILLS,
  async () => {
    const service = unlimited();
    const name = `contract${crypto.randomUUID().slice(0, 8)}`;
    const dotted = `${name.slice(0, 3)}.${name.slice(3)}`;
    for (const email of [`${name}@gmail.com`, `${dotted}@gmail.com`, `${dotted}+x@googlemail.com`]) {
      assert.equal((await service.signUp({ email })).status, 200, email);
    }
    for (const email of [`${name}@googlemail.com`, `${name.split("").join(".")}@GMAIL.com`]) {
      assertLimited(await service.signUp({ email }), HOUR, true);
    }
    for (let index = 0; index < 3; index++) await service.signUp({ email: `${name}@example.com` });
    assertLimited(await service.signUp({ email: `${name}@example.com` }), HOUR, true);
    assert.equal((await service.signUp({ email: `${dotted}@example.com` })).status, 200);
  },
);

here("of 20 signups at once for one mailbox, exactly 3 are accepted", FILLS, async () => {
  const name = anyEmail().split("@")[0]!;
  const answers = await atOnce(20, (index) => unlimited().signUp({ email: `${name}+${index}@example.com` }));
  assert.deepEqual(countOf(answers), { 200: 3, 429: 17 });
});

here("the limit of a mailbox covers signups from a server too", FILLS, async () => {
  const service = unlimited();
  const email = anyEmail();
  for (let index = 0; index < 3; index++) await service.signUp({ email });
  const answer = await service.visit("/integrations/signup", {
    headers: await service.apiToken(),
    json: { source: "account", email },
  });
  assertLimited(answer, HOUR, true);
});

here(
  "of 60 signups at once, the site accepts exactly 30, and what another limit refuses takes none of them",
  FILLS,
  async () => {
    const service = proxied();
    const mailbox = anyEmail();
    const [mine, ip] = [anyIp(), anyIp()];
    await service.token();
    // 3 are accepted, 2 refused for the mailbox, 5 for the IP.
    const sameIp = await atOnce(10, () => service.signUp({ email: mailbox }, { ip: mine }));
    assert.deepEqual(countOf(sameIp), { 200: 3, 429: 7 });
    for (let index = 0; index < 5; index++) await count(service, ip);
    const answers = await atOnce(60, () => service.signUp({ email: anyEmail() }));
    assert.deepEqual(countOf(answers), { 200: 27, 429: 33 });
    for (const answer of answers) if (answer.status === 429) assertLimited(answer, 60);
  },
);

here(
  "provider-hook answers 60 requests per minute from one IP, those without a credential included",
  FILLS,
  async () => {
    const service = proxied();
    const [ip, other] = [anyIp(), anyIp()];
    const post = (from: string) => service.call("provider-hook", { ip: from, json: {} });
    const answers = await atOnce(80, () => post(ip));
    assert.deepEqual(countOf(answers), { 401: 60, 429: 20 });
    for (const { status, text, headers } of answers) {
      assert.equal(text, '{"ok":false}');
      const wait = Number(headers.get("retry-after"));
      assert.ok(status === 401 ? wait === 0 : wait > 0 && wait <= 60);
    }
    assert.equal((await post(other)).status, 401);
  },
);

here("one IP counts at most 60 views of variants in ten minutes", FILLS, async () => {
  const ip = anyIp();
  const answers = await atOnce(70, () => proxied().call("variant-seen", { ip, body: "x" }));
  assert.deepEqual(countOf(answers), { 204: 60, 429: 10 });
});
