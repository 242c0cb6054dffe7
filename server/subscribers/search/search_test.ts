import assert from "node:assert/strict";
import fc from "fast-check";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { putRecord } from "../../signup/record/record.ts";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { BadCursor, encodeCursor } from "./cursor.ts";
import { domainOf } from "../../signup/record/search_entries.ts";
import { isAddressTerm, type SubscriberQuery } from "./query.ts";
import { MAX_RECORDS_PER_PAGE, MAX_ROWS_PER_PAGE } from "./scan.ts";
import { search } from "./search.ts";
import { insertSampleRecords } from "../testing/sample_records.ts";

const key = ({ email, list }: SignupRecord) => `${email} ${list}`;

async function searchAllPages(kv: Kv, query: SubscriberQuery, limit: number): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await search(kv, query, { after, limit });
    assert.ok(page.records.length <= limit);
    found.push(...page.records.map(key));
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The reference implementation of a search. */
function matches(query: SubscriberQuery, record: SignupRecord): boolean {
  const { term } = query;
  return (term?.by !== "address" || record.email === term.email) &&
    (term?.by !== "prefix" || record.email.startsWith(term.prefix)) &&
    (term?.by !== "domain" || domainOf(record.email) === term.domain) &&
    (term?.by !== "part" || record.email.includes(term.part)) &&
    (query.status ?? record.status) === record.status &&
    (query.listStatus ?? record.listStatus) === record.listStatus &&
    (query.form ?? record.form) === record.form &&
    (query.source ?? record.source) === record.source &&
    (query.unnamedFrom === undefined ||
      (query.unnamedFrom === record.source && record.form === undefined)) &&
    (!query.answer || (record.fields?.["size"] ?? "") === (query.answer.value ?? "")) &&
    (query.path === undefined || (record.page?.path ?? "").startsWith(query.path.replace(/\*$/, ""))) &&
    (query.campaign ?? record.page?.utm?.campaign) === record.page?.utm?.campaign &&
    record.createdAt >= (query.from ?? 0) && record.createdAt < (query.until ?? Infinity);
}

const record: fc.Arbitrary<SignupRecord> = fc.record({
  v: fc.constant(2 as const),
  email: fc.constantFrom("ada@x.example", "ada.l@x.example", "adam@y.example", "b@x.example", "b@xx.example"),
  list: fc.constantFrom("l", "l m", "m"),
  status: fc.constantFrom(...LOCAL_STATUSES),
  since: fc.nat(9),
  listStatus: fc.constantFrom(...LIST_STATUSES),
  tags: fc.constant([]),
  source: fc.constantFrom("popup", "checkout"),
  form: fc.constantFrom("a", "b"),
  fields: fc.record({ size: fc.constantFrom("s", "l") }),
  page: fc.record({ path: fc.constantFrom("/a", "/b/c"), utm: fc.constantFrom({}, { campaign: "x" }) }),
  createdAt: fc.nat(9),
  updatedAt: fc.nat(9),
}, { requiredKeys: ["v", "email", "list", "status", "since", "tags", "source", "createdAt", "updatedAt"] });

const filters: fc.Arbitrary<Required<SubscriberQuery>> = fc.record({
  term: fc.oneof(
    fc.record({
      by: fc.constant("address" as const),
      email: fc.constantFrom("ada@x.example", "no@x.example"),
    }),
    fc.record({ by: fc.constant("prefix" as const), prefix: fc.constantFrom("ada", "b@x", "", "z") }),
    fc.record({ by: fc.constant("part" as const), part: fc.constantFrom("a", "x.e", "da", "z") }),
    fc.record({ by: fc.constant("domain" as const), domain: fc.constantFrom("x.example", "xx.example") }),
  ),
  status: fc.constantFrom(...LOCAL_STATUSES),
  listStatus: fc.constantFrom(...LIST_STATUSES),
  form: fc.constantFrom("a", "b"),
  source: fc.constantFrom("popup", "checkout"),
  unnamedFrom: fc.constantFrom("popup", "checkout"),
  from: fc.nat(9),
  until: fc.nat(9),
  answer: fc.constantFrom(
    { field: "size", operator: "is" as const, value: "l" },
    { field: "size", operator: "unanswered" as const },
  ),
  path: fc.constantFrom("/b*", "/b/c"),
  campaign: fc.constant("x"),
});
/** Few filters at once, because hardly anything matches many. */
const query: fc.Arbitrary<SubscriberQuery> = filters.chain((all) =>
  fc.subarray(Object.entries(all), { maxLength: 3 }).map((some) => Object.fromEntries(some))
);

Deno.test("the pages of any search have exactly the matching records, once each and in order", async () => {
  await using temp = await tempKv();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(record, { selector: key, maxLength: 12 }),
      fc.array(record, { maxLength: 4 }),
      query,
      fc.integer({ min: 1, max: 4 }),
      async (records, changes, query, limit) => {
        for await (const { key } of temp.kv.list({ prefix: [] })) await temp.kv.delete(key);
        const held = new Map<string, SignupRecord>();
        for (const next of [...records, ...changes]) {
          const before = held.get(key(next)) ?? null;
          // The time of the first signup never changes.
          const after = before ? { ...next, createdAt: before.createdAt } : next;
          await putRecord(temp.kv.atomic(), before, after).commit();
          held.set(key(next), after);
        }
        const expected = [...held.values()].filter((record) => matches(query, record));
        const newestFirst = !isAddressTerm(query.term);
        expected.sort((a, b) =>
          (newestFirst ? b.createdAt - a.createdAt : 0) ||
          (key(a) < key(b) ? -1 : 1) * (newestFirst ? -1 : 1)
        );
        assert.deepEqual(await searchAllPages(temp.kv, query, limit), expected.map(key));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("an erased record leaves no index entry", async () => {
  await using temp = await tempKv();
  await fc.assert(
    fc.asyncProperty(record, record, async (one, other) => {
      const after = { ...other, email: one.email, list: one.list, createdAt: one.createdAt };
      await putRecord(temp.kv.atomic(), null, one).commit();
      await putRecord(temp.kv.atomic(), one, after).commit();
      await putRecord(temp.kv.atomic(), after, null).commit();
      assert.deepEqual(await Array.fromAsync(temp.kv.list({ prefix: [] })), []);
    }),
    { numRuns: 50 },
  );
});

Deno.test("a search with few matches stops after the maximum number of rows and reports how far it got", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 2 * MAX_ROWS_PER_PAGE);
  const { kv, listed } = countingKv(temp.kv);
  // No record has both, but each index is long.
  const noMatch = { status: "active", source: "shortcode", form: "no such form" } as const;
  assert.deepEqual(await search(kv, noMatch), { records: [] });
  const oldest = {
    status: "active",
    source: "shortcode",
    term: { by: "prefix", prefix: "p" },
    until: 1,
  } as const;
  const page = await search(kv, oldest);
  assert.deepEqual(page.records, []);
  assert.ok(page.next && typeof page.searchedTo === "string");
  assert.ok(listed() <= MAX_ROWS_PER_PAGE + 300, `${listed()} rows`);
});

Deno.test("a search by an answer reads the records of at most 1,000 rows for a page, says how far it got, and goes on there", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 2 * MAX_RECORDS_PER_PAGE + 1);
  const { kv, counts, listed, reset } = countingKv(temp.kv);
  const query = { answer: { field: "size", operator: "is", value: "none" } } as const;
  const reached: number[] = [];
  let after: string | undefined;
  do {
    reset();
    const page = await search(kv, query, { after });
    assert.deepEqual(page.records, []);
    assert.ok(listed() <= MAX_RECORDS_PER_PAGE, `${listed()} rows`);
    assert.ok(counts.reads <= MAX_RECORDS_PER_PAGE / 10 + 5, `${counts.reads} reads`);
    if (page.next) reached.push(page.searchedTo as number);
    after = page.next;
  } while (after !== undefined);
  assert.equal(reached.length, 2);
  assert.ok(reached[0]! > reached[1]!);
});

Deno.test("with another filter, a search by an answer reads only the records that match that one", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 5_000);
  const { kv, counts } = countingKv(temp.kv);
  const answer = { field: "size", operator: "is", value: "none" } as const;
  const page = await search(kv, { term: { by: "domain", domain: "rare.example" }, answer });
  assert.deepEqual(page, { records: [] });
  assert.ok(counts.reads <= 60, `${counts.reads} reads`);
});

Deno.test("an invalid cursor, or one of another order, throws BadCursor", async () => {
  await using temp = await tempKv();
  const refused = (query: SubscriberQuery, after: string) =>
    assert.rejects(search(temp.kv, query, { after }), BadCursor);
  for (
    const after of [
      "",
      "x",
      "bnVsbA",
      encodeCursor(["a", "a@x.example", "l"]),
      encodeCursor(["n", NaN, "a", "l"]),
    ]
  ) {
    await refused({}, after);
  }
  await refused({ term: { by: "prefix", prefix: "a" } }, encodeCursor(["n", 1, "a@x.example", "l"]));
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (after) => {
    await assert.rejects(search(temp.kv, {}, { after }), BadCursor);
  }));
});
