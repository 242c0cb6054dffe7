import { readEntries } from "../kv/entries.ts";
import { keys } from "../kv/keys.ts";
import type { Kv, KvEntry, KvKey } from "../kv/port.ts";
import { failedSignInOf } from "./actor_name.ts";
import { auditIpKey, auditKey, type AuditResult, type AuditRow, HOUR_MS } from "./row.ts";

/** Filters of a search in the log. */
export interface AuditQuery {
  /** A name as in `AuditRow.who`. Includes failed sign-ins under this name. */
  who?: string;
  actions?: readonly string[];
  result?: AuditResult;
  /** See `Audit.target`. */
  target?: string;
  /** Unix milliseconds, inclusive. */
  from?: number;
  /** Unix milliseconds, exclusive. */
  until?: number;
}

/** A row as shown in the admin. */
export type ShownAuditRow = AuditRow & { id: string; ip?: string };

/** A page of the log, newest first. `before` is the cursor of the next page; absent on the last page. */
export interface AuditPage {
  rows: ShownAuditRow[];
  before?: string;
  /** Set if few rows matched, so that the search stopped there. Unix milliseconds. */
  searchedTo?: number;
}

/** The cursor is not one that `searchAudit` has returned. */
export class BadAuditCursor extends Error {
  override readonly name = "BadAuditCursor";
}

const PAGE_ROWS = 50;
/** Rows that one page reads at most, so that filters that match few rows do not read the whole log. */
const MAX_READ_ROWS = 2000;
/** Rows per read of the database while most of them may not match. */
const FILTERED_BATCH = 500;

type Place = readonly [at: number, id: string];

const cursorOf = ([at, id]: Place) => `${at}.${id}`;

function placeOf(cursor: string): Place {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new BadAuditCursor();
  return [Number(at), id];
}

/**
 * Returns a page of the matching rows.
 *
 * @param before the cursor from the previous page
 * @throws {BadAuditCursor}
 */
export async function searchAudit(
  kv: Kv,
  query: AuditQuery,
  { before, limit = PAGE_ROWS }: { before?: string | undefined; limit?: number } = {},
): Promise<AuditPage> {
  const end = before === undefined ? keys.auditAt(query.until ?? Infinity) : auditKey(...placeOf(before));
  const start = keys.auditAt(hourOf(query.from ?? 0));
  const found: [Place, AuditRow][] = [];
  let read = 0;
  let last: Place | undefined;
  const filtered = Object.keys(query).length > 0;
  const batchSize = filtered ? FILTERED_BATCH : limit + 1;
  for await (const { key, value } of newestFirst(kv, { start, end }, batchSize)) {
    const place = key.slice(-2) as unknown as Place;
    const fits = matches(value, query);
    if (fits && found.length === limit) {
      return { rows: await withIps(kv, found), before: cursorOf(found.at(-1)![0]) };
    }
    if (fits) found.push([place, value]);
    last = place;
    if (++read === MAX_READ_ROWS && found.length < limit) {
      return { rows: await withIps(kv, found), before: cursorOf(last), searchedTo: last[0] };
    }
  }
  return { rows: await withIps(kv, found) };
}

async function* newestFirst(
  kv: Kv,
  { start, end }: { start: KvKey; end: KvKey },
  batchSize: number,
): AsyncGenerator<KvEntry<AuditRow>> {
  // A cursor older than `from` leaves an empty range, which Deno KV rejects.
  if ((end[3] as number) < (start[3] as number)) return;
  yield* kv.list<AuditRow>({ start, end }, { reverse: true, batchSize });
}

/** Returns the start of the hour: a row that summarizes an hour also covers times after its own. */
const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;

function matches(row: AuditRow, query: AuditQuery): boolean {
  const { who, actions, result, target, from = 0, until = Infinity } = query;
  return (row.count !== undefined || row.at >= from) && row.at < until &&
    (who === undefined || row.who === who || row.who === failedSignInOf(who)) &&
    (actions === undefined || actions.includes(row.action)) &&
    (result === undefined || row.result === result) &&
    (target === undefined || row.target === target);
}

async function withIps(kv: Kv, found: readonly [Place, AuditRow][]): Promise<ShownAuditRow[]> {
  const { ips } = await readEntries(kv, { ips: found.map(([place]) => auditIpKey(...place)) });
  return found.map(([[, id], row], index) => ({
    ...row,
    id,
    ...(ips[index]?.value && { ip: ips[index].value.ip }),
  }));
}
