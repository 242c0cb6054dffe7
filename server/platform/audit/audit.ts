import type { Clock, Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { type AuditChange, storedChanges } from "./changes.ts";
import { hashOfEntry, linkAfter, sealOf } from "./chain.ts";
import type { AuditKind } from "./kinds.ts";
import {
  auditIpKey,
  type AuditIpRow,
  auditKey,
  type AuditResult,
  type AuditRow,
  chainHeadKey,
  HOUR_MS,
  type Link,
} from "./row.ts";
import { type ChainReport, newestLink, verifyChain } from "./verify.ts";
import { type AuditPage, type AuditQuery, searchAudit } from "./search.ts";

/** Where a request came from. The IP is stored in a separate row, with the retention of visitors' IPs. */
export interface From {
  ip?: string | undefined;
  device?: string | undefined;
}

/** Completes the entry of an action that has begun. */
export interface EndEntry {
  /** Records the result, and what was changed. */
  (result: Exclude<AuditResult, "started">, changes?: readonly AuditChange[]): Promise<void>;
  /** Adds the changes, with the result `done`, to the commit that makes them, so that no change is missing in the log. */
  within(tx: AtomicOperation, changes: readonly AuditChange[]): void;
}

/** The log of who did what. Rows are added and get their result once; they are never removed. */
export interface Audit {
  /** Returns the HMAC under which the log stores an address or the name of a thing. */
  target(text: string): string;
  /** Records an action before it starts. */
  begin(
    entry: { who: string; action: AuditKind; target?: string | undefined; from?: From | undefined },
  ): Promise<EndEntry>;
  /**
   * Counts a frequent action in one row per actor, action, result and hour, so that nobody can flood the log.
   *
   * @param by number to add; 1 by default
   */
  count(
    entry: { who: string; action: AuditKind; result: "done" | "refused"; by?: number; from?: From },
  ): Promise<void>;
  /**
   * Returns a page of the matching rows, newest first.
   *
   * @param options.before the cursor from the previous page
   * @throws {BadAuditCursor}
   */
  list(query?: AuditQuery, options?: { before?: string | undefined; limit?: number }): Promise<AuditPage>;
  /** Verifies the chain of the whole log; see `verifyChain`. */
  verify(expected?: Link): Promise<ChainReport>;
}

const kindName = (kind: AuditKind) => typeof kind === "string" ? kind : kind.name;

export function createAudit(
  { kv, clock, random, keyring }: { kv: Kv; clock: Clock; random: Random; keyring: Keyring },
): Audit {
  const hash = (text: string) => keyring.identify("cfbe/audit", text);
  const chainHash = (text: string) => keyring.identify("cfbe/audit-chain", text);
  const putIp = (tx: AtomicOperation, at: number, id: string, from: From | undefined) => {
    if (from?.ip) tx.set(auditIpKey(at, id), { v: 1, ip: from.ip } satisfies AuditIpRow);
    return tx;
  };

  /** Adds an entry to the chain. Processes that add one at the same time do it one after the other. */
  async function append(
    row: AuditRow,
    id: string,
    write: (tx: AtomicOperation, link: Link) => void,
  ): Promise<Link> {
    const entry = hashOfEntry(chainHash, { ...row, id });
    const appended = async (found?: Link) =>
      await cas(kv, { head: chainHeadKey() }, ({ head }): Decision<Link | undefined> => {
        const before = head.value ?? found;
        if (!before) return { value: undefined };
        const link = linkAfter(chainHash, before, entry);
        return { value: link, write: (tx) => write(tx.set(chainHeadKey(), link), link) };
      }, { clock, random });
    return await appended() ?? (await appended(await newestLink(kv)))!;
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
        action: kindName(action),
        result: "started",
        ...(target && { target }),
        ...(from?.device && { device: from.device }),
      };
      const chain = await append(row, id, (tx, chain) => putIp(tx.set(key, { ...row, chain }), at, id, from));
      const ended = (stored: AuditRow): AuditRow => ({
        ...stored,
        chain,
        seal: sealOf(chainHash, chain, stored),
      });
      const end = async (result: AuditResult, changes: readonly AuditChange[] = []) => {
        // The commit of the action may have added its changes.
        const stored = await readRow(kv, key) ?? row;
        await kv.set(key, ended({ ...stored, result, ...storedChanges(changes) }));
      };
      return Object.assign(end, {
        within(tx: AtomicOperation, changes: readonly AuditChange[]) {
          tx.set(key, ended({ ...row, result: "done", ...storedChanges(changes) }));
        },
      });
    },
    async count({ who, action: kind, result, by = 1, from }) {
      const action = kindName(kind);
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
    list: (query = {}, options) => searchAudit(kv, query, options),
    verify: (expected) => verifyChain({ kv, hash: chainHash }, expected),
  };
}
