import { type Context, Hono } from "hono";
import { changesBetween } from "../../platform/audit/changes.ts";
import { UNKNOWN_NAME } from "../../platform/audit/actor_name.ts";
import { errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields } from "../../platform/http/guards/form_fields.ts";
import { limitSubject } from "../../platform/http/visitor/visitor_ip.ts";
import { attempt } from "../../platform/limits/spend.ts";
import { mayGrant } from "../auth/capability.ts";
import { checkNonce } from "../auth/nonce.ts";
import { BadAnswer, type Claims, type OidcClient, ProviderDown } from "../auth/oidc/client.ts";
import { type Flow, type FlowPurpose, openedFlow, sealedFlow } from "../auth/oidc/flow.ts";
import { nameFromEmail, roleByClaim, roleByDomain } from "../auth/oidc/new_user.ts";
import { OIDC_BACK, OIDC_START } from "../auth/oidc/paths.ts";
import { tokenOfLink } from "../auth/link_token.ts";
import { AUDITED_LINK } from "../auth/password_link.ts";
import { originOf } from "../auth/request_origin.ts";
import { isProved } from "../auth/proved.ts";
import type { Identity, User } from "../auth/users.ts";
import type { AdminServices } from "../frame/services.ts";
import { continuePage, messagePage } from "../shell/sign_in_page.tsx";
import { localPath, SIGN_IN_BODY_BYTES, tooMany, type Visit } from "./visit.ts";
import { sha256 } from "../../platform/keys/sha256.ts";

/** All users are in one row. */
const LONGEST_LABEL = 60;

/**
 * `/login/provider`: signs in at the identity provider, connects an account there, and accepts invitations with one. Users
 * are found by issuer and subject only, never by an email address.
 */
export function oidcRoutes(app: AdminServices, visit: Visit): Hono {
  const routes = new Hono();
  const { oidc } = app.admin;
  if (!oidc) return routes;

  routes.get(OIDC_START, async (c) => {
    const next = localPath(c.req.query("next") ?? null) ?? visit.home;
    const nonce = c.req.query("connect");
    if (nonce === undefined) {
      const kind = c.req.query("again") === undefined ? "sign-in" : "again";
      return await begin(app, visit, oidc, c, { kind }, next);
    }
    const session = await app.admin.sessions.find(app.admin.cookies.session(c));
    const now = app.clock.now();
    const isOwn = session && isProved(session, now) &&
      checkNonce(app.keyring, session, "cfbe_begin_identity", now, nonce) === "valid";
    if (!isOwn) return c.redirect(visit.base.href("/account"), 303);
    return await begin(app, visit, oidc, c, { kind: "connect", session: session.id }, "/account");
  });

  // A form can't be redirected to another site under our Content Security Policy, so that the page has a link.
  routes.post(
    OIDC_START,
    errorsAs(visit.errors),
    bodyLimit(app, SIGN_IN_BODY_BYTES),
    formFields,
    (c) => {
      const token = tokenOfLink(c.var.fields.get("link") ?? "");
      return begin(app, visit, oidc, c, { kind: "invitation", token }, visit.home);
    },
  );

  routes.get(OIDC_BACK, async (c) => {
    const flow = openedFlow(app.keyring, app.admin.cookies.takeFlow(c), app.clock.now());
    if (!flow) return await refuse(app, visit, c, `Signing in at ${oidc.name} took too long. Try again.`);
    const query = new URL(c.req.url, "http://any").searchParams;
    if (query.has("error")) {
      const problem = `${oidc.name} did not sign you in. Try again, or use another way.`;
      return await refuse(app, visit, c, problem, flow, `the provider refused`);
    }
    // Strangers can come back as often as they like, and each time costs requests to the provider.
    const tried = await attempt(app, [app.policies.loginIp(limitSubject(await app.clientIp(c)))]);
    if ("retryAfterMs" in tried) return await tooMany(visit, c, flow.next, tried.retryAfterMs);
    try {
      const claims = await oidc.finish(flow, query);
      await tried.refund();
      return await arrive(app, visit, oidc, c, flow, claims);
    } catch (error) {
      if (error instanceof ProviderDown) return await down(app, visit, oidc, c, flow.next, error);
      if (!(error instanceof BadAnswer)) throw error;
      const problem = `The answer of ${oidc.name} was not accepted. Sign in again.`;
      return await refuse(app, visit, c, problem, flow, error.detail);
    }
  });
  return routes;
}

async function begin(
  app: AdminServices,
  visit: Visit,
  oidc: OidcClient,
  c: Context,
  purpose: FlowPurpose,
  next: string,
): Promise<Response> {
  try {
    const { url, flow } = await oidc.start(purpose, next);
    app.admin.cookies.setFlow(c, sealedFlow(app.keyring, flow));
    if (c.req.method === "GET") return c.redirect(url, 303);
    return c.html(continuePage({ ...visit.base, name: oidc.name, url }));
  } catch (error) {
    if (!(error instanceof ProviderDown)) throw error;
    return await down(app, visit, oidc, c, next, error);
  }
}

async function down(
  app: AdminServices,
  { signInPage }: Visit,
  { name }: OidcClient,
  c: Context,
  next: string,
  error: ProviderDown,
): Promise<Response> {
  app.log.error("admin.oidc_unavailable", { reason: error.detail });
  const problem =
    `${name} can't be reached. Try again in a few minutes, or sign in another way. If you run cfbe, its log says why.`;
  c.header("Retry-After", "30");
  return c.html(await signInPage({ next, name: "", problem }), 503);
}

async function refuse(
  app: AdminServices,
  { signInPage }: Visit,
  c: Context,
  problem: string,
  flow?: Flow,
  reason?: string,
): Promise<Response> {
  const from = await originOf(app, c);
  if (reason) {
    await app.admin.audit.count({ who: UNKNOWN_NAME, action: "cfbe_use_identity", result: "refused", from });
  }
  app.log.warn("admin.oidc_refused", { ip: from.ip, reason });
  return c.html(await signInPage({ next: flow?.next ?? "", name: "", problem }), 401);
}

function identityOf(issuer: string, subject: string, label: string): Identity {
  return { issuer, subject: sha256(subject), label: label.slice(0, LONGEST_LABEL) };
}

/** Does what somebody went to the identity provider for. */
async function arrive(
  app: AdminServices,
  visit: Visit,
  oidc: OidcClient,
  c: Context,
  flow: Flow,
  claims: Claims,
): Promise<Response> {
  const { issuer, subject, email, name } = claims;
  const identity = identityOf(issuer, subject, email ?? name ?? "connected");
  switch (flow.purpose.kind) {
    case "connect":
      return await connect(app, visit, c, flow.purpose.session, identity);
    case "invitation":
      return await accept(app, visit, oidc, c, flow.purpose.token, claims, identity);
    default: {
      const found = await app.admin.users.findByIdentity(identity) ??
        await addByDomain(app, c, claims, identity);
      const user = found && await withRoleOfClaim(app, c, found, claims);
      if (!user) return await refuse(app, visit, c, unknownText(app, oidc, claims), flow, "no user");
      const end = await app.admin.audit.begin({
        who: user.name,
        action: "cfbe_use_identity",
        from: await originOf(app, c, user.name),
      });
      await end("done");
      // The browser may have brought a session of the provider, so that nobody was there. Whoever has no other way is
      // believed, because not all providers can say when somebody has signed in.
      const proved = claims.isFresh ||
        !user.hasPassword && !(await app.admin.passkeys.countAmong([user])).get(user.name);
      return await visit.enter(c, user, flow.next, proved ? "identity" : "none");
    }
  }
}

function unknownText(
  { config }: AdminServices,
  { name }: OidcClient,
  { email, emailVerified }: Claims,
): string {
  if (config.oidc!.domains.length > 0 && email && !emailVerified) {
    return `${name} has not verified your email address. Verify it there, then sign in again.`;
  }
  return `Your account at ${name} is not connected to a user here. Ask an admin for an invitation.`;
}

/** Creates a user for somebody with a verified address at one of the domains. */
async function addByDomain(
  app: AdminServices,
  c: Context,
  claims: Claims,
  identity: Identity,
): Promise<User | undefined> {
  const byDomain = roleByDomain(app.config.oidc!, claims);
  if (byDomain === undefined) return undefined;
  const role = roleByClaim(app.config.oidc!, claims) ?? byDomain;
  const { users, audit } = app.admin;
  const taken = new Set((await users.list()).map(({ name }) => name));
  const name = nameFromEmail(claims.email!, taken);
  const end = await audit.begin({
    who: name,
    action: "cfbe_add_by_domain",
    from: await originOf(app, c, name),
  });
  const refused = await users.addWithIdentity({ name, role, identity });
  await end(refused ? "refused" : "done");
  return await users.findByIdentity(identity);
}

/**
 * Gives a user the role that their claims give, if it is another one, and ends their sessions if it may do less. The last
 * admin stays one.
 *
 * @returns the user as they are now; undefined if they were removed meanwhile
 */
async function withRoleOfClaim(
  app: AdminServices,
  c: Context,
  user: User,
  claims: Claims,
): Promise<User | undefined> {
  const { name, role: before } = user;
  const role = roleByClaim(app.config.oidc!, claims);
  if (role === undefined || role === before) return user;
  const { users, sessions, audit } = app.admin;
  const end = await audit.begin({
    who: name,
    action: "cfbe_role_by_claim",
    target: audit.target(name),
    from: await originOf(app, c, name),
  });
  const refused = await users.setRole(name, role);
  if (!refused && !mayGrant(role, before)) await sessions.closeAll(name);
  await end(refused ? "refused" : "done", changesBetween({ role: before }, { role }));
  return await users.find(name);
}

async function connect(
  app: AdminServices,
  { base }: Visit,
  c: Context,
  id: string,
  identity: Identity,
): Promise<Response> {
  const { sessions, cookies, users, audit } = app.admin;
  const session = await sessions.find(cookies.session(c));
  if (session?.id !== id) return c.redirect(base.href("/account"), 303);
  const { name } = session.user;
  const end = await audit.begin({
    who: name,
    action: "cfbe_connect_identity",
    from: await originOf(app, c, name),
  });
  const refused = await users.connect(name, identity);
  await end(refused ? "refused" : "done");
  cookies.setFlash(
    c,
    refused
      ? { kind: "wrong", text: "This account is connected to another user already. Nothing was changed." }
      : { kind: "done", text: `${identity.label} is connected. From now on, you can sign in with it.` },
  );
  return c.redirect(base.href("/account"), 303);
}

async function accept(
  app: AdminServices,
  { base, enter, home }: Visit,
  { name: provider }: OidcClient,
  c: Context,
  token: string,
  claims: Claims,
  identity: Identity,
): Promise<Response> {
  const { users, passwordLinks, sessions, audit } = app.admin;
  const link = await passwordLinks.find(token);
  const end = link && await audit.begin({
    who: link.name,
    action: AUDITED_LINK[link.kind],
    from: await originOf(app, c, link.name),
  });
  const used = link && await passwordLinks.use(token, identity);
  const found = used && await users.find(used.name);
  const user = found && await withRoleOfClaim(app, c, found, claims);
  await end?.(user ? "done" : "refused");
  if (user) {
    await sessions.closeAll(user.name);
    return await enter(c, user, home, "identity");
  }
  const message =
    `The link can't be used any more, or your account at ${provider} is connected to another user already.`;
  return c.html(messagePage({ ...base, title: "Not accepted", message }), 410);
}
