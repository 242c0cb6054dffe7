import type { Clock, Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** The result of an action. `started` remains if the process died during the action. */
export type AuditResult = "started" | "done" | "refused" | "failed";

/** An action in the admin or on the command line. It contains no address, because it outlives every record. */
export interface AuditRow {
  v: 1;
  at: number;
  /** The user's name, `API token`, `command line`, or the name given in a failed sign-in. */
  who: string;
  /** Name of the action. */
  action: string;
  result: AuditResult;
  /** The person or thing affected, as an HMAC; see `Audit.target`. */
  target?: string;
  /** For a known browser, the start of its id, which is the same at each sign-in. */
  device?: string;
  /** For rows that summarize an hour, the number of actions; `at` is the start of the hour. */
  count?: number;
}

/** Where a request came from. The IP is stored in a separate row, with the retention of visitors' IPs. */
export interface From {
  ip?: string | undefined;
  device?: string | undefined;
}

interface AuditIpRow {
  v: 1;
  ip: string;
}

const auditKey = (at: number, id: string): Key<AuditRow> => typed(keys.audit(at, id));
const auditIpKey = (at: number, id: string): Key<AuditIpRow> => typed(keys.auditIp(at, id));

/** A row as shown in the admin. */
export type ShownAuditRow = AuditRow & { ip?: string };

/** A page of the log, newest first. `before` is the cursor of the next page; absent on the last page. */
export interface AuditPage {
  rows: ShownAuditRow[];
  before?: string;
}

/** The log of who did what. Rows are added and get their result once; they are never removed. */
export interface Audit {
  /** Returns the HMAC under which the log stores an address or the name of a thing. */
  target(text: string): string;
  /** Records an action before it starts. Returns a function that records its result. */
  begin(
    entry: { who: string; action: string; target?: string | undefined; from?: From | undefined },
  ): Promise<(result: Exclude<AuditResult, "started">) => Promise<void>>;
  /**
   * Counts a frequent action in one row per actor, action, result and hour, so that nobody can flood the log.
   *
   * @param by number to add; 1 by default
   */
  count(
    entry: { who: string; action: string; result: "done" | "refused"; by?: number; from?: From },
  ): Promise<void>;
  /** Returns a page of the log. `before` is the cursor from the previous page. */
  list(options?: { before?: string | undefined; limit?: number }): Promise<AuditPage>;
}

const PAGE_ROWS = 50;
const HOUR_MS = 60 * 60 * 1000;

export function createAudit(
  { kv, clock, random, keyring }: { kv: Deno.Kv; clock: Clock; random: Random; keyring: Keyring },
): Audit {
  const hash = (text: string) => keyring.identify("cfbe/audit", text);
  const putIp = (tx: Deno.AtomicOperation, at: number, id: string, from: From | undefined) => {
    if (from?.ip) tx.set(auditIpKey(at, id), { v: 1, ip: from.ip } satisfies AuditIpRow);
    return tx;
  };

  async function withIps(found: { key: Deno.KvKey; value: AuditRow }[]): Promise<ShownAuditRow[]> {
    const ips = found.map(({ key }) => auditIpKey(...key.slice(-2) as [number, string]));
    const read = await readEntries(kv, { ips });
    return found.map(({ value }, i) => ({
      ...value,
      ...(read.ips[i]?.value && { ip: read.ips[i].value.ip }),
    }));
  }

  return {
    target: hash,
    async begin({ who, action, target, from }) {
      const at = clock.now();
      const id = random.uuid();
      const key = auditKey(at, id);
      const row: AuditRow = {
        v: 1,
        at,
        who,
        action,
        result: "started",
        ...(target && { target }),
        ...(from?.device && { device: from.device }),
      };
      await putIp(kv.atomic().set(key, row), at, id, from).commit();
      return async (result) => void await kv.set(key, { ...row, result } satisfies AuditRow);
    },
    async count({ who, action, result, by = 1, from }) {
      const at = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
      const id = hash(`${action} ${result} ${who}`);
      const key = auditKey(at, id);
      await cas(kv, { counted: key }, ({ counted }) => ({
        value: undefined,
        write(tx) {
          const count = (counted.value?.count ?? 0) + by;
          const device = from?.device ?? counted.value?.device;
          const row = { v: 1, at, who, action, result, count, ...(device && { device }) } satisfies AuditRow;
          putIp(tx.set(key, row), at, id, from);
        },
      }), { clock, random });
    },
    async list({ before, limit = PAGE_ROWS } = {}) {
      const newest = kv.list<AuditRow>({ prefix: keys.auditAll() }, {
        limit,
        reverse: true,
        ...(before && { cursor: before }),
      });
      const found = await Array.fromAsync(newest);
      const rows = await withIps(found);
      return { rows, ...(rows.length === limit && newest.cursor && { before: newest.cursor }) };
    },
  };
}
