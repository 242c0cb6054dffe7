import assert from "node:assert/strict";
import { putRecord } from "../../signup/record/record.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { csvCell, exportSearch } from "./export_search.ts";
import { insertSampleRecords } from "../testing/sample_records.ts";

const text = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream).bytes().then((bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
const record: SignupRecord = {
  v: 2,
  email: "ada@example.com",
  list: "l",
  status: "active",
  since: 1,
  name: '=HYPERLINK("https://evil.example")',
  tags: ["+1", "b"],
  source: "popup",
  page: { path: "/blog", utm: { source: "mail", campaign: "=1+1" } },
  createdAt: 0,
  updatedAt: 1,
};

Deno.test("formulas in cells are escaped, and other cells are unchanged", () => {
  for (const begin of ["=", "+", "-", "@", "\t", "\r"]) {
    assert.match(csvCell(`${begin}1+1`), /^"?'/);
  }
  // Full-width, small and superscript forms, also after invisible characters or the separators of other locales.
  for (const begin of [..."＝＋－＠﹦﹢﹣﹫−⁼₊", " =", "\u00a0＝", "\u200b=", "\ufeff@", "\n=", " \t+"]) {
    assert.match(csvCell(`${begin}1+1`), /^"?'/, JSON.stringify(begin));
  }
  assert.equal(csvCell("x;=1+1"), `"x;'=1+1"`);
  assert.equal(csvCell("x\t ＝1"), `"x\t' ＝1"`);
  for (const plain of ["a=b", "Ann-Marie", "1. + 2", "ann+tag@example.com", "’=", "№ 5"]) {
    assert.equal(csvCell(plain), plain);
  }
  assert.equal(csvCell('a "b", c\n'), '"a ""b"", c\n"');
  assert.equal(csvCell(undefined), "");
});

Deno.test("a CSV file has a byte order mark, a header and one row per record", async () => {
  await using temp = await tempKv();
  await putRecord(temp.kv.atomic(), null, record).commit();
  const [head, row, end] =
    (await text(exportSearch(temp.kv, { query: {} }, "csv", { listNames: new Map([["l", "Letter"]]) })))
      .split("\r\n");
  assert.ok(head!.startsWith("\ufeffemail,name,list,status"));
  assert.ok(
    row!.startsWith(
      `ada@example.com,"'=HYPERLINK(""https://evil.example"")",l,active,1970-01-01T00:00:00.001Z`,
    ),
  );
  assert.ok(row!.endsWith(`,popup,,"'+1, b",/blog,,mail,,'=1+1,,,Popup,Letter`));
  assert.ok(
    head!.endsWith(
      ",page,referrer,utm_source,utm_medium,utm_campaign,utm_term,utm_content,source_title,list_name",
    ),
  );
  assert.equal(end, "");
});

Deno.test("a JSON file has exactly the results, whether none or thousands", async () => {
  await using temp = await tempKv();
  assert.deepEqual(JSON.parse(await text(exportSearch(temp.kv, { query: {} }, "json"))), []);
  await insertSampleRecords(temp.kv, 1_000);
  const all = JSON.parse(await text(exportSearch(temp.kv, { query: {} }, "json"))) as SignupRecord[];
  assert.equal(new Set(all.map(({ email }) => email)).size, 1_000);
  const some = JSON.parse(
    await text(exportSearch(temp.kv, { query: { status: "failed" } }, "json")),
  ) as SignupRecord[];
  assert.equal(some.length, all.filter(({ status }) => status === "failed").length);
});

Deno.test("when the reader of a large file stops, the search stops", async () => {
  await using temp = await tempKv();
  await insertSampleRecords(temp.kv, 3_000);
  const { list } = temp.kv;
  let lists = 0;
  temp.kv.list = (...args: Parameters<typeof list>) => (lists++, list.apply(temp.kv, args)) as never;
  const reader = exportSearch(temp.kv, { query: {} }, "csv").getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  assert.ok(lists < 6, `${lists} pages were read`);
});
