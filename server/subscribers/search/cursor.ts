import { Buffer } from "node:buffer";
import { z } from "zod";

/** The end of a page of results, encoded for a link. A decoded cursor is untrusted input. */

/** A position in results by time, newest first. */
const Newest = z.tuple([z.literal("n"), z.number().int(), z.string().max(254), z.string().max(200)]);
/** A position in results by address. */
const Address = z.tuple([z.literal("a"), z.string().max(254), z.string().max(200)]);
const Cursor = z.union([Newest, Address]);
export type Cursor = z.output<typeof Cursor>;

/** Thrown for an invalid cursor, and for one of a search in another order. */
export class BadCursor extends Error {
  override readonly name = "BadCursor";
  constructor() {
    super("This page link is not valid. Start the search again.");
  }
}

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** @throws {BadCursor} */
export function decodeCursor<K extends Cursor[0]>(text: string, kind: K): Extract<Cursor, [K, ...unknown[]]> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text.slice(0, 2000), "base64url").toString());
  } catch {
    throw new BadCursor();
  }
  const cursor = Cursor.safeParse(parsed).data;
  if (cursor?.[0] !== kind || !cursor.every((part) => typeof part !== "string" || part.isWellFormed())) {
    throw new BadCursor();
  }
  return cursor as Extract<Cursor, [K, ...unknown[]]>;
}
