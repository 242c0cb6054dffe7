import type { Context } from "hono";
import { isLoopback } from "../../platform/config/config.ts";
import type { ErrorFormat } from "../../platform/http/errors.ts";
import { limitSubject } from "../../platform/http/visitor/visitor_ip.ts";
import type { Policy } from "../../platform/limits/policies.ts";
import { counted } from "../../platform/words/counted.ts";
import type { AdminServices } from "../frame/services.ts";
import { adminHref } from "../frame/view.ts";
import { newDevice } from "../auth/device.ts";
import { networkOf } from "../../platform/http/visitor/network.ts";
import { originOf, sessionClient } from "../auth/request_origin.ts";
import { newSignInState } from "../auth/second_factor/sign_in_state.ts";
import { codePage, messagePage, signInPage } from "../shell/sign_in_page.tsx";
import { signInWays } from "../shell/sign_in_ways.ts";
import type { ProvedBy } from "../auth/proved.ts";
import type { User } from "../auth/users.ts";

export const SIGN_IN_BODY_BYTES = 8 * 1024;
/** The answer of an authenticator, and where to go. */
export const PASSKEY_BODY_BYTES = 16 * 1024;
/** Longer names are cut off: no user has one. */
export const LONGEST_NAME = 100;

/** What the routes without a session share. */
export interface Visit {
  /** Path of the page where the admin opens. */
  home: string;
  /** Properties of every page. */
  base: { href: (path: string) => string; warning: string | undefined; provider: string | undefined };
  /** Renders the sign-in page with the ways to sign in that there are now. */
  signInPage(
    page: { next: string; name: string; problem?: string; message?: string | undefined },
  ): Promise<string>;
  /** The limits that a failed attempt counts toward. `device` is the ID of a known browser. */
  limitsOf(c: Context, name: string, device: string | undefined): Promise<Policy[]>;
  /** Reports errors as a page. */
  errors: ErrorFormat;
  /**
   * Signs a user in whose password was right, or asks for the code of their second factor.
   *
   * @param proof as for `Sessions.open`
   */
  enter(c: Context, user: User, next: string, proof?: ProvedBy | "none"): Promise<Response>;
  /**
   * Opens a session in place of the browser's earlier one, remembers the browser, and redirects to `next`, a path in the
   * admin.
   */
  open(c: Context, user: User, next: string, proof?: ProvedBy | "none"): Promise<Response>;
}

export function createVisit(app: AdminServices, home: string): Visit {
  const { policies, keyring, random } = app;
  const { sessions, secondFactors, cookies, audit } = app.admin;
  const href = (path: string) => adminHref(app, path);
  const { baseUrl } = app.config;
  const warning = baseUrl.startsWith("https:") || isLoopback(baseUrl)
    ? undefined
    : "The public URL uses http, so browsers do not keep you signed in. Serve cfbe over https, and set CFBE_BASE_URL.";

  /**
   * Returns the limits that a failed attempt counts toward. A known browser has a limit of its own. Strangers are limited
   * per IP, per IP and account, per network and account, and per account. The last limit is so high that only attackers
   * in ten networks can exhaust it, and it never applies to a known browser.
   */
  async function limitsOf(c: Context, name: string, device: string | undefined): Promise<Policy[]> {
    if (device !== undefined) return [policies.loginDevice(device)];
    const ip = await app.clientIp(c);
    const subject = limitSubject(ip);
    const perIp = policies.loginIp(subject);
    if (name === "") return [perIp];
    return [
      perIp,
      policies.loginUserIp(name, subject),
      policies.loginUserNetwork(name, networkOf(ip)),
      policies.loginUser(name),
    ];
  }

  async function enter(c: Context, user: User, next: string, proof: ProvedBy | "none" = "password") {
    if (!await secondFactors.of(user.name)) return await open(c, user, next, proof);
    return c.html(codePage({ ...base, next, state: newSignInState(keyring, user, proof, app.clock.now()) }));
  }

  async function open(c: Context, user: User, next: string, proof: ProvedBy | "none" = "password") {
    const from = await originOf(app, c, user.name);
    const end = await audit.begin({ who: user.name, action: "cfbe_sign_in", from });
    // Its cookie is replaced, so that nobody could sign out of it.
    const before = await sessions.find(cookies.session(c));
    cookies.open(c, await sessions.open(user, await sessionClient(app, c), proof));
    if (before) await sessions.close(before.id);
    cookies.setDevice(c, newDevice(keyring, random, user.name));
    await end("done");
    return c.redirect(href(next), 303);
  }

  const base = { href, warning, provider: app.admin.oidc?.name };
  const errors: ErrorFormat = {
    respond({ code, status, message }, c) {
      const page = code === "too_large"
        ? { title: "The form is too large", message: "Go back and enter a shorter name and password." }
        : { title: "Something went wrong", message };
      return c.html(messagePage({ ...base, ...page }), status);
    },
  };

  const signIn: Visit["signInPage"] = async (page) =>
    signInPage({ ...base, ...await signInWays(app), ...page });

  return { home, base, signInPage: signIn, limitsOf, errors, enter, open };
}

/** Returns the path in the admin to open after signing in, and never another site; undefined without one. */
export function localPath(next: string | null): string | undefined {
  return next && /^\/[a-z][\w/-]*(\?[!-"$-~]*)?$/i.test(next) ? next : undefined;
}

/** Shows the sign-in page after too many failed attempts. */
export async function tooMany({ signInPage }: Visit, c: Context, next: string, retryAfterMs: number) {
  const wait = Math.ceil(retryAfterMs / 1000);
  c.header("Retry-After", String(wait));
  const problem = `Too many attempts. Try again in ${counted(Math.ceil(wait / 60), "minute")}.`;
  return c.html(await signInPage({ next, name: "", problem }), 429);
}
