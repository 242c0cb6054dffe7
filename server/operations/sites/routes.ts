import { type Context, Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { nameOf } from "../../platform/audit/actor_name.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Log } from "../../platform/deps.ts";
import { type ErrorFormat, errorsAs, refuse } from "../../platform/http/errors.ts";
import { apiToken, type HasTokenActor } from "../../platform/http/guards/api_token.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { type HasJson, jsonObject } from "../../platform/http/guards/json_object.ts";
import { noStore } from "../../platform/http/guards/no_store.ts";
import { rateLimit, type RateLimitDeps } from "../../platform/http/guards/rate_limit.ts";
import { wrongTokens } from "../../platform/http/guards/wrong_tokens.ts";
import type { TokenDeps } from "../../platform/http/token_actor.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import type { SiteModule, StoredSite } from "../../platform/tokens/sites/row.ts";
import { siteKeyText } from "../../platform/tokens/sites/site_keys.ts";
import type { Sites } from "../../platform/tokens/sites/store.ts";
import { SITE_PARAMETER } from "../../shops/orders/hook_route.ts";

const BODY_BYTES = 4 * 1024;
const TOO_MANY_SITES = 409;

/** What a site is told about its connection. */
export interface SiteFacts {
  site: string;
  /** The public URL of cfbe. */
  server: string;
  /** Its current key. After a rotation, it differs from the one that the site has. */
  key: string;
  scopes: readonly string[];
  modules: readonly SiteModule[];
  /** Where the shop's webhooks send orders, and what signs them; absent if cfbe reads none of this site. */
  webhook?: { url: string; secret: string };
}

const Exchange = z.object({
  code: z.string().min(1).max(200),
  verifier: z.string().min(1).max(200),
  redirect_uri: z.string().min(1).max(1000),
});

interface Deps extends RateLimitDeps, TokenDeps {
  config: Config;
  log: Log;
  keyring: Keyring;
  policies: Pick<Policies, "shopIp" | "wrongTokenIp">;
  sites: Sites;
  admin: { audit: Audit };
}

const errors: ErrorFormat = {
  respond: ({ message, status }, c) => c.json({ error: message }, status),
  failed: "site.request_failed",
};

/** The context variables of handlers after `ofSite`. */
interface HasSite {
  Variables: { site: StoredSite & { id: string } };
}

/**
 * Returns the routes that a connected site's server calls, below `{base_url}/connect`. No page calls them: they have no
 * CORS headers.
 */
export function siteRoutes(app: Deps): Hono {
  const { sites, log, keyring, config } = app;
  const { audit } = app.admin;
  const routes = new Hono();
  const factsOf = (
    { id, scopes, modules }: Pick<StoredSite, "scopes" | "modules"> & { id: string },
  ): SiteFacts => {
    const [secret] = sites.webhookSecrets(id);
    const url = `${config.baseUrl}/shop-hook/woocommerce?${SITE_PARAMETER}=${id}`;
    return {
      site: id,
      server: config.baseUrl,
      key: siteKeyText(keyring, id),
      scopes,
      modules,
      ...(secret !== undefined && { webhook: { url, secret } }),
    };
  };

  /** Refuses a token that belongs to no connected site with 404. */
  const ofSite: MiddlewareHandler<HasTokenActor & HasSite> = async (c, next) => {
    const id = c.var.actor.token?.site;
    const site = id === undefined ? undefined : sites.connected().find((each) => each.id === id);
    if (!site) {
      return await refuse(c, "not_found", { detail: "This API token belongs to no connected site." });
    }
    c.set("site", site);
    return await next();
  };
  // Only a site's own token reaches its connection, whatever its scopes are.
  const signed = [wrongTokens(app), apiToken(app), ofSite] as const;

  routes.use(noStore);
  routes.use(errorsAs(errors));
  routes.post(
    "/token",
    rateLimit(app, app.policies.shopIp),
    bodyLimit(app, BODY_BYTES),
    jsonObject,
    async (c: Context<HasJson>) => {
      const given = Exchange.safeParse(c.var.json);
      if (!given.success) {
        return await refuse(c, "invalid", { detail: "Send code, verifier and redirect_uri." });
      }
      const { code, verifier, redirect_uri } = given.data;
      const handed = await sites.exchange({ code, verifier, redirectUri: redirect_uri });
      const ip = await app.clientIp(c);
      if (handed === "too-many") {
        const error = "cfbe has too many connected sites or API tokens. Revoke one in its admin first.";
        return c.json({ error }, TOO_MANY_SITES);
      }
      if (handed === "invalid_grant") {
        log.warn("site.code_refused", { ip });
        const detail = "The code is wrong, used or too old. Start again.";
        return await refuse(c, "invalid", { detail });
      }
      const { grant: { url, by, scopes, modules }, token, site } = handed;
      const end = await audit.begin({
        who: by,
        action: "cfbe_collect_site_keys",
        target: audit.target(url),
        from: { ip },
      });
      await end("done");
      log.info("site.connected", { site, url });
      return c.json({ ...factsOf({ id: site, scopes, modules }), token });
    },
  );
  routes.get("/site", ...signed, (c: Context<HasSite>) => c.json(factsOf(c.var.site)));
  routes.post("/disconnect", ...signed, async (c: Context<HasTokenActor & HasSite>) => {
    const { id, url } = c.var.site;
    const who = nameOf(c.var.actor);
    const end = await audit.begin({
      who,
      action: "cfbe_disconnect_site",
      target: audit.target(url),
      from: { ip: await app.clientIp(c) },
    });
    const revoked = await sites.revoke(id, who).catch(async (error) => {
      await end("failed");
      throw error;
    });
    await end(revoked ? "done" : "refused");
    log.info("site.disconnected", { site: id, url });
    return c.json({ ok: true });
  });
  return routes;
}
