import { Hono } from "hono";
import { UNKNOWN_NAME } from "../../platform/audit/actor_name.ts";
import { errorsAs, notFound } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { limitSubject } from "../../platform/http/visitor/visitor_ip.ts";
import { attempt } from "../../platform/limits/spend.ts";
import { originOf } from "../auth/request_origin.ts";
import type { AdminServices } from "../frame/services.ts";
import { localPath, PASSKEY_BODY_BYTES, tooMany, type Visit } from "./visit.ts";

/** The same for every reason, so that nobody learns which passkeys and users there are. */
const REFUSED =
  "This passkey did not sign you in. It may have been removed, or the page was open for too long. Try again, or use another way.";

/**
 * `/login/passkey`: signs in with a passkey. The authenticator has verified its user, so that it stands for both factors. Nobody
 * can guess a passkey, so that a limit holds only for failed attempts: they never keep its owner out.
 */
export function passkeyRoutes(app: AdminServices, visit: Visit): Hono {
  const { home, signInPage, errors, open } = visit;
  const routes = new Hono();
  const { users, passkeys, audit } = app.admin;

  routes.get("/login/passkey", (c) => {
    const options = passkeys.optionsToSignIn();
    return options ? c.json(options) : notFound(c);
  });

  routes.post(
    "/login/passkey",
    errorsAs(errors),
    bodyLimit(app, PASSKEY_BODY_BYTES),
    formFields,
    async (c) => {
      const sent = c.var.fields;
      const next = localPath(sent.get("next")) ?? home;
      const used = await passkeys.use({ kind: "sign-in" }, sent.get("passkey") ?? "", users.find);
      const from = await originOf(app, c, used?.user.name);
      const action = "cfbe_use_passkey";
      if (!used) {
        const tried = await attempt(app, [app.policies.loginIp(limitSubject(await app.clientIp(c)))]);
        if ("retryAfterMs" in tried) return await tooMany(visit, c, next, tried.retryAfterMs);
        await audit.count({ who: UNKNOWN_NAME, action, result: "refused", from });
        app.log.warn("admin.passkey_refused", { ip: from.ip });
        return c.html(await signInPage({ next, name: "", problem: REFUSED }), 401);
      }
      const end = await audit.begin({ who: used.user.name, action, from });
      await end("done");
      return await open(c, used.user, next, "passkey");
    },
  );
  return routes;
}
