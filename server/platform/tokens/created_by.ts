import { nameOf } from "../audit/actor_name.ts";
import type { ListedToken } from "./store.ts";

/**
 * Returns the tokens that still work and that a user has created, also with one of these tokens, by name. Those of connected
 * sites are left out: they end with the site.
 *
 * @param name the user's, as in the audit log
 */
export function createdBy(tokens: readonly ListedToken[], name: string): ListedToken[] {
  return withDescendants(tokens, name).filter(({ isExpired, site }) => !isExpired && site === undefined)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function withDescendants(tokens: readonly ListedToken[], name: string): ListedToken[] {
  return tokens.filter(({ by }) => by === name).flatMap((token) => [
    token,
    ...withDescendants(tokens, nameOf({ kind: "token", token })),
  ]);
}

/** Returns whether a token can do everything, so that whoever has it can let themselves in again. */
export const isAdminToken = ({ scopes }: Pick<ListedToken, "scopes">): boolean => scopes.includes("admin");

/** Returns which of a user's tokens are revoked when the user is removed, and which keep working. */
export const atRemoval = (
  tokens: readonly ListedToken[],
): { revoked: ListedToken[]; kept: ListedToken[] } => ({
  revoked: tokens.filter(isAdminToken),
  kept: tokens.filter((token) => !isAdminToken(token)),
});

/** Returns the names of tokens in a sentence. */
export const tokenNames = (tokens: readonly Pick<ListedToken, "name">[]): string =>
  tokens.map(({ name }) => name).join(", ");
