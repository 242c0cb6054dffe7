import type { Clock, Log, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { readRow } from "../kv/key.ts";
import type { Kv } from "../kv/port.ts";
import { plausibleTime } from "../stored_time.ts";
import {
  emptyTokens,
  isExpired,
  type StoredToken,
  tokenPresented,
  type TokenRefused,
  tokensKey,
  tokenUseKey,
  type TokenUseRow,
  usableToken,
  withoutToken,
  withToken,
} from "./row.ts";
import { hashOf, idIn, newSecret } from "./secret.ts";

/** A token as it is listed, without its hash. */
export interface ListedToken extends Omit<StoredToken, "hash"> {
  id: string;
  isExpired: boolean;
  /** When it was last used, up to a minute too early; absent if never. */
  usedAt?: number;
}

/** A valid token that a request presented. */
export interface KnownToken {
  id: string;
  name: string;
  scopes: readonly string[];
  expiresAt?: number;
}

export interface ApiTokens {
  /**
   * Adds a token.
   *
   * @returns the token, which is not stored and cannot be shown again; or why none was added
   */
  add(
    token: Pick<StoredToken, "name" | "scopes" | "by" | "expiresAt">,
  ): Promise<{ id: string; token: string } | TokenRefused>;
  /** Revokes a token, in every process at once. @returns what it was; undefined if there is none with this ID */
  revoke(id: string): Promise<Pick<StoredToken, "name" | "scopes"> | undefined>;
  /** Returns all tokens, also expired ones, the newest first. */
  list(): Promise<ListedToken[]>;
  /** Returns the token that a request presents, and notes its use in memory; undefined if it is not valid now. */
  use(presented: string): Promise<KnownToken | undefined>;
  /** Returns the hash of a valid token, for a proof that both sides know it. */
  hashOf(id: string): Promise<string | undefined>;
  /** Writes when tokens were last used. Keeps it for the next time if that fails; never rejects. */
  flush(): Promise<void>;
}

const MINUTE_MS = 60_000;

/**
 * Creates the store of API tokens. Every request with one reads the row, so that a token that is revoked or expires in
 * one process is refused by all of them from then on. When it was used is written once a minute, not by the request.
 */
export function createApiTokens(
  { kv, clock, random, log }: { kv: Kv; clock: Clock; random: Random; log: Log },
): ApiTokens {
  /** Times of uses that are not written yet, by ID, in whole minutes. */
  const used = new Map<string, number>();
  /** The times that this process has written. */
  const written = new Map<string, number>();

  const read = async () => await readRow(kv, tokensKey()) ?? emptyTokens();

  /** Writes a use, unless the token was revoked or a later use is stored. */
  function writeUse(id: string, at: number): Promise<void> {
    return cas(kv, { tokens: tokensKey(), use: tokenUseKey(id) }, ({ tokens, use }): Decision<void> => {
      const isKnown = tokens.value !== null && Object.hasOwn(tokens.value.tokens, id);
      const stored = use.value && plausibleTime(use.value.at, clock.now());
      if (!isKnown || (stored ?? 0) >= at) return { value: undefined };
      return { value: undefined, write: (tx) => tx.set(tokenUseKey(id), { v: 1, at } satisfies TokenUseRow) };
    }, { clock, random });
  }

  /** Returns when some tokens were last used, as far as known. */
  async function usesOf(ids: readonly string[]): Promise<(number | undefined)[]> {
    if (ids.length === 0) return [];
    const now = clock.now();
    const { uses } = await readEntries(kv, { uses: ids.map(tokenUseKey) });
    return uses.map(({ value }, index) => {
      const at = Math.max(used.get(ids[index]!) ?? 0, value ? plausibleTime(value.at, now) : 0);
      return at > 0 ? at : undefined;
    });
  }

  return {
    add({ name, scopes, by, expiresAt }) {
      const { id, token } = newSecret(random);
      const stored: StoredToken = {
        name,
        hash: hashOf(token),
        scopes,
        by,
        createdAt: clock.now(),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      return cas(
        kv,
        { tokens: tokensKey() },
        ({ tokens }): Decision<{ id: string; token: string } | TokenRefused> => {
          const next = withToken(tokens.value ?? emptyTokens(), id, stored);
          if (typeof next === "string") return { value: next };
          return { value: { id, token }, write: (tx) => tx.set(tokensKey(), next) };
        },
        { clock, random },
      );
    },
    async revoke(id) {
      const revoked = await cas(
        kv,
        { tokens: tokensKey() },
        ({ tokens }): Decision<StoredToken | undefined> => {
          const row = tokens.value ?? emptyTokens();
          const next = withoutToken(row, id);
          if (!next) return { value: undefined };
          return { value: row.tokens[id], write: (tx) => tx.set(tokensKey(), next).delete(tokenUseKey(id)) };
        },
        { clock, random },
      );
      used.delete(id);
      written.delete(id);
      return revoked;
    },
    async list() {
      const { tokens } = await read();
      const uses = await usesOf(Object.keys(tokens));
      const now = clock.now();
      return Object.entries(tokens).map(([id, { hash: _, ...stored }], index) => {
        const usedAt = uses[index];
        return { id, ...stored, isExpired: isExpired(stored, now), ...(usedAt !== undefined && { usedAt }) };
      }).sort((a, b) => b.createdAt - a.createdAt);
    },
    async use(presented) {
      // Most other tokens are that of the environment, or wrong: they cost no read.
      if (idIn(presented) === undefined) return undefined;
      const now = clock.now();
      const found = tokenPresented(await read(), presented, now);
      if (!found) return undefined;
      const { id, stored: { name, scopes, expiresAt } } = found;
      used.set(id, Math.floor(now / MINUTE_MS) * MINUTE_MS);
      return { id, name, scopes, ...(expiresAt !== undefined && { expiresAt }) };
    },
    async hashOf(id) {
      return usableToken(await read(), id, clock.now())?.hash;
    },
    async flush() {
      for (const [id, at] of [...used]) {
        try {
          if (written.get(id) !== at) await writeUse(id, at);
          written.set(id, at);
          // A later use may have been noted meanwhile.
          if (used.get(id) === at) used.delete(id);
        } catch (error) {
          log.error("api_tokens.use_not_written", { error });
        }
      }
    },
  };
}
