import type { Clock, Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { keys } from "../kv/keys.ts";

/** What became of an action. `started` stays where the process died under it. */
export type AuditResult = "started" | "done" | "refused" | "failed";

/** One thing that was done in the admin or by the command line. Never an address: it outlives every record. */
export interface AuditRow {
  v: 1;
  at: number;
  /** The user's name, `API token`, or `command line`. */
  who: string;
  /** Name of the action. */
  action: string;
  result: AuditResult;
  /** Whom or what it was done to, as an HMAC; see `Audit.target`. */
  target?: string;
}

/** A page of the log, newest first. `before` goes on where it ended; absent at the end. */
export interface AuditPage {
  rows: AuditRow[];
  before?: string;
}

/** The log of what was done by whom: rows are added, and their result is filled in once; none is ever removed. */
export interface Audit {
  /** An address, or the name of a thing, as the log may keep it: the same text gives the same HMAC. */
  target(text: string): string;
  /** Put down that something begins, before it does. @returns what to call with what became of it */
  begin(
    entry: { who: string; action: string; target?: string | undefined },
  ): Promise<(result: Exclude<AuditResult, "started">) => Promise<void>>;
  /** @param before what an earlier page returned */
  list(options?: { before?: string | undefined; limit?: number }): Promise<AuditPage>;
}

const PAGE_ROWS = 50;

export function createAudit(
  { kv, clock, random, keyring }: { kv: Deno.Kv; clock: Clock; random: Random; keyring: Keyring },
): Audit {
  return {
    target: (text) => keyring.identify("cfbe/audit", text),
    async begin({ who, action, target }) {
      const at = clock.now();
      const key = keys.audit(at, random.uuid());
      const row: AuditRow = { v: 1, at, who, action, result: "started", ...(target && { target }) };
      await kv.set(key, row);
      return async (result) => void await kv.set(key, { ...row, result } satisfies AuditRow);
    },
    async list({ before, limit = PAGE_ROWS } = {}) {
      const newest = kv.list<AuditRow>({ prefix: keys.auditAll() }, {
        limit,
        reverse: true,
        ...(before && { cursor: before }),
      });
      const rows: AuditRow[] = [];
      for await (const { value } of newest) rows.push(value);
      return { rows, ...(rows.length === limit && newest.cursor && { before: newest.cursor }) };
    },
  };
}
