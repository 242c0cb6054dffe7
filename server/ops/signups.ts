import { Buffer } from "node:buffer";
import { LOCAL_STATUSES, type LocalStatus } from "../../shared/outcomes.ts";
import { keys } from "../kv/keys.ts";
import type { SignupRecord } from "../signup/record.ts";

export interface SignupQuery {
  status?: LocalStatus | undefined;
  list?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** A page of signups; `after` leads to the next one, and is missing on the last. */
export interface SignupPage {
  signups: SignupRecord[];
  after?: string;
}

/**
 * Signups by status, list and the time since when they have it, oldest first.
 *
 * @throws {TypeError} when `after` did not come from here
 */
export async function listSignups(kv: Deno.Kv, query: SignupQuery): Promise<SignupPage> {
  const signups: SignupRecord[] = [];
  const from = query.after === undefined ? undefined : placeOf(query.after);
  const statuses = query.status ? [query.status] : LOCAL_STATUSES;
  for (const status of statuses.slice(from ? statuses.indexOf(from[0]) : 0)) {
    const prefix = query.list === undefined ? keys.byStatusAll(status) : keys.byStatusOn(status, query.list);
    // A key comes before its own continuations: this is the place right behind it.
    const start = from?.[0] === status ? [...keys.byStatus(...from), false] : undefined;
    for await (const { key } of kv.list(start ? { prefix, start } : { prefix })) {
      const [list, since, email] = key.slice(-3) as [string, number, string];
      const { value } = await kv.get<SignupRecord>(keys.signup(email, list));
      // Between the index and the record, it may have moved on.
      if (value?.status !== status) continue;
      signups.push(value);
      if (signups.length === query.limit) return { signups, after: cursorOf(status, list, since, email) };
    }
  }
  return { signups };
}

type Place = [LocalStatus, string, number, string];

function cursorOf(...place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function placeOf(cursor: string): Place {
  try {
    const place = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const [status, list, since, email] = place;
    if (
      LOCAL_STATUSES.includes(status) && typeof list === "string" && typeof since === "number" &&
      typeof email === "string"
    ) return [status, list, since, email];
  } catch {
    // Told below.
  }
  throw new TypeError("not a place in a list of signups");
}
