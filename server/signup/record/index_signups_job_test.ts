import assert from "node:assert/strict";
import { aroundCommits } from "../../../dev/testing/around_commits.ts";
import { runAttempt } from "../../platform/jobs/attempt.ts";
import { fenceOf } from "../../platform/jobs/handler.ts";
import type { ClaimedJob } from "../../platform/jobs/claim.ts";
import type { JobRow } from "../../platform/jobs/row.ts";
import { keys } from "../../platform/kv/keys.ts";
import { EMBEDDED_LIMITS, REMOTE_LIMITS } from "../../platform/kv/limits.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import { wrap } from "../../platform/kv/wrap.ts";
import { search } from "../../subscribers/search/search.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { stubTrouble } from "../../../dev/testing/stub_provider.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { ENTRIES_PER_ATTEMPT, indexSignups, startIndexing } from "./index_signups_job.ts";
import { consentOf } from "./consents.ts";
import { applySignup, putRecord, putSignup } from "./record.ts";
import { type Signup, signupKey, type SignupRecord } from "./row.ts";

const NO_SITE_LIMIT = { file: { filters: { cfbe_signup_site_limit: () => 0 } } };
const NAME = "cfbe_index_signups";
const emailOf = (n: number) => `p${String(n).padStart(4, "0")}@example.com`;

async function signUp(app: Harness, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, n) => emailOf(n));
  for (const [n, email] of emails.entries()) {
    assert.equal((await app.post({ email }, { peer: `198.51.100.${n}` })).status, 200);
    await app.clock.advance(1);
  }
  return emails;
}

/** Claims the job. The deliveries stay in the queue, as if the provider did not respond to earlier ones. */
async function claimJob(app: Harness): Promise<ClaimedJob> {
  const claimed = await app.queue.claim(Infinity);
  for (const job of claimed) if (job.row.name !== NAME) await app.queue.release(job, { began: false });
  return claimed.find(({ row }) => row.name === NAME)!;
}

/** Runs one attempt of the job on `kv`, and no delivery. */
async function runJob(app: Harness, kv = app.kv): Promise<void> {
  const definition = indexSignups({ ...app.services, kv });
  await runAttempt(app, definition, await claimJob(app), new AbortController().signal);
}

async function hasJob({ kv }: Harness): Promise<boolean> {
  return (await kv.get<JobRow>(keys.job("index_signups"))).value !== null;
}

async function found(app: Harness): Promise<string[]> {
  return (await search(app.kv, { source: "shortcode" }, { limit: 200 })).records.map(({ email }) => email);
}

/** Returns the rows of the search index, of the index by status and of the proofs of consent. */
async function indexes({ kv }: Harness): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const family of ["subscriber", "by_status", "consent", "consent_by_time"]) {
    for await (const { key, value } of kv.list({ prefix: keys.family(family) })) rows.push([key, value]);
  }
  return rows;
}

Deno.test("until it is delivered or indexed, a signup is found by its address", async () => {
  await using app = await harness();
  const [email] = await signUp(app, 1);
  const byAddress = async () =>
    (await search(app.kv, { term: { by: "address", email: email! } })).records.map(({ status }) => status);
  assert.deepEqual([await byAddress(), await found(app)], [["queued"], []]);
  await app.work();
  assert.deepEqual([await byAddress(), await found(app)], [["pending"], [email]]);
});

Deno.test("a signup whose delivery fails is found by every search from the first attempt on", async () => {
  await using app = await harness();
  app.provider.nextResults.subscribe.push(stubTrouble(), stubTrouble());
  const emails = await signUp(app, 2);
  await app.work();
  assert.deepEqual(await found(app), emails.toReversed());
  await startIndexing(app.services);
  assert.equal(await hasJob(app), false, "nothing is left to index");
});

Deno.test("the job indexes every queued signup whose delivery was not attempted", async () => {
  await using app = await harness(NO_SITE_LIMIT);
  const emails = await signUp(app, 120);
  await startIndexing(app.services);
  await runJob(app);
  assert.deepEqual(await found(app), emails.toReversed());
  assert.equal((await app.record(emails[7]!))?.v, 2);
  const consents = await Array.fromAsync(app.kv.list({ prefix: keys.family("consent") }));
  assert.deepEqual(consents.map(({ key }) => key[3]), emails, "each proof of consent has its row");
  await startIndexing(app.services);
  assert.equal(await hasJob(app), false, "nothing is left to index");
});

Deno.test("addresses of the maximum length are indexed too", async () => {
  await using app = await harness();
  const longest = (n: number) =>
    `${String(n).padStart(64, "0")}@${"d".repeat(62)}.${"e".repeat(63)}.${"f".repeat(61)}`;
  for (let n = 0; n < 60; n++) {
    const consent = { given: false, locale: "en", ip: null };
    const email = longest(n);
    const signup: Signup = {
      email,
      list: LIST,
      provider: "bluefox",
      tags: [],
      source: "shortcode",
      form: "f".repeat(64),
      consent,
    };
    const tx = app.kv.atomic();
    putSignup(tx, null, signup, consentOf(signup, crypto.randomUUID(), app.clock.now() + n));
    await tx.commit();
  }
  await startIndexing(app.services);
  await runJob(app);
  assert.equal((await found(app)).length, 60);
});

for (const [engine, limits] of Object.entries({ file: EMBEDDED_LIMITS, "KV Connect": REMOTE_LIMITS })) {
  Deno.test(`records with the longest values are indexed, however few fit into one commit (${engine})`, async () => {
    await using app = await harness({ limits });
    const long = (length: number) => "\u6c49".repeat(length);
    const count = 25;
    for (let n = 0; n < count; n++) {
      const email = `${String(n).padStart(64, "0")}@${"d".repeat(62)}.${"e".repeat(63)}.${"f".repeat(61)}`;
      const signup: Signup = {
        email,
        list: long(200),
        provider: "bluefox",
        tags: Array.from({ length: 50 }, (_, tag) => `${tag}${long(98)}`),
        source: "shortcode",
        form: "f".repeat(64),
        name: long(100),
        page: { path: `/${long(499)}`, referrer: `https://${"r".repeat(60)}.example` },
        fields: Object.fromEntries(
          Array.from({ length: 20 }, (_, field) => [`field_${field}`, long(500)]),
        ),
        consent: { given: true, locale: "en", ip: "2001:db8:1111:2222:3333:4444:5555:6666" },
      };
      const tx = app.kv.atomic();
      putSignup(tx, null, signup, consentOf(signup, crypto.randomUUID(), app.clock.now() + n));
      await tx.commit();
    }
    await startIndexing(app.services);
    await runJob(app);
    assert.equal((await found(app)).length, count);
  });
}

Deno.test("after a crash at any commit, the next attempt leaves the same index as one that did not crash", async () => {
  const expected = await (async () => {
    await using app = await harness(NO_SITE_LIMIT);
    await signUp(app, 120);
    await startIndexing(app.services);
    await runJob(app);
    return await indexes(app);
  })();
  for (const crashAt of [1, 2, 3]) {
    await using app = await harness(NO_SITE_LIMIT);
    await signUp(app, 120);
    await startIndexing(app.services);
    let commits = 0;
    const kv = aroundCommits(app.kv, (commit) => {
      return ++commits === crashAt ? Promise.reject(new Error("kill -9")) : commit();
    });
    const { handle } = indexSignups({ ...app.services, kv });
    const { row, token } = await claimJob(app);
    await assert.rejects(
      handle({
        ...row,
        payload: {},
        attempt: 1,
        signal: new AbortController().signal,
        fence: fenceOf(row.id, token),
      }),
      /kill -9/,
    );
    await app.clock.advance(60_000);
    await runJob(app);
    assert.deepEqual(await indexes(app), expected);
  }
});

Deno.test("erasing a signup that is not indexed yet leaves no row of it, and the job restores none", async () => {
  await using app = await harness();
  const [ada, ben] = await signUp(app, 2);
  await startIndexing(app.services);
  // Erased after the job has listed it, and before the job reads it.
  const kv = wrap(app.kv, {
    getMany: async (...args: Parameters<Kv["getMany"]>) => {
      await app.services.people.erase(ada!);
      return await app.kv.getMany(...args);
    },
  });
  await runJob(app, kv);
  assert.deepEqual(await found(app), [ben]);
  assert.doesNotMatch(await app.dump(), new RegExp(ada!));
});

Deno.test("an attempt reads a limited number of rows, and the next one continues after it", async () => {
  await using app = await harness();
  for (let from = 0; from < ENTRIES_PER_ATTEMPT; from += 500) {
    const tx = app.kv.atomic();
    for (let n = from; n < from + 500; n++) tx.set(keys.byStatus("queued", LIST, n, emailOf(n)), 1);
    await tx.commit();
  }
  await signUp(app, 1);
  await startIndexing(app.services);
  const { kv, listed } = countingKv(app.kv);
  await runJob(app, kv);
  assert.deepEqual([listed(), await found(app)], [ENTRIES_PER_ATTEMPT, []]);
  await startIndexing(app.services);
  await runJob(app, kv);
  assert.deepEqual([listed(), await found(app)], [ENTRIES_PER_ATTEMPT + 1, [emailOf(0)]]);
});

/** `putRecord` of an earlier release, without its other facets: it takes version 1 as "no search entries yet". */
function putAsEarlierRelease(tx: AtomicOperation, before: SignupRecord, after: SignupRecord) {
  const { status, source, createdAt, email, list } = after;
  if (before.status !== status) tx.delete(keys.byStatus(before.status, list, before.since, email));
  if (before.v !== 2 || before.status !== status) {
    for (const [facet, value] of Object.entries({ all: "", domain: "example.com", status, source })) {
      tx.set(keys.subscriberBy(facet, value, createdAt, email, list), { v: 1, status, source });
    }
  }
  tx.set(signupKey(email, list), { ...after, v: 2 }).set(keys.byStatus(status, list, after.since, email), 1);
}

for (
  const [name, change] of Object.entries(
    {
      "the status": { status: "pending", since: 2 },
      "no indexed property": { updatedAt: 2 },
    } satisfies Record<string, Partial<SignupRecord>>,
  )
) {
  Deno.test(`a new signup of which an earlier release changes ${name} has the same rows as with this release`, async () => {
    const rows: unknown[] = [];
    for (const put of [putRecord, putAsEarlierRelease]) {
      await using temp = await tempKv();
      const consent = { given: false, locale: "en", ip: null };
      const common = { email: emailOf(0), list: LIST, provider: "bluefox" };
      const signup: Signup = { ...common, tags: [], source: "popup", consent };
      const { provider: _, ...record } = applySignup(null, signup, 1);
      await putRecord(temp.kv.atomic(), null, record).commit();
      const before = (await temp.kv.get<SignupRecord>(signupKey(emailOf(0), LIST))).value!;
      const tx = temp.kv.atomic();
      put(tx, before, { ...before, ...change });
      await tx.commit();
      rows.push(
        (await Array.fromAsync(temp.kv.list({ prefix: [] }))).map(({ key, value }) => ({ key, value })),
      );
    }
    assert.deepEqual(rows[1], rows[0]);
  });
}
