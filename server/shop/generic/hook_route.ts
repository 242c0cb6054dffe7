import type { Context } from "hono";
import { z } from "zod";
import { HOOK_BODY_BYTES } from "../../../shared/limits.ts";
import { parseJson, readCounted } from "../../http/counted_body.ts";
import { limitSubject } from "../../http/visitor_ip.ts";
import { spend } from "../../limits/spend.ts";
import type { Services } from "../../services.ts";
import { OrderSchema } from "../order.ts";
import { isSigned } from "./signature.ts";

/**
 * `POST {base_url}/shop-hook/generic`: an order, from any shop that can sign (docs/shop-hook.md). What is refused
 * with 4xx but 429 will be refused again; 429 and 503 ask for another try.
 */
export function genericHookRoute(app: Services) {
  const { clock, settings, policies, orders, log } = app;

  return async (c: Context): Promise<Response> => {
    const refuse = (status: 400 | 401 | 413 | 429 | 503, error?: string) =>
      c.json({ ok: false, ...(error !== undefined && { error }) }, status);
    try {
      const verdict = await spend(app, policies.shopIp(limitSubject(await app.clientIp(c))));
      if (!verdict.admitted) {
        c.header("Retry-After", String(Math.ceil(verdict.retryAfterMs / 1000)));
        return refuse(429);
      }
      const body = await readCounted(c.req.raw, HOOK_BODY_BYTES, clock);
      if (!body) return refuse(413);
      const { secret } = settings.current().checkout;
      if (!isSigned(c.req.raw.headers, body, { secret, now: clock.now() })) return refuse(401);

      const order = OrderSchema.safeParse(parseJson(body));
      if (!order.success) {
        // Only who knows the secret gets here, and may read what is wrong.
        const reason = order.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
        log.warn("order.refused", { reason: reason.slice(0, 10).join("; ") });
        return refuse(400, reason.slice(0, 10).join("; "));
      }
      return c.json({ ok: true, action: await orders.accept(order.data) });
    } catch (error) {
      log.error("order.failed", { error });
      return refuse(503);
    }
  };
}

const CACHE = "public, max-age=3600";

/** `GET {base_url}/shop-hook/generic/schema.json`: what an order may say, as JSON Schema. */
export function orderSchemaRoute() {
  const schema = z.toJSONSchema(OrderSchema, { io: "input" });
  return (c: Context): Response => {
    c.header("Cache-Control", CACHE);
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(schema, 200, { "Content-Type": "application/schema+json" });
  };
}
