import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { contextStorage } from "hono/context-storage";
import { cors } from "hono/cors";
import { requestId } from "hono/request-id";
import { NAMESPACE } from "../shared/contract.ts";
import { adminRoutes } from "./admin/routes.ts";
import { ADMIN_PATH, pathPrefix } from "./config.ts";
import { hookRoute } from "./confirm/hook_route.ts";
import { formPageRoutes } from "./form_page/routes.ts";
import { formTokenRoute } from "./signup/form/token_route.ts";
import { openApiRoute } from "./openapi/route.ts";
import { assets } from "./pages/own_page.ts";
import { PAGE_ASSETS, PAGE_ASSETS_FOLDER } from "./pages/visitor_page.ts";
import type { Freshness } from "./ops/freshness.ts";
import { readyRoute } from "./ops/ready_route.ts";
import { opsRoutes } from "./ops/routes.ts";
import type { Peer } from "./http/visitor/client_ip.ts";
import type { Services } from "./services.ts";
import { isSandbox } from "./settings/provider.ts";
import { cartsOn, shopRoutes } from "./orders/routes.ts";
import { cartEmailRoute } from "./carts/store_route.ts";
import { publicSettingsRoute } from "./signup/form/public_route.ts";
import { subscribeRoute } from "./signup/route.ts";
import type { WidgetFiles } from "./http/widget_files.ts";

/** Preflight answers may be kept this long (decision 16). */
const PREFLIGHT_SECONDS = 2 * 60 * 60;

/** Apps that come along without belonging to the contract: the sandbox and the demo page. */
export interface Extras {
  widget: WidgetFiles;
  mounts: { path: string; app: Hono }[];
  /** Asked at each request, so that every instance hears what another has saved. */
  freshness: Pick<Freshness, "ensure">;
}

/**
 * Every route, in the order of contract 1.1.
 *
 * @returns an app for the listeners of `http/listen`, which call `app.fetch(request, { peer })`
 */
export function createApp(services: Services, extras: Extras): Hono<{ Bindings: Peer }> {
  const { config, log, random } = services;
  const app = new Hono<{ Bindings: Peer }>();
  // So that a line of the log says which request it is of, and a visitor's complaint finds the line.
  // Limited to 0 characters, no id that a client sends is adopted.
  app.use(contextStorage(), requestId({ limitLength: 0, generator: () => random.uuid() }));

  const prefix = pathPrefix(config.baseUrl);
  app.use((_c, next) => extras.freshness.ensure().then(next));

  const route = new Hono<{ Bindings: Peer }>();
  route.use(`${NAMESPACE}/*`, noStore, widgetCors(services));
  route.post(`${NAMESPACE}/subscribe`, subscribeRoute(services));
  route.get(`${NAMESPACE}/form-token`, formTokenRoute(services));
  route.post(`${NAMESPACE}/provider-hook`, hookRoute(services));
  route.use(`${NAMESPACE}/cart-email`, cartsOn(services));
  route.post(`${NAMESPACE}/cart-email`, cartEmailRoute(services));
  route.all(`${NAMESPACE}/subscribe`, only("POST"));
  route.all(`${NAMESPACE}/form-token`, only("GET"));
  route.all(`${NAMESPACE}/provider-hook`, only("POST"));
  route.all(`${NAMESPACE}/cart-email`, only("POST"));

  route.route("/", shopRoutes(services, { noStore, cors: widgetCors(services), only }));

  // The scripts come compressed already, and the answers of the contract's routes are too short to gain from it.
  for (const path of ["/cfbe.json", "/openapi.json", "/form/*", `${PAGE_ASSETS}/*`, `${ADMIN_PATH}/*`]) {
    route.use(path, compress());
  }
  route.get("/cfbe.json", widgetCors(services), publicSettingsRoute(services));
  route.get("/openapi.json", openApiRoute(config.baseUrl));
  route.get("/cfbe.js", extras.widget.loader);
  route.get("/cfbe/:file", extras.widget.chunk);

  route.route("/", formPageRoutes(services));
  route.route(PAGE_ASSETS, assets(PAGE_ASSETS_FOLDER));

  route.route(ADMIN_PATH, adminRoutes(services));

  route.get("/healthz", noStore, (c) => c.json({ ok: true, service: "cfbe" }));
  route.get("/readyz", noStore, readyRoute(services));
  route.use("/ops/*", noStore);
  route.route("/ops", opsRoutes(services));
  for (const { path, app: mounted } of extras.mounts) route.route(path, mounted);

  const home = () => prefix + (isSandbox(services.settings.current()) ? "/demo" : ADMIN_PATH);
  app.on("GET", [prefix || "/", `${prefix}/`], noStore, (c) => c.redirect(home()));
  app.route(prefix || "/", route);
  app.notFound((c) => {
    c.header("Cache-Control", "no-store");
    return c.json({ success: false, code: "not_found", message: "There is nothing at this address." }, 404);
  });
  app.onError((error, c) => {
    log.error("request.failed", { path: c.req.path, error });
    c.header("Cache-Control", "no-store");
    return c.json({ success: false, code: "rejected", message: "That did not work. Please try again." }, 503);
  });
  return app;
}

/** Set before the answer is made, so that refusals and errors carry it too (contract 1.2). */
const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};

/** Configured origins exactly, any if none are configured; no credentials (contract 1.5). */
function widgetCors({ settings }: Services): MiddlewareHandler {
  return cors({
    origin(origin) {
      const { origins } = settings.current().general;
      if (origins.length === 0) return "*";
      return origins.includes(origin) ? origin : null;
    },
    allowMethods: ["GET", "POST", "OPTIONS"],
    allowHeaders: ["content-type", "x-wp-nonce"],
    exposeHeaders: ["Retry-After"],
    maxAge: PREFLIGHT_SECONDS,
  });
}

function only(method: "GET" | "POST") {
  return (c: Context) => {
    c.header("Allow", `${method}, ${method === "GET" ? "HEAD, " : ""}OPTIONS`);
    return c.json({ success: false, code: "method_not_allowed", message: `Use ${method} here.` }, 405);
  };
}
