import { type Context, Hono } from "hono";
import { z } from "zod";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { attempt } from "../../platform/limits/spend.ts";
import { invalid } from "../frame/refusal.ts";
import type { AdminServices } from "../frame/services.ts";
import {
  AUDITED_LINK,
  PASSWORD_LINK_KINDS,
  PASSWORD_LINK_PATHS,
  type PasswordLink,
  type PasswordLinkKind,
} from "../auth/password_link.ts";
import { browserName } from "../auth/browser_name.ts";
import {
  choosePasskeyPage,
  choosePasswordPage,
  expiredLinkPage,
  openLinkPage,
} from "./password_link_page.tsx";
import { handleOfLink, sessionOfLink, tokenOfLink } from "../auth/link_token.ts";
import { originOf } from "../auth/request_origin.ts";
import { messagePage } from "../shell/sign_in_page.tsx";
import { Password } from "../auth/users.ts";
import { PASSKEY_BODY_BYTES, type Visit } from "./visit.ts";

const Chosen = z.object({ password: Password, repeat: z.string() })
  // Not timing-sensitive: the same person typed both.
  .refine(({ password, repeat }) => password === repeat, {
    path: ["repeat"],
    message: "the passwords do not match",
  });

/**
 * `/invitation` and `/new-password`: let someone with a link choose a password or, while passwords are turned off, create a
 * passkey. Only a form with either uses the link up, so that a program that looks at links in messages cannot.
 */
export function passwordLinkRoutes(app: AdminServices, visit: Visit): Hono {
  const routes = new Hono();
  for (const kind of PASSWORD_LINK_KINDS) {
    const path = PASSWORD_LINK_PATHS[kind];
    routes.get(path, (c) => c.html(openLinkPage({ ...visit.base, kind })));
    routes.post(
      path,
      errorsAs(visit.errors),
      bodyLimit(app, PASSKEY_BODY_BYTES),
      formFields,
      (c) => follow(app, visit, kind, c, c.var.fields),
    );
  }
  return routes;
}

async function follow(
  app: AdminServices,
  visit: Visit,
  kind: PasswordLinkKind,
  c: Context,
  sent: URLSearchParams,
): Promise<Response> {
  const { home, base, limitsOf, enter } = visit;
  const { users, passwordLinks, audit } = app.admin;
  const token = tokenOfLink(sent.get("link") ?? "");
  const counted = await attempt(app, await limitsOf(c, "", undefined));
  if ("retryAfterMs" in counted) {
    c.header("Retry-After", String(Math.ceil(counted.retryAfterMs / 1000)));
    const message = "Try again in 15 minutes.";
    return c.html(messagePage({ ...base, title: "Too many attempts", message }), 429);
  }
  const link = await passwordLinks.find(token);
  if (link?.kind !== kind) {
    app.log.warn("admin.link_refused", { ip: await app.clientIp(c) });
    return c.html(expiredLinkPage({ ...base, kind }), 410);
  }
  await counted.refund();
  await app.settings.refresh();
  const site = app.settings.current().privacy.organization || new URL(app.config.baseUrl).host;
  const page = { ...base, kind, link, token, site };
  if (!await users.acceptPasswords()) return await createPasskey(app, visit, c, sent, page);
  if (!sent.has("password")) return c.html(choosePasswordPage(page));
  const chosen = await Chosen.safeParseAsync(Object.fromEntries(sent));
  if (!chosen.success) {
    const { message: problem, fields } = invalid(chosen.error);
    return c.html(choosePasswordPage({ ...page, problem, fields }), 422);
  }
  const end = await audit.begin({
    who: link.name,
    action: AUDITED_LINK[kind],
    from: await originOf(app, c, link.name),
  });
  const used = await passwordLinks.use(token, chosen.data.password).catch(async (error) => {
    await end("failed");
    throw error;
  });
  const user = used && await users.find(used.name);
  await end(user ? "done" : "refused");
  return user ? await enter(c, user, home) : c.html(expiredLinkPage({ ...base, kind }), 410);
}

/** Why a passkey of the form was not accepted. */
const NOT_CREATED = "The passkey could not be verified, or creating it took too long. Create it again.";

/** Lets someone with a link create a passkey, which signs them in. */
async function createPasskey(
  app: AdminServices,
  { home, base, open }: Visit,
  c: Context,
  sent: URLSearchParams,
  page: Omit<Parameters<typeof choosePasskeyPage>[0], "options" | "hasFactor" | "title"> & {
    kind: PasswordLinkKind;
    link: PasswordLink;
    token: string;
  },
): Promise<Response> {
  const { users, passkeys, passwordLinks, secondFactors, sessions, audit } = app.admin;
  const { kind, token, link: { name } } = page;
  const session = sessionOfLink(token);
  const hasFactor = kind === "reset" && await secondFactors.of(name) !== undefined;
  const show = async (problem?: string) => {
    const options = hasFactor
      ? undefined
      : await passkeys.optionsWithoutSession(name, session, handleOfLink(token));
    const title = browserName(c.req.header("user-agent") ?? "");
    return c.html(choosePasskeyPage({ ...page, problem, options, hasFactor, title }), problem ? 422 : 200);
  };
  const answer = sent.get("passkey");
  if (!answer || hasFactor) return await show();
  const made = await passkeys.created(session, { title: sent.get("title") ?? "", answer });
  if (typeof made === "string") return await show(NOT_CREATED);
  const from = await originOf(app, c, name);
  const end = await audit.begin({ who: name, action: AUDITED_LINK[kind], from });
  const used = await passwordLinks.useWithPasskey(token, made);
  const user = used && await users.find(name);
  await end(user ? "done" : "refused");
  if (!user) return c.html(expiredLinkPage({ ...base, kind }), 410);
  await sessions.closeAll(name);
  return await open(c, user, home, "passkey");
}
