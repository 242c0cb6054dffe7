import type { Context } from "hono";
import { BOM, csvRow, MIME } from "../../subscribers/bulk/export_search.ts";

/** Responds with a CSV file to download, which spreadsheets read as UTF-8. */
export function csvFile(c: Context, name: string, rows: readonly Parameters<typeof csvRow>[0][]): Response {
  return c.body(BOM + rows.map((row) => csvRow(row)).join(""), 200, {
    "Content-Type": MIME.csv,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}
