import type { Context } from "hono";
import { type ErrorCode, type ErrorFormat, refuse } from "../../platform/http/errors.ts";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import { asObject, parseJson } from "../../platform/http/request_body.ts";
import type { AdminServices } from "../frame/services.ts";
import type { Actor } from "../auth/actor.ts";
import { issueNonce } from "../auth/nonce.ts";
import type { Flash } from "../auth/cookies.ts";
import { originOf, sessionClient } from "../auth/request_origin.ts";
import { actionAccess, type HasAction, PAGE_EXPIRED } from "./action_access.ts";
import {
  hasTooManyFields,
  isMultipart,
  type Posted,
  readForm,
  readJson,
  readMultipart,
} from "../frame/ajax_body.ts";
import { ACTION_PARAMETERS } from "../frame/action_parameters.ts";
import { pageAt } from "../frame/page.ts";
import { movedPage } from "./moved_pages.ts";
import { pageResponse } from "./page_response.ts";
import type { Screens } from "./screens.ts";
import { messagePage, signInPage } from "./sign_in_page.tsx";
import { signInWays } from "./sign_in_ways.ts";
import { withPassword } from "./password_first.ts";
import { type ActionOutcome, isPasswordNeeded, runActionOf } from "../frame/run_action.ts";
import { NOT_ALLOWED, Refusal } from "../frame/refusal.ts";
import { adminHref, type SentForm } from "../frame/view.ts";
import type { HasActor } from "../auth/guards.ts";

export const AJAX_BODY_BYTES = 512 * 1024;
/** Of a form with a file, or of JSON with a file in Base64. */
export const UPLOAD_BODY_BYTES = 9 * 1024 * 1024;

type Failed = ActionOutcome & { ok: false };
const failed = (status: number, code: string, message: string): Failed => ({
  ok: false,
  status,
  code,
  message,
});

/** Refusals with a code or message of their own. */
const REFUSALS: Partial<Record<ErrorCode, { code: string; message: string }>> = {
  unauthorized: {
    code: "signed_out",
    message: "Your session has ended, so this was not done. Sign in to continue.",
  },
  too_large: {
    code: "too_large",
    message: "The request is too large. Nothing was changed. Go back, shorten your input and try again.",
  },
};

/** Reports errors like a failed action: as JSON, or on a page. */
export function ajaxErrors(app: AdminServices, screens: Screens): ErrorFormat {
  return {
    respond(error, c: Context<Partial<HasActor>>) {
      const { code, message } = REFUSALS[error.code] ?? error;
      return respond(app, screens, c, undefined, failed(error.status, code, message), c.var.actor);
    },
  };
}

/**
 * `POST {base_url}/admin/ajax`, or `/admin/upload` for actions with a file: runs an action (contract 14.1). Responds with JSON to clients that accept it. Forms are
 * redirected to their page, or get the page with its errors.
 */
export function ajaxRoute(app: AdminServices, screens: Screens) {
  return async (c: Context<HasActor & HasAction & HasBody>): Promise<Response> => {
    const { actor, body, action, expired, checkOnly } = c.var;
    const posted = await readPosted(body, c.req.header("content-type") ?? "");
    if (!posted) return await refuse(c, "too_large");
    posted.action = action ?? posted.action;
    // The page is shown again with what the user has entered, and a new nonce.
    if (expired) return respond(app, screens, c, posted, failed(403, "bad_nonce", PAGE_EXPIRED), actor);
    if (posted.check !== undefined) return await respondToCheck(app, screens, c, posted, actor);
    if (checkOnly) return respond(app, screens, c, posted, failed(403, "not_allowed", NOT_ALLOWED), actor);
    if (posted.edit) return respond(app, screens, c, posted, undefined, actor);
    const from = await originOf(app, c, actor.kind === "user" ? actor.name : undefined);
    const run = (by: Actor) => runActionOf(screens.actionNamed, app, by, posted.action, posted.input, from);
    const result = await run(actor);
    if (actor.kind !== "user" || wantsJson(c, actor) || !isPasswordNeeded(result)) {
      return await respond(app, screens, c, posted, result, actor);
    }
    const { pathname, search } = pageUrlOf(posted.page);
    const { title, asksPassword = false } = screens.actionNamed(posted.action)!;
    const confirmed = await withPassword(app, c, actor, {
      what: title,
      asks: asksPassword,
      action: actionHref(app, actor, posted.action),
      fields: new URLSearchParams(new TextDecoder().decode(body)),
      page: pathname + search,
    });
    if (confirmed instanceof Response) return confirmed;
    return await respond(app, screens, c, posted, await run(confirmed), confirmed);
  };
}

/** Returns the URL of an action with a new nonce: the page that it was sent from may have been open for hours. */
function actionHref(app: AdminServices, { session }: Actor & { kind: "user" }, action: string): string {
  const query = new URLSearchParams({
    [ACTION_PARAMETERS.action]: action,
    [ACTION_PARAMETERS.nonce]: issueNonce(app.keyring, session, action, app.clock.now()),
  });
  return adminHref(app, `/ajax?${query}`);
}

/** Refuses, before the body is read, a request without a nonce, or an action that the actor may not run. */
export function ajaxAccess(
  app: AdminServices,
  screens: Screens,
  allowed?: Parameters<typeof actionAccess>[3],
) {
  return actionAccess(
    app,
    screens,
    (c, status, code, message) =>
      respond(app, screens, c, undefined, failed(status, code, message), c.get("actor")),
    allowed,
  );
}

/** Shows the form again, with what its values mean or, if they are invalid, their errors. */
async function respondToCheck(
  app: AdminServices,
  screens: Screens,
  c: Context,
  posted: Posted,
  actor: Actor,
): Promise<Response> {
  await app.settings.refresh();
  try {
    const checked = screens.checkedSettings(app, posted);
    return await respond(app, screens, c, { ...posted, checked }, undefined, actor);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, fields } = error;
    return await respond(app, screens, c, posted, { ok: false, status, code, message, fields }, actor);
  }
}

/** Returns what was posted; undefined if a form has too many fields. */
async function readPosted(body: Uint8Array, contentType: string): Promise<Posted | undefined> {
  if (contentType.startsWith("application/json")) {
    return readJson(asObject(parseJson(body)) ?? {});
  }
  if (hasTooManyFields(body, contentType)) return undefined;
  if (isMultipart(contentType)) return await readMultipart(body, contentType);
  return readForm(new URLSearchParams(new TextDecoder().decode(body)));
}

/** @param result undefined if rows of a form were added or removed, or its values checked, and no action ran */
async function respond(
  app: AdminServices,
  screens: Screens,
  c: Context,
  posted: SentForm | undefined,
  result: ActionOutcome | undefined,
  actor?: Actor,
): Promise<Response> {
  const { cookies, sessions } = app.admin;
  if (result?.ok && actor?.kind === "user" && result.session) {
    await sessions.close(actor.session.id);
    if (result.session === "close") cookies.close(c);
    else cookies.open(c, await sessions.open(result.session.open, await sessionClient(app, c)));
  }
  if (wantsJson(c, actor)) {
    if (!result) {
      return c.json({
        ok: false,
        code: "edit",
        message: "Only forms can add and remove rows, and check their values.",
      }, 400);
    }
    const { status, ...body } = result;
    const { session: _, to: __, stay: ___, tone: ____, link: _____, ...shown } = body as Partial<
      ActionOutcome & { ok: true }
    >;
    return c.json(shown, status as 200);
  }
  return await respondWithPage(app, screens, c, posted, result, actor);
}

async function respondWithPage(
  app: AdminServices,
  screens: Screens,
  c: Context,
  posted: SentForm | undefined,
  result: ActionOutcome | undefined,
  actor: Actor | undefined,
): Promise<Response> {
  const href = (path: string) => adminHref(app, path);
  const target = posted ? pageUrlOf(posted.page) : refererPage(app, screens, c);
  if (target.pathname === "/") target.pathname = screens.pages[0]!.path;
  if (result?.ok && !result.stay) {
    app.admin.cookies.setFlash(c, flashOf(result));
    return c.redirect(href(result.to ?? target.pathname + target.search), 303);
  }
  const status = (result?.status ?? 200) as 200 | 401;
  if (actor?.kind !== "user") {
    if (status !== 401) {
      return c.html(
        messagePage({ href, title: "Something went wrong", message: result?.message ?? "" }),
        status,
      );
    }
    return c.html(
      signInPage({
        href,
        ...await signInWays(app),
        next: target.pathname + target.search,
        name: "",
        problem: result?.message,
      }),
      status,
    );
  }
  const page = pageAt(screens.pages, target.pathname);
  if (!page || !posted) {
    return c.html(
      messagePage({ href, title: "Something went wrong", message: result?.message ?? "" }),
      status,
    );
  }
  return await pageResponse(app, screens, c, page, actor, {
    search: target.search,
    posted: result?.ok ? undefined : { ...posted, ...(result && { failure: result }) },
    done: result?.ok ? { ...result, action: posted.action } : undefined,
    flash: result?.ok ? flashOf(result) : undefined,
  }, status);
}

const flashOf = ({ tone, message, link }: ActionOutcome & { ok: true }): Flash => ({
  kind: tone ?? "done",
  text: message,
  link,
});

/** Returns the page that a form was on, as a URL whose path is the page's. */
function pageUrlOf(page = ""): URL {
  const url = URL.parse(page, "http://any/") ?? new URL("http://any/");
  const moved = movedPage(url.pathname, url.searchParams);
  return moved === undefined ? url : new URL(moved, url);
}

/** Returns the admin page that a request was sent from. Before the body is read, only the `Referer` shows it. */
function refererPage(app: AdminServices, { pages }: Screens, c: Context): URL {
  const { pathname, search } = pageUrlOf(c.req.header("referer"));
  const path = pathname.slice(adminHref(app, "").length);
  return pageUrlOf(pageAt(pages, path) && adminHref(app, path) === pathname ? path + search : "");
}

/** Scripts accept JSON, and browsers that submit a form don't. Clients with the API token are scripts. */
function wantsJson(c: Context, actor: Actor | undefined): boolean {
  const accept = c.req.header("accept") ?? "";
  return actor?.kind === "token" || (accept.includes("application/json") && !accept.includes("text/html"));
}
