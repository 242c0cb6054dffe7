import { Buffer } from "node:buffer";
import type { Clock, Log, Random } from "../../deps.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { cas, type Decision } from "../../kv/cas.ts";
import { readRow } from "../../kv/key.ts";
import type { AtomicOperation, Kv } from "../../kv/port.ts";
import { isFarAhead } from "../../time/stored_time.ts";
import { emptyTokens, type StoredToken, tokensKey, tokenUseKey, withoutToken, withToken } from "../row.ts";
import { derivedSecret, hashOf, newId, type NewSecret, newSecret } from "../secret.ts";
import type { ApiTokens } from "../store.ts";
import { createUses } from "../uses.ts";
import type { ConnectRequest } from "./connect_request.ts";
import { verifierFits } from "./pkce.ts";
import {
  connectedSite,
  emptySites,
  idOfUrl,
  isConnected,
  siteGrantKey,
  type SiteGrantRow,
  type SiteModule,
  sitesKey,
  type SitesRow,
  siteUseKey,
  type StoredSite,
  tokenNameOf,
  withRevoked,
  withSite,
} from "./row.ts";
import { siteKeyText, webhookSecretsOf } from "./site_keys.ts";
import type { Scope } from "../scopes.ts";

/** How long a code can be used. The browser brings it to the site at once. */
export const CODE_MS = 2 * 60_000;
const CODE_BYTES = 32;

/** A site as it is listed. */
export interface ListedSite extends Omit<StoredSite, "code"> {
  id: string;
  /** When it was last used, up to a minute too early; absent if never. */
  usedAt?: number;
}

/** What is handed out to a site. */
export interface SiteCredentials {
  site: string;
  /** Its key, as `siteKeyText` returns it. */
  key: string;
  token: string;
}

/** Why a code was not exchanged. The answer to the site names neither: all of them mean that it has to start again. */
export type ExchangeRefused = "invalid_grant" | "too-many";

/** Which sites are connected, for what verifies their signatures. */
export interface ConnectedSites {
  isConnected(id: string): boolean;
  /** Notes that a site has signed something. */
  note(id: string): void;
}

export interface Sites extends ConnectedSites {
  /** Reads the sites again, which another process may have changed. */
  refresh(): Promise<void>;
  /** Returns those that are connected, as last read. */
  connected(): (StoredSite & { id: string })[];
  /** Returns the secrets of a site's webhooks; none for a site that is not connected, or has no shop. */
  webhookSecrets(id: string): string[];
  /** Returns all sites, the newest first. */
  list(): Promise<ListedSite[]>;
  /**
   * Makes a code for what an admin has agreed to.
   *
   * @returns the code, and what stores its hash. It is in the commit of what the admin has changed
   */
  grant(
    request: ConnectRequest,
    agreed: { scopes: Scope[]; modules: SiteModule[]; by: string },
  ): { code: string; write: (tx: AtomicOperation) => void };
  /**
   * Hands a site its key and token, in one commit with the site. Repeating it within two minutes returns the same ones
   * and writes nothing, so that neither a lost answer nor a page that is loaded twice costs the connection.
   */
  exchange(
    given: { code: string; verifier: string; redirectUri: string },
  ): Promise<SiteCredentials & { grant: SiteGrantRow } | ExchangeRefused>;
  /** Adds a site by hand. A connected site with this URL keeps its key and gets another token. */
  add(site: Omit<StoredSite, "tokenId" | "createdAt">): Promise<SiteCredentials | "too-many">;
  /** Revokes a site's key and token. @returns undefined if none with this ID is connected */
  revoke(id: string, by: string): Promise<StoredSite | undefined>;
  /** Writes when sites were last used. Never rejects. */
  flush(): Promise<void>;
}

export function createSites({ kv, clock, random, log, keyring, apiTokens }: {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  keyring: Keyring;
  apiTokens: Pick<ApiTokens, "usesOf">;
}): Sites {
  let known: SitesRow = emptySites();
  const uses = createUses<SitesRow>({ kv, clock, random, log }, {
    parent: sitesKey(),
    lists: (row, id) => connectedSite(row, id) !== undefined,
    key: siteUseKey,
    failed: "sites.use_not_written",
  });
  const credentials = (site: string, { token }: NewSecret): SiteCredentials => ({
    site,
    key: siteKeyText(keyring, site),
    token,
  });

  /** Decides what connects a site: its row and its token, in place of the earlier token of a connected site. */
  function connecting(
    rows: { sites: SitesRow | null; tokens: Parameters<typeof withToken>[0] | null },
    { id, site, secret }: { id: string; site: Omit<StoredSite, "tokenId" | "createdAt">; secret: NewSecret },
  ): { sites: SitesRow; write: (tx: AtomicOperation) => void } | "too-many" {
    const now = clock.now();
    const row = rows.sites ?? emptySites();
    const before = connectedSite(row, id);
    const tokens = rows.tokens ?? emptyTokens();
    const others = before ? withoutToken(tokens, before.tokenId) ?? tokens : tokens;
    const stored: StoredToken = {
      name: tokenNameOf(others, id, site),
      hash: hashOf(secret.token),
      scopes: site.scopes,
      by: site.by,
      createdAt: now,
      site: id,
    };
    const nextTokens = withToken(others, secret.id, stored);
    const createdAt = before?.createdAt ?? now;
    const next = withSite(row, id, { ...site, tokenId: secret.id, createdAt });
    if (typeof nextTokens === "string" || typeof next === "string") return "too-many";
    return {
      sites: next,
      write(tx) {
        tx.set(sitesKey(), next).set(tokensKey(), nextTokens);
        if (before && before.tokenId !== secret.id) tx.delete(tokenUseKey(before.tokenId));
      },
    };
  }

  /** Notes the sites as a commit has left them. @returns what it hands out */
  function handedOut<Given>({ sites, ...given }: Given & { sites: SitesRow }): Omit<Given, "sites"> {
    known = sites;
    return given;
  }

  async function list(): Promise<ListedSite[]> {
    const { sites } = await readRow(kv, sitesKey()) ?? emptySites();
    const usedAts = await uses.of(Object.keys(sites));
    const tokenUses = await apiTokens.usesOf(Object.values(sites).map(({ tokenId }) => tokenId));
    return Object.entries(sites).map(([id, { code: _, ...site }], index): ListedSite => {
      const used = Math.max(usedAts[index] ?? 0, tokenUses[index] ?? 0);
      const usedAt = isConnected(site) ? used : site.usedAt ?? used;
      return { id, ...site, ...(usedAt > 0 && { usedAt }) };
    }).sort((a, b) => b.createdAt - a.createdAt);
  }

  return {
    isConnected: (id) => connectedSite(known, id) !== undefined,
    note: uses.note,
    async refresh() {
      known = await readRow(kv, sitesKey()) ?? emptySites();
    },
    connected: () =>
      Object.entries(known.sites).flatMap(([id, site]) => isConnected(site) ? [{ id, ...site }] : []),
    webhookSecrets(id) {
      const site = connectedSite(known, id);
      return site && site.modules.length > 0 ? webhookSecretsOf(keyring, id) : [];
    },
    list,

    grant({ url, name, purgeUrl, challenge, redirectUri }, agreed) {
      const code = Buffer.from(random.bytes(CODE_BYTES)).toString("base64url");
      const row: SiteGrantRow = {
        v: 1,
        site: newId(random),
        url,
        name,
        ...(purgeUrl !== undefined && { purgeUrl }),
        challenge,
        redirectUri,
        ...agreed,
        until: clock.now() + CODE_MS,
      };
      return {
        code,
        write: (tx) => void tx.set(siteGrantKey(hashOf(code)), row, { expireIn: 2 * CODE_MS }),
      };
    },

    async exchange({ code, verifier, redirectUri }) {
      const hash = hashOf(code);
      const read = { grant: siteGrantKey(hash), sites: sitesKey(), tokens: tokensKey() };
      const result = await cas(
        kv,
        read,
        ({ grant: { value: grant }, sites, tokens }): Decision<
          SiteCredentials & { grant: SiteGrantRow; sites: SitesRow } | ExchangeRefused
        > => {
          const now = clock.now();
          if (
            !grant || now >= grant.until || isFarAhead(grant.until, now, CODE_MS) ||
            !verifierFits(verifier, grant.challenge) || redirectUri !== grant.redirectUri
          ) return { value: "invalid_grant" };
          const { site: fresh, url, name, by, scopes, modules, purgeUrl } = grant;
          const row = sites.value ?? emptySites();
          // The same code and verifier give the same token, which only its hash is stored of.
          const secret = derivedSecret(hash, keyring.sign("cfbe/site", `${code}\n${verifier}`));
          if (grant.collected !== undefined) {
            const site = connectedSite(row, grant.collected);
            const token = Object.hasOwn(tokens.value?.tokens ?? {}, secret.id)
              ? tokens.value!.tokens[secret.id]
              : undefined;
            // Not timing-sensitive: both are derived here.
            const isSame = site?.code === hash && token?.hash === hashOf(secret.token);
            return {
              value: isSame
                ? { ...credentials(grant.collected, secret), grant, sites: row }
                : "invalid_grant",
            };
          }
          // After a reconnection, what the site signed before is still valid, as its cached pages have it.
          const id = idOfUrl(row, grant.url) ?? fresh;
          const site = { url, name, by, scopes, modules, ...(purgeUrl && { purgeUrl }), code: hash };
          const next = connecting({ sites: sites.value, tokens: tokens.value }, { id, site, secret });
          if (next === "too-many") return { value: next };
          return {
            value: { ...credentials(id, secret), grant, sites: next.sites },
            write(tx) {
              next.write(tx);
              tx.set(read.grant, { ...grant, collected: id }, { expireIn: 2 * CODE_MS });
            },
          };
        },
        { clock, random },
      );
      return typeof result === "string" ? result : handedOut(result);
    },

    async add(site) {
      const [fresh, secret] = [newId(random), newSecret(random)];
      const result = await cas(
        kv,
        { sites: sitesKey(), tokens: tokensKey() },
        ({ sites, tokens }): Decision<SiteCredentials & { sites: SitesRow } | "too-many"> => {
          const id = idOfUrl(sites.value ?? emptySites(), site.url) ?? fresh;
          const next = connecting({ sites: sites.value, tokens: tokens.value }, { id, site, secret });
          if (next === "too-many") return { value: next };
          return { value: { ...credentials(id, secret), sites: next.sites }, write: next.write };
        },
        { clock, random },
      );
      return typeof result === "string" ? result : handedOut(result);
    },

    async revoke(id, by) {
      const usedAt = (await list()).find((site) => site.id === id)?.usedAt;
      const result = await cas(
        kv,
        { sites: sitesKey(), tokens: tokensKey() },
        ({ sites, tokens }): Decision<{ site: StoredSite; sites: SitesRow } | undefined> => {
          const row = sites.value ?? emptySites();
          const site = connectedSite(row, id);
          const revoked = { revokedAt: clock.now(), revokedBy: by, ...(usedAt !== undefined && { usedAt }) };
          const next = withRevoked(row, id, revoked);
          if (!site || !next) return { value: undefined };
          const others = withoutToken(tokens.value ?? emptyTokens(), site.tokenId);
          return {
            value: { site, sites: next },
            write(tx) {
              tx.set(sitesKey(), next).delete(siteUseKey(id)).delete(tokenUseKey(site.tokenId));
              if (others) tx.set(tokensKey(), others);
            },
          };
        },
        { clock, random },
      );
      if (!result) return undefined;
      known = result.sites;
      uses.forget(id);
      return result.site;
    },
    flush: uses.flush,
  };
}
