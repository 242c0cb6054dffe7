import { Hono } from "hono";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { attempt } from "../../platform/limits/spend.ts";
import { counted } from "../../platform/words/counted.ts";
import { deviceOf } from "../auth/device.ts";
import { originOf } from "../auth/request_origin.ts";
import { userOfState } from "../auth/second_factor/sign_in_state.ts";
import type { AdminServices } from "../frame/services.ts";
import { codePage } from "../shell/sign_in_page.tsx";
import { localPath, SIGN_IN_BODY_BYTES, type Visit } from "./visit.ts";

const EXPIRED = "Sign in again: the code has to follow within five minutes.";

/**
 * `/login/code`: the second step of signing in. Wrong codes count toward the same limits as wrong passwords, so that nobody
 * who knows a password can try many.
 */
export function secondFactorRoutes(
  app: AdminServices,
  { home, base, signInPage, limitsOf, errors, open }: Visit,
): Hono {
  const routes = new Hono();
  const { users, secondFactors, cookies, audit } = app.admin;
  routes.post("/login/code", errorsAs(errors), bodyLimit(app, SIGN_IN_BODY_BYTES), formFields, async (c) => {
    const sent = c.var.fields;
    const next = localPath(sent.get("next")) ?? home;
    const state = sent.get("state") ?? "";
    const found = await userOfState(app.keyring, users.find, state, app.clock.now());
    if (!found) return c.html(await signInPage({ next, name: "", problem: EXPIRED }), 401);
    const { user, before } = found;
    const device = deviceOf(app.keyring, user.name, cookies.device(c));
    const tried = await attempt(app, await limitsOf(c, user.name, device));
    if ("retryAfterMs" in tried) {
      const wait = Math.ceil(tried.retryAfterMs / 1000);
      c.header("Retry-After", String(wait));
      const problem = `Too many attempts. Try again in ${counted(Math.ceil(wait / 60), "minute")}.`;
      return c.html(codePage({ ...base, next, state, problem }), 429);
    }
    const accepted = await secondFactors.use(user.name, sent.get("code") ?? "");
    const from = await originOf(app, c, user.name);
    if (!accepted) {
      await audit.count({ who: user.name, action: "cfbe_enter_code", result: "refused", from });
      const problem = "This code is incorrect, or was used already. Wait for the next one.";
      return c.html(codePage({ ...base, next, state, problem }), 401);
    }
    await tried.refund();
    if (accepted.by === "recovery-code") {
      const end = await audit.begin({ who: user.name, action: "cfbe_use_recovery_code", from });
      await end("done");
      const text = `You used a recovery code: ${counted(accepted.codesLeft, "is", "are")} left. ` +
        "If you have lost your authenticator app, set up another one under Your account.";
      cookies.setFlash(c, { kind: "warn", text });
    }
    return await open(c, user, next, before === "none" ? "code" : before);
  });
  return routes;
}
