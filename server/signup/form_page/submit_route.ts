import type { Context } from "hono";
import { sourceOf } from "../../../shared/contract.ts";
import { NO_SCRIPT_WAIT_MS } from "../../../shared/limits.ts";
import { UTM_NAMES } from "../../../shared/signup_page.ts";
import { ADMIN_PATH, pathPrefix } from "../../platform/config/config.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import { setRetryAfter } from "../../platform/http/errors.ts";
import type { HasFields } from "../../platform/http/guards/form_fields.ts";
import { isForeignOrigin, pageOrigin } from "../../platform/http/visitor/page_origin.ts";
import { splitToken } from "../../platform/attack/challenge.ts";
import { type TokenFault, tokenFault } from "../../platform/keys/form_token.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import { readFormConfig } from "../../forms/public/signed_config.ts";
import { processSubmission, proofOf } from "../subscribe/process_submission.ts";
import { ipOfVisitor, type SubscribeDeps } from "../subscribe/route.ts";
import { filledIn } from "./filled_in.ts";
import { nextPage } from "./next_page.ts";
import { donePage, formPage, type FormView, noFormPage } from "./view.tsx";

/** What every page of a form shows. */
export interface HasView {
  Variables: { view: Omit<FormView, "filled"> };
}

/** Returns what the widget would send as `page`: the form submits to the URL of its page, with the query. */
function openedPage({ baseUrl, name }: Pick<FormView, "baseUrl" | "name">, url: string, referrer: string) {
  const { searchParams } = new URL(url);
  return {
    path: `${pathPrefix(baseUrl)}/form${name === undefined ? "" : `/${name}`}`,
    ...(referrer !== new URL(baseUrl).origin && { referrer }),
    utm: Object.fromEntries(UTM_NAMES.map((name) => [name, searchParams.get(`utm_${name}`)])),
  };
}

/** Returns whether a page that was opened before its form was turned off has sent it. */
function isOpenPage(
  { keyring, sites }: SubscribeDeps,
  { form, name }: Pick<FormView, "form" | "name">,
  fields: URLSearchParams,
) {
  return form !== undefined && readFormConfig(keyring, fields.get("cfbe_cfg"), sites)?.form === name;
}

/** Returns what is wrong with a token, or with the proof that follows it during an attack. */
function faultOf(
  app: SubscribeDeps,
  sent: string,
  ip: string,
): TokenFault | "no_proof" | "proof_young" | undefined {
  const now = app.clock.now();
  const { token, proof } = splitToken(sent);
  const fault = tokenFault(app.keyring, token, now);
  if (fault) return fault;
  const genuine = token as string;
  if (proofOf(app, { ip, token: genuine, ...proof !== undefined && { proof } }, now) !== "invalid") {
    return undefined;
  }
  return proof !== undefined && now - parseInt(genuine) < NO_SCRIPT_WAIT_MS ? "proof_young" : "no_proof";
}

/** Handles a submitted form from step 3 of decision 10, like `subscribeRoute`, and responds with a page. */
export function submitRoute(app: SubscribeDeps) {
  return async (c: Context<HasView & HasFields>): Promise<Response> => {
    // Started only now: a slow upload would use up the time that hides how long the work takes.
    using timer = app.responseTimer.start();
    const { view, fields } = c.var;
    if (view.off && !isOpenPage(app, view, fields)) return c.html(noFormPage(view), 404);
    const { texts, locale } = view.settings;
    const filled = filledIn(fields);
    const token = fields.get("cfbe_token") ?? "";

    // Any site can submit a form here without the visitor's consent. Such a form is shown again for the
    // visitor to submit.
    const { headers } = c.req.raw;
    const { baseUrl } = app.config;
    const { origins } = app.settings.current().general;
    const fault = isForeignOrigin(headers, { baseUrl, origins })
      ? "foreign"
      : fields.get("cfbe_hp")
      ? undefined
      : faultOf(app, token, await app.clientIp(c));
    if (fault) {
      if (fault === "no_proof" || fault === "proof_young") app.counters.note("challenge_again", view.name);
      // The widget would fetch a new token; this page shows the form again. A token that is only too young is
      // kept, so that it is old enough when the visitor submits again.
      const kept = fault === "token_young" || fault === "proof_young" ? { token } : {};
      return c.html(formPage({ ...view, ...kept, filled, notice: texts.again }));
    }

    const cfg = fields.get("cfbe_cfg") || view.cfg;
    const { referrer, ...input } = filled;
    const submission = {
      body: {
        ...input,
        page: referrer === undefined ? null : openedPage(view, c.req.url, referrer),
        form: view.name ?? null,
        cfbe_hp: fields.get("cfbe_hp"),
        cfbe_token: token,
        cfbe_cfg: cfg,
      },
      source: sourceOf(view.form?.layout),
      locales: [locale],
      ip: () => ipOfVisitor(app, c),
      origin: pageOrigin(headers),
      foreign: false,
    };
    const { form, entry, reply } = await withDatabaseTimeout(
      processSubmission(app, submission, timer),
      app.clock,
    );
    if (reply.status === 200) await timer.waitUntilDue();
    app.counters.count(form, entry);
    const { body, status } = reply;
    if (body.success) {
      // The same for every accepted address, also one that is subscribed already, and for dropped signups.
      const next = nextPage(app, view);
      return next ? c.redirect(next.href, 303) : c.html(donePage(view, body.message));
    }
    const isTest = body.code === "rate_limited" && isSandbox(app.settings.current());
    const page = formPage({
      ...view,
      filled,
      notice: body.message,
      fields: body.fields ?? {},
      ...(isTest && { limitsPage: `${baseUrl}${ADMIN_PATH}/privacy#limits` }),
    });
    const response = await c.html(page, status);
    if (reply.retryAfterMs !== undefined) setRetryAfter(response, reply.retryAfterMs);
    return response;
  };
}
