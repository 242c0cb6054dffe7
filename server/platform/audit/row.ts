import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { AuditChange } from "./changes.ts";

/** The results of an action. `started` remains if the process died during the action. */
export const AUDIT_RESULTS = ["started", "done", "refused", "failed"] as const;
export type AuditResult = typeof AUDIT_RESULTS[number];

/** An action in the admin or on the command line. It contains no address, because it outlives every record. */
export interface AuditRow {
  v: 1;
  at: number;
  /** The user's name, `API token` with its name and ID, `command line`, or the name given in a failed sign-in. */
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
  /** What the action changed. Rows from earlier versions have none. */
  changes?: AuditChange[];
  /** Number of further changes, which are not stored. */
  otherChanges?: number;
  /** Rows that summarize an hour, and those from earlier versions, have none. */
  chain?: Link;
  /** The hash of the result; see `sealOf`. */
  seal?: string;
}

/** An entry's place in the chain of the log; see `chain.ts`. */
export interface Link {
  /** 1 for the first entry. */
  n: number;
  hash: string;
}

/** The IP of a row. It is stored separately, because it is deleted after the retention of visitors' IPs. */
export interface AuditIpRow {
  v: 1;
  ip: string;
}

export const HOUR_MS = 60 * 60 * 1000;

export const auditKey = (at: number, id: string): Key<AuditRow> => typed(keys.audit(at, id));
export const auditIpKey = (at: number, id: string): Key<AuditIpRow> => typed(keys.auditIp(at, id));
/** The newest link of the chain; absent in a restored database until the next entry. */
export const chainHeadKey = (): Key<Link> => typed(keys.auditHead());
