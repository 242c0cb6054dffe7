import { counted } from "../../platform/words/counted.ts";
import { Hono } from "hono";
import { failedSignInOf, UNKNOWN_NAME } from "../../platform/audit/actor_name.ts";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { attempt } from "../../platform/limits/spend.ts";
import type { AdminServices } from "../frame/services.ts";
import { deviceOf } from "../auth/device.ts";
import { HashingBusy } from "../auth/hash_queue.ts";
import { oidcRoutes } from "./oidc_routes.ts";
import { passkeyRoutes } from "./passkey_routes.ts";
import { passwordLinkRoutes } from "./password_link_routes.ts";
import { originOf } from "../auth/request_origin.ts";
import { setUpRoutes } from "./set_up_routes.ts";
import { messagePage } from "../shell/sign_in_page.tsx";
import { secondFactorRoutes } from "./second_factor_routes.ts";
import { createVisit, localPath, LONGEST_NAME, SIGN_IN_BODY_BYTES } from "./visit.ts";

const PASSWORDS_OFF = "Passwords are turned off. Sign in another way.";

/**
 * Routes without a session: signing in, creating the first admin, and choosing a password with a link.
 *
 * @param home path of the page where the admin opens
 */
export function signInRoutes(app: AdminServices, home: string): Hono {
  const routes = new Hono();
  const { users, cookies, hashes, audit } = app.admin;
  const visit = createVisit(app, home);
  const { base, signInPage, limitsOf, errors, enter } = visit;

  routes.onError((error, c) => {
    if (!(error instanceof HashingBusy)) throw error;
    c.header("Retry-After", String(error.retryAfterMs / 1000));
    const message = "Too many sign-ins are in progress. Wait a few seconds and try again.";
    return c.html(messagePage({ ...base, title: "Too busy to sign you in", message }), 503);
  });

  routes.get("/login", async (c) => {
    const message = cookies.takeFlash(c)?.text;
    return c.html(await signInPage({ next: "", name: "", message }));
  });

  // The limits on attempts depend on the name in the body, and a successful attempt is refunded.
  routes.post("/login", errorsAs(errors), bodyLimit(app, SIGN_IN_BODY_BYTES), formFields, async (c) => {
    const sent = c.var.fields;
    const name = (sent.get("name") ?? "").trim().toLowerCase().slice(0, LONGEST_NAME);
    const next = localPath(sent.get("next")) ?? home;
    if (!await users.acceptPasswords()) {
      return c.html(await signInPage({ next, name: "", problem: PASSWORDS_OFF }), 403);
    }
    const device = deviceOf(app.keyring, name, cookies.device(c));
    const limits = await limitsOf(c, name, device);
    const password = (sent.get("password") ?? "").slice(0, 1000);
    // Everything runs inside the queue, so that an attempt that finds the queue full costs no commit.
    const attempted = await hashes.run(device === undefined ? "stranger" : "known", async () => {
      const tried = await attempt(app, limits);
      if ("retryAfterMs" in tried) return tried;
      const user = await users.verify(name, password);
      if (user) await tried.refund();
      return { user };
    });
    if ("retryAfterMs" in attempted) {
      const wait = Math.ceil(attempted.retryAfterMs / 1000);
      c.header("Retry-After", String(wait));
      const problem = `Too many attempts. Try again in ${counted(Math.ceil(wait / 60), "minute")}.`;
      return c.html(await signInPage({ next, name, problem }), 429);
    }
    if (attempted.user) return await enter(c, attempted.user, next);
    // One entry per hour and existing name, and one for all other names, so that guessing cannot flood the log.
    const who = await users.find(name) ? failedSignInOf(name) : UNKNOWN_NAME;
    const from = await originOf(app, c, name);
    await audit.count({ who, action: "cfbe_sign_in", result: "refused", from });
    app.log.warn("admin.sign_in_refused", { ip: from.ip });
    return c.html(
      await signInPage({ next, name, problem: "Incorrect name or password." }),
      401,
    );
  });

  return routes.route("/", secondFactorRoutes(app, visit)).route("/", passkeyRoutes(app, visit))
    .route("/", oidcRoutes(app, visit))
    .route("/", setUpRoutes(app, visit)).route("/", passwordLinkRoutes(app, visit));
}
