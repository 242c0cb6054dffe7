import type { Context } from "hono";
import { asObject, parseJson, readBody } from "../http/request_body.ts";
import type { AdminServices } from "./services.ts";
import type { Actor } from "./auth/actor.ts";
import { fromOf } from "./auth/from.ts";
import { type Posted, readForm, readJson } from "./ajax_body.ts";
import { nonceHolds } from "./auth/nonce.ts";
import { pageAt, pages } from "./pages/registry.ts";
import { deadEndPage, signInPage } from "./auth/sign_in_page.tsx";
import { shell } from "./parts/shell.tsx";
import { type Answer, runAction } from "./run_action.ts";
import { adminHref, createView } from "./view.ts";
import { actorOf } from "./auth/identify.ts";

const BODY_BYTES = 512 * 1024;

type No = Answer & { ok: false };
const no = (status: number, code: string, message: string): No => ({ ok: false, status, code, message });

/**
 * `POST {base_url}/admin/ajax`: the one door for changes (contract 14.1). JSON for who accepts it; for a plain form
 * the way back to its page, or the page again with what was wrong.
 */
export function ajaxRoute(app: AdminServices) {
  return async (c: Context): Promise<Response> => {
    const actor = await actorOf(app, c.req.raw.headers);
    // Before the body: nobody who isn't signed in makes the service read half a megabyte.
    if (!actor) {
      const message = "You are not signed in any more. Nothing was changed.";
      return answer(app, c, undefined, no(401, "signed_out", message));
    }
    const posted = await readPosted(app, c);
    if (!posted) {
      return answer(app, c, undefined, no(413, "too_large", "That is too much for one request."), actor);
    }
    if (
      actor.kind === "user" &&
      !nonceHolds(app.keyring, actor.session, posted.action, app.clock.now(), posted.nonce)
    ) {
      const message =
        "This page is too old, or the request did not come from it. Nothing was changed: try again.";
      return answer(app, c, posted, no(403, "bad_nonce", message), actor);
    }
    if (posted.edit) return answer(app, c, posted, undefined, actor);
    const from = await fromOf(app, c, actor.kind === "user" ? actor.name : undefined);
    return answer(app, c, posted, await runAction(app, actor, posted.action, posted.input, from), actor);
  };
}

async function readPosted(app: AdminServices, c: Context): Promise<Posted | undefined> {
  const bytes = await readBody(c.req.raw, BODY_BYTES, app.clock);
  if (!bytes) return undefined;
  if (c.req.header("content-type")?.startsWith("application/json")) {
    return readJson(asObject(parseJson(bytes)) ?? {});
  }
  return readForm(new URLSearchParams(new TextDecoder().decode(bytes)));
}

/** @param result undefined when a form was only edited */
async function answer(
  app: AdminServices,
  c: Context,
  posted: Posted | undefined,
  result: Answer | undefined,
  actor?: Actor,
): Promise<Response> {
  const { cookies, sessions } = app.admin;
  if (result?.ok && actor?.kind === "user" && result.session) {
    await sessions.close(actor.session.id);
    if (result.session === "close") cookies.close(c);
    else cookies.open(c, await sessions.open(result.session.open));
  }
  if (wantsJson(c, actor)) {
    if (!result) {
      return c.json({ ok: false, code: "edit", message: "There is nothing to edit in JSON." }, 400);
    }
    const { status, ...body } = result;
    const { session: _, to: __, stay: ___, ...shown } = body as Partial<Answer & { ok: true }>;
    return c.json(shown, status as 200);
  }
  return await pageAnswer(app, c, posted, result, actor);
}

async function pageAnswer(
  app: AdminServices,
  c: Context,
  posted: Posted | undefined,
  result: Answer | undefined,
  actor: Actor | undefined,
): Promise<Response> {
  const href = (path: string) => adminHref(app, path);
  const place = posted ? pageNamed(posted.page) : pageBefore(app, c);
  if (place.pathname === "/") place.pathname = pages[0]!.path;
  if (result?.ok && !result.stay) {
    app.admin.cookies.say(c, { kind: "done", text: result.message });
    return c.redirect(href(result.to ?? place.pathname + place.search), 303);
  }
  const status = (result?.status ?? 200) as 200 | 401;
  if (actor?.kind !== "user") {
    if (status !== 401) {
      return c.html(deadEndPage({ href, title: "That did not work", says: result?.message ?? "" }), status);
    }
    return c.html(
      signInPage({ href, next: place.pathname + place.search, name: "", problem: result?.message }),
      status,
    );
  }
  const page = pageAt(place.pathname);
  if (!page || !posted) {
    return c.html(deadEndPage({ href, title: "That did not work", says: result?.message ?? "" }), status);
  }
  await app.settings.refresh();
  const view = await createView(app, c, actor, {
    path: page.path,
    search: place.search,
    posted: result?.ok ? undefined : { ...posted, ...(result && { answer: result }) },
    done: result?.ok ? { ...result, action: posted.action } : undefined,
    flash: result?.ok ? { kind: "done", text: result.message } : undefined,
  });
  if (!view.may(page.capability)) {
    return c.html(deadEndPage({ href, title: "Not for you", says: "You are not allowed to see this." }), 403);
  }
  return c.html(shell(view, page, pages, await page.render(view)), status);
}

/** Where a form says that it is, as a URL whose path is that of a page. */
function pageNamed(page = ""): URL {
  return URL.parse(page, "http://any/") ?? new URL("http://any/");
}

/** The page of the admin that a request was sent from, by its `Referer`: all that is known before the body is read. */
function pageBefore(app: AdminServices, c: Context): URL {
  const { pathname, search } = pageNamed(c.req.header("referer"));
  const path = pathname.slice(adminHref(app, "").length);
  return pageNamed(pageAt(path) && adminHref(app, path) === pathname ? path + search : "");
}

/** A script asks for JSON; a browser that sends a form does not. Who holds the token is a script. */
function wantsJson(c: Context, actor: Actor | undefined): boolean {
  const accept = c.req.header("accept") ?? "";
  return actor?.kind === "token" || (accept.includes("application/json") && !accept.includes("text/html"));
}
