import { z } from "zod";
import { oneLineText } from "../../../shared/fields/plain_text.ts";
import { secretsEqual } from "../keys/keyring.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { hashOf, idIn } from "./secret.ts";
import type { UseRow } from "./uses.ts";

/** A stored API token. Members and scopes of newer versions stay as they are. */
export interface StoredToken {
  name: string;
  hash: string;
  scopes: string[];
  /** Who created it, as in the audit log. */
  by: string;
  /** Times are Unix milliseconds. */
  createdAt: number;
  /** When it stops working; absent if never. */
  expiresAt?: number;
  /** ID of the connected site that it belongs to, and with which it is revoked; see `sites/row.ts`. */
  site?: string;
}

/** All API tokens by ID, in one row, so that one commit checks names and their number. */
export interface TokensRow {
  v: 1;
  tokens: Record<string, StoredToken>;
}

export const tokensKey = (): Key<TokensRow> => typed(keys.apiTokens());
export const tokenUseKey = (id: string): Key<UseRow> => typed(keys.apiTokenUse(id));

export const emptyTokens = (): TokensRow => ({ v: 1, tokens: {} });

/** A row holds 64 KiB. */
const MAX_TOKENS = 100;
const MAX_NAME_CHARACTERS = 60;

/** Letters and digits of any script. Nothing that a page, a terminal or a spreadsheet reads as more than text. */
const NAME =
  /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}])?$/u;

export const TokenName = z.string().transform((text) => oneLineText(text) ?? "").pipe(
  z.string()
    .regex(
      NAME,
      "must be letters, digits, spaces, dots, hyphens or underscores, and begin and end with a letter or digit",
    )
    .max(MAX_NAME_CHARACTERS, `must be ${MAX_NAME_CHARACTERS} characters or less`),
);

/** Why a token was not added. */
export type TokenRefused = "exists" | "too-many";

/** Returns the row with a new token, or why there can be none. */
export function withToken(
  row: TokensRow,
  id: string,
  token: StoredToken,
): TokensRow | TokenRefused {
  const all = Object.values(row.tokens);
  const folded = (name: string) => name.normalize("NFKC").toLowerCase();
  if (all.some(({ name }) => folded(name) === folded(token.name))) return "exists";
  if (all.length >= MAX_TOKENS) return "too-many";
  return { ...row, tokens: { ...row.tokens, [id]: token } };
}

/** Returns the row without a token; undefined if there is none with this ID. */
export function withoutToken(row: TokensRow, id: string): TokensRow | undefined {
  if (!Object.hasOwn(row.tokens, id)) return undefined;
  const { [id]: _, ...tokens } = row.tokens;
  return { ...row, tokens };
}

/** Returns whether a token has expired. */
export function isExpired({ expiresAt }: Pick<StoredToken, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/** Returns the stored token with an ID, unless it has expired. */
export function usableToken(row: TokensRow, id: string | undefined, now: number): StoredToken | undefined {
  const stored = id !== undefined && Object.hasOwn(row.tokens, id) ? row.tokens[id] : undefined;
  return stored && !isExpired(stored, now) ? stored : undefined;
}

/**
 * Returns the ID and the stored token of a presented one. The comparison takes the same time for an unknown ID, an
 * expired token and a wrong secret.
 */
export function tokenPresented(
  row: TokensRow,
  presented: string,
  now: number,
): { id: string; stored: StoredToken } | undefined {
  const id = idIn(presented);
  const stored = usableToken(row, id, now);
  const isRight = secretsEqual(hashOf(presented), stored?.hash);
  return id !== undefined && stored && isRight ? { id, stored } : undefined;
}
