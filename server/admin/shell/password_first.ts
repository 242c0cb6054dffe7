import type { Context } from "hono";
import type { Actor } from "../auth/actor.ts";
import { confirmUser, type Proof, UNCONFIRMED, type Unconfirmed } from "../auth/confirm_password.ts";
import { OIDC_START } from "../auth/oidc/paths.ts";
import { originOf } from "../auth/request_origin.ts";
import { type AsksProof, isProvedFor } from "../auth/proved.ts";
import type { AdminServices } from "../frame/services.ts";
import { adminHref } from "../frame/view.ts";
import { PASSKEY_FIELD, PASSWORD_FIELD, passwordPage } from "./password_page.tsx";
import { signInPage } from "./sign_in_page.tsx";
import { signInWays } from "./sign_in_ways.ts";

type UserActor = Actor & { kind: "user" };

const STATUS: Readonly<Record<Unconfirmed, 401 | 403 | 429 | 503>> = {
  "wrong": 403,
  "wrong-passkey": 403,
  "too-many": 429,
  "busy": 503,
  "signed-out": 401,
};

/** A request that needs the password of its user first. */
interface Asked {
  /** What the user wants to do, such as `Erase person`. */
  what: string;
  /** What it asks for. */
  asks: AsksProof;
  /** URL that the page with the password is sent to: that of the request. */
  action: string;
  /** The fields of the request. */
  fields: URLSearchParams;
  /** Path in the admin of the page that it came from. */
  page: string;
  download?: boolean;
}

/**
 * Returns the user with a session in which their password is confirmed, or the page that asks for it. A request that
 * brings the password has it checked. Nothing is kept on the server meanwhile: the page has the fields of the request.
 */
export async function withPassword(
  app: AdminServices,
  c: Context,
  actor: UserActor,
  asked: Asked,
): Promise<UserActor | Response> {
  if (isProvedFor(actor.session, asked.asks, app.clock.now())) return actor;
  const proof = proofIn(asked.fields);
  const isNotEnough = proof && "password" in proof &&
    (asked.asks === "without-password" || !actor.session.user.hasPassword);
  if (!proof || isNotEnough) return await askForPassword(app, c, actor, asked, undefined);
  const confirmed = await confirmUser(app, actor, proof, await originOf(app, c, actor.name));
  return typeof confirmed === "object" ? confirmed : await askForPassword(app, c, actor, asked, confirmed);
}

/** Returns what the page that asks was sent with; undefined if the request has not been there yet. */
function proofIn(fields: URLSearchParams): Proof | undefined {
  const [passkey, password] = [fields.get(PASSKEY_FIELD), fields.get(PASSWORD_FIELD)];
  if (passkey) return { passkey };
  return password === null ? undefined : { password: password.slice(0, 1000) };
}

async function askForPassword(
  app: AdminServices,
  c: Context,
  { name, session }: UserActor,
  { fields, page, asks, ...asked }: Asked,
  refused: Unconfirmed | undefined,
): Promise<Response> {
  const href = (path: string) => adminHref(app, path);
  const problem = refused && UNCONFIRMED[refused];
  if (refused === "signed-out") {
    return c.html(signInPage({ href, ...await signInWays(app), next: page, name: "", problem }), 401);
  }
  const passkey = await app.admin.passkeys.optionsToConfirm(session.user, session.id);
  const kept = [...fields].filter(([field]) => field !== PASSWORD_FIELD && field !== PASSKEY_FIELD);
  return c.html(
    passwordPage({
      href,
      provider: app.admin.oidc?.name,
      ...asked,
      name,
      problem,
      fields: kept,
      back: href(page),
      passkey,
      withoutPassword: asks === "without-password",
      hasPassword: session.user.hasPassword && asks !== "without-password",
      again: session.user.identity &&
        href(`${OIDC_START}?${new URLSearchParams({ again: "yes", next: page })}`),
    }),
    refused ? STATUS[refused] : 403,
  );
}
