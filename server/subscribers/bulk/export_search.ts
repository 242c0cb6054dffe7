import { PAGE_VALUE_NAMES, pageValue } from "../../../shared/page_values.ts";
import { fieldText } from "../../../shared/fields/field_text.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { type SelectedPage, selectedPage, type Selection } from "./selection.ts";
import { SOURCE_KINDS } from "../search/source_kinds.ts";
import { PAGE_MAX } from "../search/search.ts";

/** Exports the results of a search, or selected signups, as a file. It is streamed, with only one page of results in memory. */

export const FORMATS = ["csv", "json"] as const;
export type Format = typeof FORMATS[number];

export const MIME: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

type Cell = (record: SignupRecord, listNames: ListNames) => string | number | undefined;
/** Names of the provider's lists by ID. */
type ListNames = ReadonlyMap<string, string>;

/** Scripts read these columns, so they keep their names and places. New ones come last. */
const COLUMNS: Record<string, Cell> = {
  email: (record) => record.email,
  name: (record) => record.name,
  list: (record) => record.list,
  status: (record) => record.status,
  since: (record) => iso(record.since),
  list_status: (record) => record.listStatus,
  reason: (record) => record.reason,
  signed_up_at: (record) => iso(record.createdAt),
  confirmed_at: (record) => record.confirmed && iso(record.confirmed.at),
  confirmed_by: (record) => record.confirmed?.by,
  source: (record) => record.source,
  form: (record) => record.form,
  tags: (record) => record.tags.join(", "),
  ...Object.fromEntries(
    PAGE_VALUE_NAMES.map((name) => [name, ({ page }: SignupRecord) => page && pageValue(page, name)]),
  ),
  source_title: (record) => SOURCE_KINDS[record.source],
  list_name: (record, listNames) => listNames.get(record.list),
};

interface CsvOptions {
  /** Names of the fields that have a column each. */
  fields: readonly string[];
  listNames: ListNames;
}

/** Returns the names of the columns: those of every file, and if forms have fields, one per field and one for the rest. */
const columnsOf = (fields: readonly string[]) => [
  ...Object.keys(COLUMNS),
  ...fields.map((name) => `field_${name}`),
  ...(fields.length > 0 ? ["other_fields"] : []),
];

/** Returns the cells of a record. Fields without a column, such as removed ones, are in the last cell, as JSON. */
function cellsOf(
  record: SignupRecord,
  { fields, listNames }: CsvOptions,
): (string | number | undefined)[] {
  const values = record.fields ?? {};
  const others = Object.entries(values).filter(([name]) => !fields.includes(name));
  return [
    ...Object.values(COLUMNS).map((cell) => cell(record, listNames)),
    ...fields.map((name) => Object.hasOwn(values, name) ? fieldText(values[name]!) : undefined),
    ...(fields.length > 0
      ? [others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined]
      : []),
  ];
}

/** Makes spreadsheets read the file as UTF-8. */
export const BOM = "\ufeff";

const iso = (at: number) => new Date(at).toISOString();

/**
 * Matches where a formula would start: at the start of a cell, or after a character that separates cells in some
 * locales. Includes the full-width, small and superscript forms, which East Asian systems treat alike.
 */
const FORMULA =
  /(^|[;\t\r\n])([\s\p{Cc}\p{Cf}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212\u207a-\u207c\u208a-\u208c])/gu;

/**
 * Returns an escaped CSV cell. An apostrophe is put before anything that a spreadsheet would run as a formula, because
 * names and tags come from visitors.
 */
export function csvCell(value: string | number | undefined): string {
  const text = value === undefined ? "" : String(value);
  const escaped = text.replace(FORMULA, "$1'$2");
  const safe = /^[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a row of a CSV file, with its line end. */
export const csvRow = (cells: (string | number | undefined)[]) => cells.map(csvCell).join(",") + "\r\n";

/**
 * Returns the signups as a CSV or JSON file, UTF-8 encoded.
 *
 * @param options of a CSV file
 */
export function exportSearch(
  kv: Kv,
  selection: Selection,
  format: Format,
  options: Partial<CsvOptions> = {},
): ReadableStream<Uint8Array> {
  return ReadableStream.from(
    encoded(
      format === "csv"
        ? csvOf(kv, selection, { fields: [], listNames: new Map(), ...options })
        : jsonOf(kv, selection),
    ),
  );
}

/** Unlike a `TextEncoderStream`, reads nothing ahead, and ends before `cancel` resolves. */
export async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of text) yield encoder.encode(part);
}

async function* csvOf(
  kv: Kv,
  selection: Selection,
  options: CsvOptions,
): AsyncGenerator<string> {
  yield BOM + csvRow(columnsOf(options.fields));
  for await (const { records } of pagesOf(kv, selection)) {
    yield records.map((record) => csvRow(cellsOf(record, options))).join("");
  }
}

/** Yields a JSON array with one complete record per line. */
async function* jsonOf(kv: Kv, selection: Selection): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const { records } of pagesOf(kv, selection)) {
    if (records.length === 0) continue;
    yield separator + records.map(({ v: _, ...record }) => JSON.stringify(record)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

async function* pagesOf(kv: Kv, selection: Selection): AsyncGenerator<SelectedPage> {
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await selectedPage(kv, selection, after, PAGE_MAX);
    yield page;
    after = page.next;
  }
}
