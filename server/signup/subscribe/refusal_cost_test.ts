import assert from "node:assert/strict";
import { type Harness, harness } from "../../../dev/testing/harness.ts";

/** What refused and dropped requests cost in round trips to the database. */

const IP = "192.0.2.1";
const other = (i: number) => `198.51.100.${i}`;
const neighbor = (i: number) => `192.0.2.${10 + i}`;
const post = (app: Harness, body: Record<string, unknown> = {}, peer = IP) =>
  app.post({ email: "eve@example.com", ...body }, { peer });
const times = async (count: number, send: (i: number) => Promise<Response>) => {
  for (let i = 0; i < count; i++) await send(i);
};

interface Refused {
  status: number;
  reads: number;
  commits: number;
  /** What happened before. */
  given?: (app: Harness) => Promise<unknown>;
  send?: (app: Harness) => Promise<Response>;
}

const over = { status: 429, reads: 0, commits: 0 };
const dropped = { status: 200, reads: 0, commits: 0 };
const KINDS: Record<string, Refused> = {
  "over the limit of its IP, known to be full": { ...over, given: (app) => times(6, () => post(app)) },
  "over the limit of its IP for the first time": {
    ...over,
    reads: 1,
    given: (app) => times(5, () => post(app, { email: "no" })),
  },
  "invalid, over the limit of its IP": {
    ...over,
    given: (app) => times(6, () => post(app)),
    send: (app) => post(app, { email: "no" }),
  },
  "over the site's limit, known to be full": {
    ...over,
    reads: 1,
    commits: 1,
    given: (app) => times(4, (i) => post(app, { email: `a${i}@example.com` }, neighbor(i))),
  },
  "over the limit of its mailbox": {
    ...over,
    reads: 1,
    commits: 1,
    given: (app) => times(3, (i) => post(app, {}, other(i))),
  },
  "invalid": { status: 400, reads: 1, commits: 1, send: (app) => post(app, { email: "no" }) },
  "without a known source": { status: 400, reads: 0, commits: 0, send: (app) => post(app, { source: "x" }) },
  "too large": { status: 413, reads: 0, commits: 0, send: (app) => post(app, { name: "x".repeat(5_000) }) },
  "a honeypot": { ...dropped, send: (app) => post(app, { cfbe_hp: "x" }) },
  "without a token": { ...dropped, send: (app) => post(app, { cfbe_token: "" }) },
  "to provider-hook, over the limit of its IP": {
    ...over,
    given: (app) => times(61, () => app.hook({ type: "open" }, {}, IP)),
    send: (app) => app.hook({ type: "open" }, {}, IP),
  },
};
for (const [name, { status, reads, commits, given, send = post }] of Object.entries(KINDS)) {
  Deno.test(`a request ${name}: ${reads} reads, ${commits} commits`, async () => {
    await using app = await harness({ file: { filters: { cfbe_signup_site_limit: () => 3 } } });
    await given?.(app);
    app.reset();
    const response = await send(app);
    await response.body?.cancel();
    assert.equal(response.status, status);
    assert.deepEqual(app.counts, { reads, commits });
  });
}

Deno.test("a flood from one IP reads the database once in ten seconds, and writes nothing", async () => {
  await using app = await harness();
  await times(5, () => post(app, { email: "no" }));
  app.reset();
  for (let second = 0; second < 60; second++) {
    for (let i = 0; i < 5; i++) {
      const response = await post(app);
      assert.equal(response.headers.get("retry-after"), String(600 - second));
    }
    await app.clock.advance(1_000);
  }
  assert.deepEqual(app.counts, { reads: 6, commits: 0 });
});
