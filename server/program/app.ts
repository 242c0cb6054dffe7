import { type Context, type Env, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { NAMESPACE } from "../../shared/contract.ts";
import { HOOK_BODY_BYTES, SUBSCRIBE_BODY_BYTES, VARIANT_SEEN_BODY_BYTES } from "../../shared/limits.ts";
import type { Page } from "../admin/frame/page.ts";
import { cartRoutes } from "../shops/carts/routes.ts";
import { ADMIN_PATH, pathPrefix } from "../platform/config/config.ts";
import { hookErrors, hookRoute, webhookCredential, webhookProbe } from "../signup/confirm/hook_route.ts";
import { DESIGN_PATH, designRoute } from "../signup/form_page/design_css.ts";
import { variantSeenRoute } from "../forms/public/seen_route.ts";
import { formTokenRoute } from "../forms/public/token_route.ts";
import { IMAGE_PATH, imageRoute } from "../forms/images/route.ts";
import { openApiRoute } from "./openapi/route.ts";
import { assets, PAGE_ASSETS, PAGE_ASSETS_FOLDER } from "../platform/pages/own_page.ts";
import type { Freshness } from "../operations/activation/freshness.ts";
import type { Moves } from "../operations/move/moves.ts";
import { readyRoute } from "../operations/checks/ready_route.ts";
import type { Peer } from "../platform/http/visitor/client_ip.ts";
import type { Log } from "../platform/deps.ts";
import type { Services } from "./services.ts";
import { withRequestId } from "../platform/observe/request_id.ts";
import { isSandbox } from "../settings/store/provider.ts";
import { shopHookRoutes } from "../shops/orders/routes.ts";
import { publicSettingsRoute } from "../forms/public/public_route.ts";
import { scriptRoute } from "../forms/public/script_route.ts";
import { subscribeRoute } from "../signup/subscribe/route.ts";
import { lazyRoutes } from "../platform/http/lazy_routes.ts";
import { errorsAs, failureEvent, notFound, refuse, RETRY_UNAVAILABLE_MS } from "../platform/http/errors.ts";
import { apiToken, needsScope } from "../platform/http/guards/api_token.ts";
import { wrongTokens } from "../platform/http/guards/wrong_tokens.ts";
import { TOKEN_ROUTES } from "../platform/tokens/routes.ts";
import { bodyLimit } from "../platform/http/guards/body_limit.ts";
import { jsonObject } from "../platform/http/guards/json_object.ts";
import { noStore } from "../platform/http/guards/no_store.ts";
import { allowOnly } from "../platform/http/guards/allow_only.ts";
import { rateLimit } from "../platform/http/guards/rate_limit.ts";
import { widgetCors } from "../platform/http/guards/widget_cors.ts";
import { integrationErrors, integrationRoute } from "../signup/subscribe/integration_route.ts";
import type { WidgetFiles } from "../platform/http/widget_files.ts";

export interface Extras {
  widget: WidgetFiles;
  /** Further pages of the admin. */
  adminPages: readonly Page[];
  /** Further apps that are not part of the contract: the sandbox and the demo page. */
  mounts: { path: string; load: () => Promise<Hono> }[];
  moves: Moves;
  /** Called at each request, so that every instance sees what another has saved. */
  freshness: Pick<Freshness, "refreshIfStale">;
}

/**
 * Creates the app with every route, in the order of contract 1.1. The listeners of `http/listen` call
 * `app.fetch(request, { peer })`.
 */
export function createApp(services: Services, extras: Extras): Hono<{ Bindings: Peer }> {
  const { config, log, random } = services;
  const app = new Hono<{ Bindings: Peer }>();
  const prefix = pathPrefix(config.baseUrl);
  // Middleware changes the headers of a finished response in place. Headers set before the handler runs cost more: Deno
  // then prepares each response for `Deno.serve`, and registers it for finalization.
  app.use(async (c, next) => {
    const id = random.uuid();
    await withRequestId(id, () => extras.freshness.refreshIfStale().then(next));
    c.res.headers.set("X-Request-Id", id);
  });

  const route = new Hono<{ Bindings: Peer }>();
  const open = widgetCors(() => services.settings.current().general.origins);
  const noteRefused: MiddlewareHandler = (c, next) => {
    services.refusedOrigins.note(c.req.raw.headers);
    return next();
  };
  // Before CORS, because a refused preflight request is the only one that a browser sends.
  route.use(`${NAMESPACE}/*`, noStore, noteRefused, open);
  // The contract guarantees the order of its checks, so they are in one function.
  route.post(`${NAMESPACE}/subscribe`, subscribeRoute(services));
  route.all(`${NAMESPACE}/subscribe`, allowOnly("POST"));
  route.get(`${NAMESPACE}/form-token`, formTokenRoute(services));
  route.all(`${NAMESPACE}/form-token`, allowOnly("GET"));
  route.post(
    `${NAMESPACE}/variant-seen`,
    rateLimit(services, services.policies.variantSeenIp),
    bodyLimit(services, VARIANT_SEEN_BODY_BYTES),
    variantSeenRoute(services),
  );
  route.all(`${NAMESPACE}/variant-seen`, allowOnly("POST"));
  route.post(
    `${NAMESPACE}/provider-hook`,
    errorsAs(hookErrors(services)),
    rateLimit(services, services.policies.hookIp),
    webhookCredential(services),
    bodyLimit(services, HOOK_BODY_BYTES),
    hookRoute(services),
  );
  route.get(`${NAMESPACE}/provider-hook`, webhookProbe(services));
  route.all(`${NAMESPACE}/provider-hook`, allowOnly("POST"));
  route.route("/", cartRoutes(services, open));
  route.route("/", shopHookRoutes(services));

  const { signup } = TOKEN_ROUTES;
  route.use(signup.path, noStore);
  route.post(
    signup.path,
    errorsAs(integrationErrors(services)),
    rateLimit(services, services.policies.shopIp),
    wrongTokens(services),
    apiToken(services),
    needsScope(signup.scope),
    bodyLimit(services, SUBSCRIBE_BODY_BYTES),
    jsonObject,
    integrationRoute(services),
  );
  route.all(signup.path, allowOnly("POST"));

  // The scripts and styles are precompressed, and the responses of the contract's routes are too short to benefit.
  for (const path of ["/cfbe.json", "/openapi.json", "/form/*", `${PAGE_ASSETS}/*`, `${ADMIN_PATH}/*`]) {
    route.use(path, compress());
  }
  route.get("/cfbe.json", noteRefused, open, publicSettingsRoute(services));
  route.get("/openapi.json", openApiRoute(config.baseUrl));
  route.get("/cfbe.js", scriptRoute(services, extras.widget));
  route.get("/cfbe/:file", extras.widget.chunk);
  route.get(IMAGE_PATH, imageRoute(services));

  route.get(DESIGN_PATH, etag(), designRoute(services));
  route.route(PAGE_ASSETS, assets(PAGE_ASSETS_FOLDER));

  /** Mounts routes with a router of their own, because some paths would not fit into Hono's fast router. */
  const mount = (path: string, load: () => Promise<Hono>) =>
    route.all(
      `${path}/*`,
      lazyRoutes(async () => withErrors(new Hono(), log).basePath(prefix).route(path, await load())),
    );
  mount("/form", async () => (await import("../signup/form_page/routes.ts")).formPageRoutes(services));
  mount(
    ADMIN_PATH,
    async () => (await import("../admin/routes.ts")).adminRoutes(services, extras.adminPages),
  );

  mount(
    "/connect",
    async () => (await import("../operations/sites/routes.ts")).siteRoutes(services),
  );

  route.get("/healthz", noStore, (c) => c.json({ ok: true, service: "cfbe" }));
  route.get("/readyz", noStore, readyRoute(services));
  route.use("/ops/*", noStore);
  mount(
    "/ops",
    async () =>
      (await import("../operations/remote/routes.ts")).opsRoutes({ ...services, moves: extras.moves }),
  );
  for (const { path, load } of extras.mounts) mount(path, load);

  const home = () => prefix + (isSandbox(services.settings.current()) ? "/demo" : ADMIN_PATH);
  app.on("GET", [prefix || "/", `${prefix}/`], noStore, (c) => c.redirect(home()));
  app.route(prefix || "/", route);
  return withErrors(app, log);
}

/** Sets the responses to unknown paths and to exceptions. */
function withErrors<E extends Env>(app: Hono<E>, log: Log): Hono<E> {
  return app.notFound(unknownPath).onError((error, c) => {
    log.error(failureEvent(c), { path: c.req.path, error });
    c.header("Cache-Control", "no-store");
    return refuse(c, "rejected", { retryAfterMs: RETRY_UNAVAILABLE_MS });
  });
}

function unknownPath(c: Context): Promise<Response> {
  c.header("Cache-Control", "no-store");
  return notFound(c);
}
