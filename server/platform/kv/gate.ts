import type { AtomicCheck, KvEntryMaybe } from "./port.ts";
import { keys } from "./keys.ts";

/**
 * The gate of a database: one row that says whether it is being moved to another database. Every commit checks it
 * (`withGate`), so that a process can't miss a move, however long it slept.
 *
 * - `copying`: commits also note which rows they change (`keys.moveChange`).
 * - `closing`: commits are refused while the last changes are copied.
 * - `moved`: commits are refused forever, because another database has taken over. This is the moment of the move.
 * - `receiving`: the database is the new one, and is not complete yet. Only the move writes to it.
 *
 * Without a move, commits are made as usual.
 */
export interface Gate {
  v: 1;
  phase: "copying" | "closing" | "moved" | "receiving";
  /** The same in both databases. */
  id: string;
  /** The new database, for people: without a password. */
  to: string;
  /** The address of the new database, encrypted. */
  sealed: string;
  /** When the move began, in Unix milliseconds. */
  at: number;
}

/**
 * What ends a move that was canceled, or is complete. The row stays, because a call that slept could otherwise mistake the
 * database for one that no move has touched.
 */
export const OPEN_GATE = { v: 1, phase: "open" } as const;

/** The gate as it was read. */
export interface SeenGate {
  /** Undefined if there is no move. */
  row: Gate | undefined;
  check: AtomicCheck;
}

/** A commit was refused because the database is being moved, or was. */
export class DatabaseMoved extends Error {
  override readonly name = "DatabaseMoved";
  constructor(readonly gate: Gate) {
    super(textOf(gate));
  }
}

function textOf({ phase, to }: Gate): string {
  if (phase === "moved") return `the data has moved to ${to}`;
  return phase === "closing"
    ? `the database is being moved to ${to}, which takes a few seconds`
    : "the database is incomplete: a move to it has not ended";
}

/** What a commit has changed: the bytes of keys in base64, or so many that a move has to compare all rows. */
export type ChangeRow = string[] | "many";

/** Returns the gate from its entry, whose value is stored as JSON or already decoded. */
export function gateOf({ value, versionstamp }: KvEntryMaybe<unknown>): SeenGate {
  const row = value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(value)) : value;
  return {
    row: !row || row.phase === OPEN_GATE.phase ? undefined : row,
    check: { key: keys.move(), versionstamp },
  };
}
