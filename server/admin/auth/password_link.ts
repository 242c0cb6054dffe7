import type { OtherKind } from "../../platform/audit/kinds.ts";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { Role } from "./capability.ts";
import { linkHash } from "./link_token.ts";

const HOUR_MS = 60 * 60 * 1000;

export const PASSWORD_LINK_KINDS = ["invitation", "reset"] as const;

/** An invitation creates a user. A reset gives an existing user another password or, while passwords are off, a passkey. */
export type PasswordLinkKind = typeof PASSWORD_LINK_KINDS[number];

/** What the audit log says of using a link. */
export const AUDITED_LINK = {
  invitation: "cfbe_accept_invitation",
  reset: "cfbe_use_reset_link",
} as const satisfies Record<PasswordLinkKind, OtherKind>;

/** How long a link works. A reset gives access to an account that exists already, so it is shorter. */
export const PASSWORD_LINK_MS: Record<PasswordLinkKind, number> = {
  invitation: 72 * HOUR_MS,
  reset: 24 * HOUR_MS,
};

/** The page that each kind of link opens. Its path in the admin. */
export const PASSWORD_LINK_PATHS: Record<PasswordLinkKind, string> = {
  invitation: "/invitation",
  reset: "/new-password",
};

/** A link with which someone chooses a password, once. */
export interface PasswordLink {
  kind: PasswordLinkKind;
  /** Name of the user, or of the future one. No two links have the same. */
  name: string;
  role: Role;
  /** Who created it: a user's name, `API token` or `command line`. */
  by: string;
  expiresAt: number;
}

/** A link as stored: with a hash, never with the link itself. */
export interface PasswordLinkRow extends PasswordLink {
  hash: string;
}

/** Returns the links that have not expired. */
export function openLinks(links: readonly PasswordLinkRow[] = [], now: number): PasswordLinkRow[] {
  return links.filter(({ kind, expiresAt }) =>
    now < expiresAt && !isFarAhead(expiresAt, now, PASSWORD_LINK_MS[kind])
  );
}

/** Returns the link that a token belongs to, unless it has expired. */
export function linkOfToken(
  links: readonly PasswordLinkRow[] | undefined,
  token: string,
  now: number,
): PasswordLinkRow | undefined {
  const hash = linkHash(token);
  return openLinks(links, now).find((link) => secretsEqual(hash, link.hash));
}
