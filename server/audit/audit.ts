import type { Clock, Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** What became of an action. `started` stays where the process died under it. */
export type AuditResult = "started" | "done" | "refused" | "failed";

/** One thing that was done in the admin or by the command line. Never an address: it outlives every record. */
export interface AuditRow {
  v: 1;
  at: number;
  /** The user's name, `API token`, `command line`, or of whom a failed sign-in gave the name. */
  who: string;
  /** Name of the action. */
  action: string;
  result: AuditResult;
  /** Whom or what it was done to, as an HMAC; see `Audit.target`. */
  target?: string;
  /** Of a known browser: the beginning of its id, the same at each of its sign-ins. */
  device?: string;
  /** Of rows that stand for a whole hour: how many; their `at` is the hour's beginning. */
  count?: number;
}

/** Where a request came from. The IP is kept as long as visitors' IPs are, and not in the row itself. */
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

/** A row as it is shown. */
export type ShownAuditRow = AuditRow & { ip?: string };

/** A page of the log, newest first. `before` goes on where it ended; absent at the end. */
export interface AuditPage {
  rows: ShownAuditRow[];
  before?: string;
}

/** The log of what was done by whom: rows are added, and their result is filled in once; none is ever removed. */
export interface Audit {
  /** An address, or the name of a thing, as the log may keep it: the same text gives the same HMAC. */
  target(text: string): string;
  /** Put down that something begins, before it does. @returns what to call with what became of it */
  begin(
    entry: { who: string; action: string; target?: string | undefined; from?: From | undefined },
  ): Promise<(result: Exclude<AuditResult, "started">) => Promise<void>>;
  /**
   * Counts what happens often, in one row for each actor, action, result and hour, so that nobody can flood the log.
   *
   * @param by how many more; 1 unless given
   */
  count(
    entry: { who: string; action: string; result: "done" | "refused"; by?: number; from?: From },
  ): Promise<void>;
  /** @param before what an earlier page returned */
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
