import { Buffer } from "node:buffer";
import type { Clock, Random } from "../../platform/deps.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { ProvedBy } from "./proved.ts";
import type { User, Users } from "./users.ts";
import { sha256 } from "../../platform/keys/sha256.ts";

/** An open session and its user. */
export interface Session {
  /** SHA-256 of the cookie's value. Part of nonces. */
  id: string;
  user: User;
  /** When the user last proved who they are: signing in, or in `confirmUser`. */
  provedAt: number;
  /** With what they did. */
  provedBy: ProvedBy;
}

/** What a session shows its user about the browser that opened it. */
export interface SessionClient {
  /** Such as `Firefox on Windows`. */
  browser: string;
  /** The network of its IP; see `networkOf`. */
  network: string;
}

/** A session as shown to its user. Sessions from earlier versions have no browser and no network. */
export interface OpenSession extends Partial<SessionClient> {
  id: string;
  /** When the user signed in. */
  createdAt: number;
  /** When it was last used, up to five minutes too early. */
  seenAt: number;
}

interface SessionRow extends Partial<SessionClient> {
  v: 1;
  user: string;
  /** `User.credential` when the session was opened. Another password ends the session. */
  credential: string;
  createdAt: number;
  seenAt: number;
  /** When the user has confirmed who they are; absent until then. 0 if signing in has not proved who it was. */
  provedAt?: number;
  /** Absent for a password. */
  provedBy?: Exclude<ProvedBy, "password">;
}

const sessionKey = (id: string): Key<SessionRow> => typed(keys.adminSession(id));

const SECRET_BYTES = 32;
const SESSION_IDLE_MS = 8 * 60 * 60 * 1000;
export const SESSION_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * `seenAt` is updated at most this often: each update is a commit, and an idle time of hours needs no more precision.
 */
const SEEN_EVERY_MS = 5 * 60_000;
/** Deno KV accepts 1,000 mutations in a commit. */
const MAX_DELETIONS = 500;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(
  { kv, clock, random, users }: { kv: Kv; clock: Clock; random: Random; users: Users },
) {
  const isOver = ({ seenAt, createdAt }: SessionRow, now: number) =>
    now - seenAt >= SESSION_IDLE_MS || now - createdAt >= SESSION_MAX_AGE_MS ||
    // From a clock that was ahead: it would be open for that much longer.
    isFarAhead(Math.max(seenAt, createdAt), now);
  /** Returns how long to keep a row that is used now. */
  const expiry = (createdAt: number, now: number) => ({
    expireIn: Math.min(SESSION_IDLE_MS, createdAt + SESSION_MAX_AGE_MS - now),
  });

  /** Returns the row's user, unless they were removed or have another password since. */
  function userOf(row: SessionRow, user: User | undefined): User | undefined {
    // Not timing-sensitive: both values are stored, and the session was found by its hash.
    return user?.credential === row.credential ? user : undefined;
  }

  return {
    /**
     * Opens a session.
     *
     * @param proof with what the user has just proved who they are; `none` if only the browser did
     * @returns the cookie's value, which is not stored
     */
    async open(
      user: User,
      client: Partial<SessionClient> = {},
      proof: ProvedBy | "none" = "password",
    ): Promise<string> {
      const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url");
      const now = clock.now();
      const row: SessionRow = {
        v: 1,
        user: user.name,
        credential: user.credential,
        createdAt: now,
        seenAt: now,
        ...(proof === "none" ? { provedAt: 0 } : proof !== "password" && { provedBy: proof }),
        ...client,
      };
      await kv.set(keys.adminSession(sha256(secret)), row, expiry(now, now));
      return secret;
    },
    /** Returns the open session for a cookie's value, or undefined. */
    async find(secret: string | undefined): Promise<Session | undefined> {
      if (!secret || secret.length > 100) return undefined;
      const id = sha256(secret);
      const entry = await kv.get<SessionRow>(keys.adminSession(id));
      const row = entry.value;
      const now = clock.now();
      if (!row || isOver(row, now)) return undefined;
      const user = userOf(row, await users.find(row.user));
      if (!user) return undefined;
      if (now - row.seenAt >= SEEN_EVERY_MS) {
        // The check prevents reopening a session that is closed meanwhile.
        await kv.atomic().check(entry)
          .set(keys.adminSession(id), { ...row, seenAt: now }, expiry(row.createdAt, now)).commit();
      }
      return { id, user, provedAt: row.provedAt ?? row.createdAt, provedBy: row.provedBy ?? "password" };
    },
    /** Remembers that the user has proved who they are now. @returns false if the session has ended meanwhile */
    async prove(id: string, now: number, proof: ProvedBy = "password"): Promise<boolean> {
      return await cas(kv, { session: sessionKey(id) }, ({ session }): Decision<boolean> => {
        const row = session.value;
        if (!row || isOver(row, now)) return { value: false };
        const { provedBy: _, ...before } = row;
        const proved = {
          ...before,
          seenAt: now,
          provedAt: now,
          ...(proof !== "password" && { provedBy: proof }),
        };
        return {
          value: true,
          write: (tx) => tx.set(sessionKey(id), proved, expiry(row.createdAt, now)),
        };
      }, { clock, random });
    },
    /** Returns the open sessions of every user who has any, the last used one first. */
    async byUser(): Promise<Map<string, OpenSession[]>> {
      const known = new Map((await users.list()).map((user) => [user.name, user]));
      const now = clock.now();
      const open: { user: string; session: OpenSession }[] = [];
      for await (const { key, value } of kv.list<SessionRow>({ prefix: keys.adminSessionAll() })) {
        if (isOver(value, now) || !userOf(value, known.get(value.user))) continue;
        const { v: _, user, credential: __, provedAt: ___, provedBy: ____, ...shown } = value;
        open.push({ user, session: { id: String(key.at(-1)), ...shown } });
      }
      open.sort((a, b) => b.session.seenAt - a.session.seenAt);
      const all = Map.groupBy(open, ({ user }) => user);
      return new Map([...all].map(([name, found]) => [name, found.map(({ session }) => session)]));
    },
    close: (id: string) => kv.delete(keys.adminSession(id)),
    /** Closes a session of this user. @returns false if the user has no such session */
    async closeOwn(name: string, id: string): Promise<boolean> {
      const entry = await kv.get<SessionRow>(keys.adminSession(id));
      if (entry.value?.user !== name) return false;
      await kv.delete(keys.adminSession(id));
      return true;
    },
    /** Closes all sessions of a user. @param except ID of a session that stays open */
    async closeAll(name: string, except?: string): Promise<void> {
      const rows = await Array.fromAsync(kv.list<SessionRow>({ prefix: keys.adminSessionAll() }));
      const found = rows.filter(({ key, value }) => value.user === name && key.at(-1) !== except);
      for (let from = 0; from < found.length; from += MAX_DELETIONS) {
        const tx = kv.atomic();
        for (const { key } of found.slice(from, from + MAX_DELETIONS)) tx.delete(key);
        await tx.commit();
      }
    },
  };
}
