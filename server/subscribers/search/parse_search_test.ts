import assert from "node:assert/strict";
import fc from "fast-check";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { dayIn } from "../../platform/observe/days.ts";
import { dayEnd, dayStart } from "./dates.ts";
import { parseSearch, SEARCH_FIELDS, unnamedForm } from "./parse_search.ts";
import { Selection } from "../bulk/selection.ts";
import { search } from "./search.ts";

const parse = (params: Record<string, string>, zone = "UTC") =>
  parseSearch(new URLSearchParams(params), zone);

Deno.test("the search text is an address, a prefix of addresses, a part of them or a domain", () => {
  const term = (q: string) => parse({ q }).query.term;
  assert.deepEqual(term(" Ada@Example.com "), { by: "address", email: "ada@example.com" });
  assert.deepEqual(term("Ada"), { by: "prefix", prefix: "ada" });
  assert.deepEqual(term("ada@exa"), { by: "prefix", prefix: "ada@exa" });
  assert.deepEqual(term("ada@example.co*"), { by: "prefix", prefix: "ada@example.co" });
  assert.deepEqual(term("*Lovelace*"), { by: "part", part: "lovelace" });
  assert.deepEqual(term("**"), { by: "prefix", prefix: "*" });
  assert.deepEqual(term("@Example.com"), { by: "domain", domain: "example.com" });
  assert.deepEqual(term("@bücher.example"), { by: "domain", domain: "xn--bcher-kva.example" });
  assert.equal(term(""), undefined);
  assert.match(parse({ q: "@exam" }).problems.q!, /full domain/);
});

Deno.test("every invalid field is reported with its own error", () => {
  const invalid = {
    q: "x".repeat(300),
    status: "x",
    list_status: "x",
    source: "x",
    from: "x",
    until: "2026-02-30",
    form: "x".repeat(99),
    field: "",
    answer: "l",
    path: "about",
    campaign: "x".repeat(201),
  };
  const more = [{ field: "size", operator: "x" }, { field: "size", operator: "is", answer: "" }];
  const wrong = [invalid, ...more].flatMap((fields) => Object.keys(parse(fields).problems));
  assert.deepEqual(wrong.toSorted(), [...SEARCH_FIELDS].toSorted());
  assert.match(parse({ from: "2026-02-02", until: "2026-02-01" }).problems.until!, /before/);
  assert.deepEqual(parse({ from: "2026-02-01", until: "2026-02-01" }).problems, {});
});

Deno.test("days start and end in the site's time zone, also when daylight saving time starts or ends", () => {
  const iso = (at: number | undefined) => new Date(at!).toISOString();
  assert.equal(iso(dayStart("2026-06-01", "Europe/Berlin")), "2026-05-31T22:00:00.000Z");
  // Days of 23 and 25 hours.
  assert.equal(iso(dayStart("2026-03-29", "Europe/Berlin")), "2026-03-28T23:00:00.000Z");
  assert.equal(iso(dayEnd("2026-03-29", "Europe/Berlin")), "2026-03-29T22:00:00.000Z");
  assert.equal(iso(dayEnd("2026-10-25", "Europe/Berlin")), "2026-10-25T23:00:00.000Z");
  assert.equal(iso(dayStart("2026-11-01", "America/New_York")), "2026-11-01T04:00:00.000Z");
  assert.equal(iso(dayEnd("2026-12-31", "UTC")), "2027-01-01T00:00:00.000Z");
  // Midnight is skipped: the day starts at 01:00. Midnight is repeated: it starts with the first.
  assert.equal(iso(dayStart("2026-09-06", "America/Santiago")), "2026-09-06T04:00:00.000Z");
  assert.equal(iso(dayStart("2026-03-08", "America/Havana")), "2026-03-08T05:00:00.000Z");
  assert.equal(iso(dayStart("2026-11-01", "America/Havana")), "2026-11-01T04:00:00.000Z");
  assert.equal(iso(dayStart("2026-03-29", "Atlantic/Azores")), "2026-03-29T01:00:00.000Z");
  assert.equal(dayStart("2026-13-01", "UTC"), undefined);
});

Deno.test("any search text gives either results or an error message", async () => {
  await using temp = await tempKv();
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.emailAddress(), fc.string());
  const params = fc.record(Object.fromEntries(SEARCH_FIELDS.map((field) => [field, text])), {
    requiredKeys: [],
  });
  await fc.assert(fc.asyncProperty(params, async (params) => {
    const pairs = Object.entries(params) as [string, string][];
    const { query, problems } = parseSearch(new URLSearchParams(pairs), "UTC");
    if (Object.keys(problems).length === 0) assert.deepEqual(await search(temp.kv, query), { records: [] });
    else assert.ok(Object.values(problems).every((problem) => problem.endsWith(".")));
  }));
  assert.deepEqual((await search(temp.kv, { term: { by: "prefix", prefix: "\u{10ffff}\0é" } })).records, []);
});

Deno.test("a bulk action on a search has all its filters, and so selects nobody else", () => {
  const everyFilter = {
    q: "@example.com",
    status: "active",
    list_status: "active",
    form: "footer",
    source: "popup",
    from: "2026-01-01",
    until: "2026-02-01",
    field: "size",
    operator: "is",
    answer: "l",
    path: "/blog/*",
    campaign: "spring",
  };
  for (const fields of [everyFilter, { ...everyFilter, form: unnamedForm("popup") }]) {
    const { query } = parseSearch(new URLSearchParams(fields), "UTC");
    // Field, comparison and answer are one filter.
    assert.equal(Object.keys(query).length, Object.keys(fields).length - 2);
    assert.deepEqual(Selection.parse({ query }), { query });
  }
  const newer = { query: { status: "active", shoeSize: 42 } };
  assert.equal(Selection.safeParse(newer).success, false, "a filter of a later version");
});

Deno.test("a day starts with its first instant in time zones whose clocks change at midnight", () => {
  const first = Date.UTC(2024, 0, 1) / 86_400_000;
  for (
    const zone of [
      "America/Santiago",
      "America/Asuncion",
      "Atlantic/Azores",
      "America/Havana",
      "Africa/Cairo",
    ]
  ) {
    for (let day = first; day < first + 400; day++) {
      const start = dayStart(new Date(day * 86_400_000).toISOString().slice(0, 10), zone)!;
      assert.deepEqual([dayIn(zone, start - 1), dayIn(zone, start)], [day - 1, day], `${zone} ${day}`);
    }
  }
});
