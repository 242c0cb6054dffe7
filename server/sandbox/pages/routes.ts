import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { assets, ownPage } from "../../platform/pages/own_page.ts";
import type { Context } from "../account/context.ts";
import { controlRoutes } from "./control_routes.ts";
import { inboxRoutes } from "./inbox_routes.ts";
import type { SandboxUrls } from "./layout.tsx";
import { linkRoutes } from "./link_routes.ts";
import { messagePage } from "./outcome_page.tsx";

const BODY_CAP_BYTES = 16 * 1024;
const ASSETS = new URL("../assets/", import.meta.url);

export type Allowed = (request: Request, peer: string | undefined) => boolean | Promise<boolean>;

/**
 * Serves the pages for people, and the same data as JSON.
 *
 * @param allowed whether a request may see the inbox and simulate faults
 */
export function pageRoutes(context: Context, urls: SandboxUrls, allowed: Allowed): Hono {
  const app = new Hono();

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    context.log.error("sandbox.page_failed", { error });
    return c.html(messagePage(urls, "Something went wrong", "See the service's log for details."), 500);
  });

  app.use(ownPage());

  app.route("/assets", assets(ASSETS));

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    await next();
  });
  app.route("/", linkRoutes(context, urls));

  app.use(async (c, next) => {
    if (await allowed(c.req.raw, (c.env as { peer?: string } | undefined)?.peer)) return await next();
    return c.html(messagePage(urls, "Access denied", "Sign in to the admin to see the sandbox."), 403);
  });
  // Our own forms send the origin under which the page was opened, which may be an alias of the public URL.
  app.use(
    csrf({
      origin: (origin, c) => [new URL(urls.baseUrl).origin, new URL(c.req.url).origin].includes(origin),
    }),
  );
  app.on("POST", "*", bodyLimit({ maxSize: BODY_CAP_BYTES }));
  app.route("/", inboxRoutes(context, urls));
  app.route("/", controlRoutes(context, urls));
  app.all(
    "*",
    (c) => c.html(messagePage(urls, "Not found", "This page does not exist in the sandbox."), 404),
  );
  return app;
}
