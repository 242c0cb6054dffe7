import assert from "node:assert/strict";
import { countingKv } from "../../../dev/testing/counting_kv.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { putRecord } from "../../signup/record/record.ts";
import { insertSampleRecords } from "../testing/sample_records.ts";
import { MAX_NEAR, nearMatches } from "./near.ts";
import { parseSearch } from "./parse_search.ts";
import { MAX_RECORDS_PER_PAGE, MAX_ROWS_PER_PAGE } from "./scan.ts";

async function insert(kv: Kv, ...emails: string[]): Promise<void> {
  for (const [createdAt, email] of emails.entries()) {
    await putRecord(kv.atomic(), null, {
      v: 2,
      email,
      list: "news",
      status: "active",
      since: 1,
      tags: [],
      source: "popup",
      createdAt,
      updatedAt: 1,
    }).commit();
  }
}

async function near(kv: Kv, q: string, more: Record<string, string> = {}) {
  const { query, problems } = parseSearch(new URLSearchParams({ q, ...more }), "UTC");
  assert.deepEqual(problems, {});
  const { records, partial } = await nearMatches(kv, query);
  return { emails: records.map(({ email }) => email), partial };
}

Deno.test("an address with a typing error in its domain, its local part or both is near the one that was meant", async () => {
  await using temp = await tempKv();
  await insert(temp.kv, "lovelace@gmail.com", "ada@web.example", "mary@gmail.com", "lovelace@other.example");
  for (
    const typed of [
      "lovelace@gmial.com",
      "lovelace@gmail.con",
      "lovelace@gmail.org",
      "lovelcae@gmail.com",
      "lvelace@gmail.com",
      "lovelcae@gmal.com",
      "lovelace@gmial",
      "lovelacee@g",
    ]
  ) {
    const { emails, partial } = await near(temp.kv, typed);
    assert.deepEqual([emails, partial], [["lovelace@gmail.com"], false], typed);
  }
  assert.deepEqual((await near(temp.kv, "@gmial.com")).emails, ["mary@gmail.com", "lovelace@gmail.com"]);
  for (const other of ["byron@gmail.com", "lovelace@third.example", "bab@web.example", "@third.example"]) {
    assert.deepEqual((await near(temp.kv, other)).emails, [], other);
  }
});

Deno.test("a text in the middle of an address, or like one of its words, is near it, the most similar and newest first", async () => {
  await using temp = await tempKv();
  await insert(temp.kv, "ada.lovelace@a.example", "ada@lovelace.example", "ada.lovelcae@a.example");
  assert.deepEqual((await near(temp.kv, "lovelace")).emails, [
    "ada@lovelace.example",
    "ada.lovelace@a.example",
    "ada.lovelcae@a.example",
  ]);
  assert.deepEqual((await near(temp.kv, "lovelac@a")).emails, []);
  assert.deepEqual((await near(temp.kv, "lovelace", { status: "pending" })).emails, []);
});

Deno.test("near matches read no more rows than a page of results, are ten at most, and say if not all signups were compared", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 5_000);
  const { kv, listed, counts, reset } = countingKv(temp.kv);
  for (const typed of ["p0@mail1.example", "p000000@", "00", "@mail.example", "zzzzzz"]) {
    reset();
    const { emails, partial } = await near(kv, typed);
    assert.ok(listed() <= MAX_ROWS_PER_PAGE, `${typed}: ${listed()} rows`);
    assert.ok(emails.length <= MAX_NEAR);
    assert.ok(partial, typed);
    reset();
    await near(kv, typed, { campaign: "none" });
    assert.ok(counts.reads <= MAX_RECORDS_PER_PAGE / 10 + 5, `${typed}: ${counts.reads} reads`);
  }
  await using small = await tempKv();
  await insertSampleRecords(small.kv, 400);
  assert.equal((await near(small.kv, "zzzzzz")).partial, false);
});
