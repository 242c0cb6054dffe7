import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Clock, Random } from "../../deps.ts";
import { keys } from "../../kv/keys.ts";
import type { User, Users } from "./users.ts";

/** An open session and its user. */
export interface Session {
  /** SHA-256 of the cookie's value. Part of nonces. */
  id: string;
  user: User;
}

interface SessionRow {
  v: 1;
  user: string;
  /** `User.credential` when the session was opened. Another password ends the session. */
  credential: string;
  createdAt: number;
  seenAt: number;
}

const SECRET_BYTES = 32;
const SESSION_IDLE_MS = 8 * 60 * 60 * 1000;
export const SESSION_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** `seenAt` is updated at most this often. */
const SEEN_EVERY_MS = 60_000;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(
  { kv, clock, random, users }: { kv: Deno.Kv; clock: Clock; random: Random; users: Users },
) {
  const idOf = (secret: string) => createHash("sha256").update(secret, "utf8").digest("base64url");

  return {
    /** Opens a session. @returns the cookie's value, which is not stored */
    async open(user: User): Promise<string> {
      const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url");
      const now = clock.now();
      const row: SessionRow = {
        v: 1,
        user: user.name,
        credential: user.credential,
        createdAt: now,
        seenAt: now,
      };
      await kv.set(keys.adminSession(idOf(secret)), row, { expireIn: SESSION_MAX_AGE_MS });
      return secret;
    },
    /** Returns the open session for a cookie's value, or undefined. */
    async find(secret: string | undefined): Promise<Session | undefined> {
      if (!secret || secret.length > 100) return undefined;
      const id = idOf(secret);
      const entry = await kv.get<SessionRow>(keys.adminSession(id));
      const row = entry.value;
      const now = clock.now();
      if (!row || now - row.seenAt >= SESSION_IDLE_MS || now - row.createdAt >= SESSION_MAX_AGE_MS) {
        return undefined;
      }
      const user = await users.find(row.user);
      // Not timing-sensitive: both values are stored, and the session was found by its hash.
      if (!user || user.credential !== row.credential) return undefined;
      if (now - row.seenAt >= SEEN_EVERY_MS) {
        // The check prevents reopening a session that is closed meanwhile.
        await kv.atomic().check(entry).set(keys.adminSession(id), { ...row, seenAt: now }, {
          expireIn: row.createdAt + SESSION_MAX_AGE_MS - now,
        }).commit();
      }
      return { id, user };
    },
    close: (id: string) => kv.delete(keys.adminSession(id)),
  };
}
