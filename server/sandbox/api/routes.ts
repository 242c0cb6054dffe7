import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { timingSafeEqual } from "hono/utils/buffer";
import type { Context } from "../account/context.ts";
import { readProject } from "../account/project.ts";
import { contactRoutes } from "./contacts_routes.ts";
import { fail } from "./envelope.ts";
import { simulateFaults } from "./simulate_faults.ts";
import { projectRoutes } from "./project_routes.ts";
import { subscriberRoutes } from "./subscribers_routes.ts";

const BODY_CAP_BYTES = 256 * 1024;

/**
 * Serves the provider's HTTP API below `/v1/projectId/{projectId}`. It requires the project's own API key,
 * regardless of who may see the pages.
 *
 * @param origin scheme and host of the public address, for `next`
 */
export function apiRoutes(context: Context, origin: string): Hono {
  const app = new Hono();

  app.onError((error, c) => {
    // Hono's middleware rejects a request by throwing the response.
    if (error instanceof HTTPException) return error.getResponse();
    context.log.error("sandbox.api_failed", { error });
    return fail(c, 500, "INTERNAL_SERVER_ERROR", "Something went wrong.");
  });

  app.use("/:project/*", async (c, next) => {
    c.header("cache-control", "no-store");
    c.header("date", new Date(context.clock.now()).toUTCString());
    // The provider responds with 403 to a missing key, a wrong key and a key of another project.
    const refused = { message: () => fail(c, 403, "FORBIDDEN", "Missing or invalid API key.") };
    const auth = bearerAuth({
      verifyToken: async (token) => {
        const project = await readProject(context.kv);
        if (!project) return false;
        const keyFits = await timingSafeEqual(project.apiKey, token);
        return keyFits && c.req.param("project") === project.id;
      },
      noAuthenticationHeader: refused,
      invalidAuthenticationHeader: refused,
      invalidToken: refused,
    });
    return await auth(c, next);
  });
  // Only for methods with a body: the limit copies the request, and Deno would warn about that.
  app.on(
    ["POST", "PATCH"],
    "/:project/*",
    bodyLimit({
      maxSize: BODY_CAP_BYTES,
      onError: (c) => fail(c, 413, "PAYLOAD_TOO_LARGE", "The body is too large."),
    }),
  );
  app.use("/:project/*", simulateFaults(context));

  app.route("/:project/subscriber-lists", subscriberRoutes(context, origin));
  app.route("/:project/contacts", contactRoutes(context, origin));
  app.route("/:project", projectRoutes(context));
  app.all("*", (c) => fail(c, 404, "NOT_FOUND", "No such resource."));
  return app;
}
