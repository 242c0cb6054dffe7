import type { Scope } from "../scopes.ts";
import type { TokensRow } from "../row.ts";
import type { UseRow } from "../uses.ts";
import { type Key, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";

/** What an admin has agreed to for a site besides forms, which every site may have. */
const SITE_MODULES = ["checkout", "carts"] as const;
export type SiteModule = typeof SITE_MODULES[number];

/** A site that signs with a key of its own. Members of newer versions stay as they are. */
export interface StoredSite {
  /** What the site calls itself; may be empty. */
  name: string;
  /** URL of its home page; see `siteUrl`. */
  url: string;
  /** Who agreed, as in the audit log. */
  by: string;
  /** Times are Unix milliseconds. */
  createdAt: number;
  scopes: Scope[];
  modules: SiteModule[];
  purgeUrl?: string;
  /** ID of its API token. */
  tokenId: string;
  /** Hash of the code with which it collected its keys last; absent if it was added by hand. */
  code?: string;
  revokedAt?: number;
  revokedBy?: string;
  /** When a revoked site was last used, as known then. Absent if never; a connected site's is in rows of its own. */
  usedAt?: number;
}

/** All sites by ID, in one row, so that one commit checks their number. */
export interface SitesRow {
  v: 1;
  sites: Record<string, StoredSite>;
}

/** What an admin has agreed to, until the site collects it with the code. */
export interface SiteGrantRow extends Omit<StoredSite, "tokenId" | "createdAt" | "code"> {
  v: 1;
  /** The site's ID, unless one with this URL is connected already. */
  site: string;
  challenge: string;
  redirectUri: string;
  until: number;
  /** ID of the site that has collected it. */
  collected?: string;
}

export const sitesKey = (): Key<SitesRow> => typed(keys.sites());
export const siteUseKey = (id: string): Key<UseRow> => typed(keys.siteUse(id));
export const siteGrantKey = (code: string): Key<SiteGrantRow> => typed(keys.siteGrant(code));

export const emptySites = (): SitesRow => ({ v: 1, sites: {} });

/** A row holds 64 KiB. */
const MAX_SITES = 40;
/** Revoked sites that are still listed. */
const MAX_REVOKED = 20;

export const isConnected = (site: StoredSite | undefined): site is StoredSite =>
  site !== undefined && site.revokedAt === undefined;

/** Returns the site with an ID, unless it was revoked. */
export function connectedSite(row: SitesRow | null, id: string): StoredSite | undefined {
  const site = row && Object.hasOwn(row.sites, id) ? row.sites[id] : undefined;
  return isConnected(site) ? site : undefined;
}

/** Returns the ID of the connected site with a URL. */
export function idOfUrl(row: SitesRow, url: string): string | undefined {
  return Object.entries(row.sites).find(([, site]) => isConnected(site) && site.url === url)?.[0];
}

/** Returns the row with a site, in place of an earlier one with the ID; or that there can be no more. */
export function withSite(row: SitesRow, id: string, site: StoredSite): SitesRow | "too-many" {
  const sites = { ...row.sites, [id]: site };
  if (Object.values(sites).filter(isConnected).length > MAX_SITES) return "too-many";
  return { ...row, sites };
}

/** Returns the row with a site revoked, and without the sites that were revoked longest ago. */
export function withRevoked(
  row: SitesRow,
  id: string,
  revoked: { revokedAt: number; revokedBy: string; usedAt?: number },
): SitesRow | undefined {
  const site = connectedSite(row, id);
  if (!site) return undefined;
  const { purgeUrl: _, ...kept } = site;
  const sites: SitesRow["sites"] = { ...row.sites, [id]: { ...kept, ...revoked } };
  const newestFirst = Object.entries(sites).filter(([, { revokedAt }]) => revokedAt !== undefined)
    .sort(([, a], [, b]) => b.revokedAt! - a.revokedAt!);
  for (const [old] of newestFirst.slice(MAX_REVOKED)) delete sites[old];
  return { ...row, sites };
}

/** Returns the name of a site's token: the host and path, with what a name may contain; unique among the others. */
export function tokenNameOf({ tokens }: TokensRow, id: string, { url }: Pick<StoredSite, "url">): string {
  const plain = `WordPress ${url.replace(/^https?:\/\//, "").replaceAll(/[^\p{L}\p{N}._]+/gu, "-")}`
    .slice(0, 48).replace(/[^\p{L}\p{N}]+$/u, "");
  const isTaken = Object.values(tokens).some(({ name }) => name.toLowerCase() === plain.toLowerCase());
  return isTaken ? `${plain} ${id}` : plain;
}
