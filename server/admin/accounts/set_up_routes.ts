import { type Context, Hono } from "hono";
import { z } from "zod";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { readRow } from "../../platform/kv/key.ts";
import { attempt } from "../../platform/limits/spend.ts";
import { invalid } from "../frame/refusal.ts";
import type { AdminServices } from "../frame/services.ts";
import { tokenOfLink } from "../auth/link_token.ts";
import { openSetUpPage } from "./password_link_page.tsx";
import { originOf } from "../auth/request_origin.ts";
import { setUpUsable } from "../auth/set_up.ts";
import { messagePage, setUpPage } from "../shell/sign_in_page.tsx";
import { Password, UserName, usersKey } from "../auth/users.ts";
import { LONGEST_NAME, SIGN_IN_BODY_BYTES, type Visit } from "./visit.ts";

const FirstAdmin = z.object({ name: UserName, password: Password });

/**
 * `/set-up`: creates the first admin, with the link that the first start prints. Its token is in the fragment, so that no
 * log of a proxy gets it; the links of earlier versions have it in the query.
 */
export function setUpRoutes(app: AdminServices, { home, base, limitsOf, errors, enter }: Visit): Hono {
  const routes = new Hono();
  const { users, audit } = app.admin;

  const expired = (c: Context) =>
    c.html(
      messagePage({
        ...base,
        title: "This link is no longer valid",
        message: "It works once and expires after a day. Restart cfbe to get a new one.",
      }),
      410,
    );
  const usable = async (token: string) =>
    setUpUsable((await readRow(app.kv, usersKey()))?.setUps, token, app.clock.now());

  routes.get("/set-up", async (c) => {
    const token = c.req.query("token");
    if (token === undefined) return c.html(openSetUpPage(base));
    return await usable(token) ? c.html(setUpPage({ ...base, token, name: "" })) : expired(c);
  });

  routes.post("/set-up", errorsAs(errors), bodyLimit(app, SIGN_IN_BODY_BYTES), formFields, async (c) => {
    const sent = c.var.fields;
    const token = sent.get("token") ?? tokenOfLink(sent.get("link") ?? "");
    const counted = await attempt(app, await limitsOf(c, "", undefined));
    if ("retryAfterMs" in counted) {
      c.header("Retry-After", String(Math.ceil(counted.retryAfterMs / 1000)));
      return c.html(
        messagePage({ ...base, title: "Too many attempts", message: "Try again in 15 minutes." }),
        429,
      );
    }
    if (!await usable(token)) return expired(c);
    await counted.refund();
    if (!sent.has("password")) return c.html(setUpPage({ ...base, token, name: "" }));
    const first = await FirstAdmin.safeParseAsync(Object.fromEntries(sent));
    if (!first.success) {
      const name = (sent.get("name") ?? "").slice(0, LONGEST_NAME);
      const { message: problem, fields } = invalid(first.error);
      return c.html(setUpPage({ ...base, token, name, problem, fields }), 422);
    }
    const { name } = first.data;
    const end = await audit.begin({
      who: name,
      action: "cfbe_create_first_admin",
      from: await originOf(app, c, name),
    });
    const refused = await users.addFirst({
      ...first.data,
      usable: (rows) => setUpUsable(rows, token, app.clock.now()),
    });
    const user = refused ? undefined : await users.find(name);
    await end(user ? "done" : "refused");
    return user ? await enter(c, user, home) : expired(c);
  });
  return routes;
}
