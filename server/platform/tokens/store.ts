import type { Clock, Log, Random } from "../deps.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import type { Kv } from "../kv/port.ts";
import {
  emptyTokens,
  isExpired,
  type StoredToken,
  tokenPresented,
  type TokenRefused,
  tokensKey,
  type TokensRow,
  tokenUseKey,
  usableToken,
  withoutToken,
  withToken,
} from "./row.ts";
import { hashOf, idIn, newSecret } from "./secret.ts";
import { createUses } from "./uses.ts";

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
  /** ID of the connected site that it belongs to. */
  site?: string;
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
  /** Returns when each token was last used; undefined if never. */
  usesOf(ids: readonly string[]): Promise<(number | undefined)[]>;
  /** Returns the hash of a valid token, for a proof that both sides know it. */
  hashOf(id: string): Promise<string | undefined>;
  /** Writes when tokens were last used. Keeps it for the next time if that fails; never rejects. */
  flush(): Promise<void>;
}

/**
 * Creates the store of API tokens. Every request with one reads the row, so that a token that is revoked or expires in
 * one process is refused by all of them from then on. When it was used is written once a minute, not by the request.
 */
export function createApiTokens(
  { kv, clock, random, log }: { kv: Kv; clock: Clock; random: Random; log: Log },
): ApiTokens {
  const uses = createUses<TokensRow>({ kv, clock, random, log }, {
    parent: tokensKey(),
    lists: ({ tokens }, id) => Object.hasOwn(tokens, id),
    key: tokenUseKey,
    failed: "api_tokens.use_not_written",
  });

  const read = async () => await readRow(kv, tokensKey()) ?? emptyTokens();

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
      uses.forget(id);
      return revoked;
    },
    async list() {
      const { tokens } = await read();
      const usedAts = await uses.of(Object.keys(tokens));
      const now = clock.now();
      return Object.entries(tokens).map(([id, { hash: _, ...stored }], index) => {
        const usedAt = usedAts[index];
        return { id, ...stored, isExpired: isExpired(stored, now), ...(usedAt !== undefined && { usedAt }) };
      }).sort((a, b) => b.createdAt - a.createdAt);
    },
    async use(presented) {
      // Most other tokens are that of the environment, or wrong: they cost no read.
      if (idIn(presented) === undefined) return undefined;
      const now = clock.now();
      const found = tokenPresented(await read(), presented, now);
      if (!found) return undefined;
      const { id, stored: { name, scopes, expiresAt, site } } = found;
      uses.note(id);
      return {
        id,
        name,
        scopes,
        ...(expiresAt !== undefined && { expiresAt }),
        ...(site !== undefined && { site }),
      };
    },
    async hashOf(id) {
      return usableToken(await read(), id, clock.now())?.hash;
    },
    usesOf: uses.of,
    flush: uses.flush,
  };
}
