import type { OidcConfig } from "../../../platform/config/config.ts";
import type { Role } from "../capability.ts";
import type { Claims } from "./client.ts";

/** Returns the role of somebody whose verified address is at one of the domains; undefined for everybody else. */
export function roleByDomain(
  { domains, role }: OidcConfig,
  { email, emailVerified }: Claims,
): Role | undefined {
  const domain = /^[^@\s]+@([^@\s]+)$/.exec(email ?? "")?.[1]?.toLowerCase();
  return emailVerified && domain !== undefined && domains.includes(domain) ? role as Role : undefined;
}

/** Returns the role that the values of a claim give: that of the first match; undefined without one. */
export function roleByClaim(
  { roles }: Pick<OidcConfig, "roles">,
  { groups }: Pick<Claims, "groups">,
): Role | undefined {
  return roles.find(({ value }) => groups.includes(value))?.role as Role | undefined;
}

/** Returns a user name that is free, such as `grace.hopper` for `Grace.Hopper@news.example`. */
export function nameFromEmail(email: string, taken: ReadonlySet<string>): string {
  const local = email.slice(0, email.lastIndexOf("@")).toLowerCase();
  const plain = local.replaceAll(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+/, "").slice(0, 36);
  const name = plain.length < 2 ? `user-${plain}`.replace(/-$/, "") : plain;
  for (let number = 1;; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(free)) return free;
  }
}
