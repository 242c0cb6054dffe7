import { z } from "zod";
import { keys } from "../../platform/kv/keys.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { signupKey } from "../../signup/record/row.ts";
import { readMigration } from "./run.ts";

/** Somebody who was not moved. */
export interface NotMoved {
  email: string;
  /** ID of the list at the old provider. */
  list: string;
  reason: string;
}

export interface ReportPage {
  records: NotMoved[];
  /** Pass it as `after` to get the next page; missing on the last one. */
  next?: string;
}

const Cursor = z.tuple([z.string(), z.number(), z.string()]);
/** Signups read per page. */
const PAGE = 500;

/** Returns a page of the people whom the latest move has not taken, and why. Erased people are not among them. */
export async function migrationReport(kv: Kv, after: string | undefined): Promise<ReportPage> {
  const run = await readMigration(kv);
  if (!run || run.dryRun) return { records: [] };
  const lists = Object.keys(run.lists);
  const start = after === undefined ? undefined : cursorOf(after);
  const list = start ? start[0] : lists[0]!;
  const prefix = keys.byStatusOn("active", list);
  const range = start && start[2] !== ""
    ? { prefix, start: [...prefix, start[1], start[2], true] }
    : { prefix };
  const entries = await Array.fromAsync(kv.list(range, { limit: PAGE }), ({ key }) => key);
  const emails = entries.map((key) => key.at(-1) as string);
  const { signups } = await readEntries(kv, { signups: emails.map((email) => signupKey(email, list)) });
  const records = signups.flatMap(({ value }) =>
    value?.migration?.run === run.startedAt && value.migration.result === "skipped"
      ? [{ email: value.email, list, reason: value.migration.reason ?? "" }]
      : []
  );
  const last = entries.at(-1);
  if (entries.length === PAGE) return { records, next: JSON.stringify([list, last!.at(-2), last!.at(-1)]) };
  const following = lists[lists.indexOf(list) + 1];
  return { records, ...(following !== undefined && { next: JSON.stringify([following, 0, ""]) }) };
}

/** Returns the parts of a cursor, or undefined for an invalid one. */
function cursorOf(text: string): z.output<typeof Cursor> | undefined {
  try {
    return Cursor.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
