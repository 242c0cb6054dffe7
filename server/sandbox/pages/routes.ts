import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { assets, ownPage } from "../../pages/own_page.ts";
import type { Context } from "../context.ts";
import { controlRoutes } from "./control_routes.ts";
import { inboxRoutes } from "./inbox_routes.ts";
import type { Places } from "./layout.ts";
import { linkRoutes } from "./link_routes.ts";
import { sentencePage } from "./outcome_page.ts";

const BODY_CAP_BYTES = 16 * 1024;
const ASSETS = new URL("../assets/", import.meta.url);

export type Allowed = (request: Request, peer: string | undefined) => boolean | Promise<boolean>;

/**
 * The pages for people, and their JSON twins.
 *
 * @param allowed who may see the inbox and turn the switches
 */
export function pageRoutes(context: Context, places: Places, allowed: Allowed): Hono {
  const app = new Hono();

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    context.log.error("sandbox.page_failed", { error });
    return c.html(sentencePage(places, "Something went wrong", "The log of this service says what."), 500);
  });

  app.use(ownPage());

  app.route("/assets", assets(ASSETS));

  app.use(async (c, next) => {
    c.header("cache-control", "no-store");
    await next();
  });
  app.route("/", linkRoutes(context, places));

  app.use(async (c, next) => {
    if (await allowed(c.req.raw, (c.env as { peer?: string } | undefined)?.peer)) return await next();
    return c.html(sentencePage(places, "Not for everybody", "Sign in to the admin to see the sandbox."), 403);
  });
  // Links from our own page send the origin it is opened under, which may be an alias of the public address.
  app.use(
    csrf({
      origin: (origin, c) => [new URL(places.baseUrl).origin, new URL(c.req.url).origin].includes(origin),
    }),
  );
  app.on("POST", "*", bodyLimit({ maxSize: BODY_CAP_BYTES }));
  app.route("/", inboxRoutes(context, places));
  app.route("/", controlRoutes(context, places));
  app.all(
    "*",
    (c) => c.html(sentencePage(places, "Not found", "There is no such page in the sandbox."), 404),
  );
  return app;
}
