import { type Context, Hono } from "hono";
import { sourceOf } from "../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../shared/limits.ts";
import { readBody } from "../http/request_body.ts";
import { setRetryAfter } from "../http/errors.ts";
import { withDatabaseTimeout } from "../http/database_timeout.ts";
import { isForeignOrigin, pageOrigin } from "../http/visitor/page_origin.ts";
import { issueToken, tokenFault } from "../keys/form_token.ts";
import type { CounterEntry } from "../observe/counters.ts";
import { ownPage } from "../pages/own_page.ts";
import { publicSettings } from "../signup/form/public_settings.ts";
import { acceptedLocales, visitorTextsFor } from "../settings/visitor_texts.ts";
import { replies, type Reply } from "../signup/reply.ts";
import { processSubmission } from "../signup/process_submission.ts";
import type { SubscribeDeps } from "../signup/route.ts";
import { donePage, type FilledIn, formPage, type FormView, noFormPage } from "./view.ts";

const EMPTY: FilledIn = { email: "", name: "", interests: [], consent: false };
const LONGEST_SHOWN = 300;

/**
 * Serves `GET|POST {base_url}/form/NAME`: a named form on a page of its own, which works without JavaScript.
 * Forms in a page's own markup are submitted to it when their script did not run.
 */
export function formPageRoutes(app: SubscribeDeps): Hono {
  const routes = new Hono();
  const { baseUrl } = app.config;

  routes.use("/form/*", async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  routes.use("/form/*", ownPage([new URL(baseUrl).origin]));

  /** Returns what every page of this form shows. `form` is undefined if the settings have no form of that name. */
  async function viewOf(c: Context): Promise<Omit<FormView, "filled">> {
    const locale = c.req.query("locale");
    const wanted = [...(locale ? [locale] : []), ...acceptedLocales(c.req.header("accept-language"))];
    const settings = await publicSettings(app, wanted);
    const name = c.req.param("name") ?? "";
    // Own properties only, because every object has a `constructor`.
    const form = Object.hasOwn(settings.forms, name) ? settings.forms[name] : undefined;
    const cfg = c.req.query("cfg") ?? form?.cfg ?? settings.cfg;
    return { baseUrl, settings, form, cfg, token: issueToken(app.keyring, app.clock.now()) };
  }

  routes.get("/form/:name?", async (c) => {
    const view = await viewOf(c);
    const name = c.req.param("name");
    if (name !== undefined && !view.form) return c.html(noFormPage(view), 404);
    app.counters.note("seen", name ?? sourceOf(view.form?.layout));
    return c.html(formPage({ ...view, filled: EMPTY }));
  });

  // A page may still submit to a form that was renamed or removed. Its signups go to the default list, like those of
  // the widget.
  routes.post("/form/:name?", async (c) => {
    const view = await viewOf(c);
    const { texts, locale } = view.settings;
    const source = sourceOf(view.form?.layout);
    let form: string = source;

    const leave = (entry: CounterEntry, { status, body, retryAfterMs }: Reply, filled: FilledIn) => {
      app.counters.count(form, entry);
      if (retryAfterMs !== undefined) setRetryAfter(c, retryAfterMs);
      if (body.success) return c.html(donePage(view, body.message), 200);
      return c.html(formPage({ ...view, filled, notice: body.message, fields: body.fields ?? {} }), status);
    };

    const bytes = await readBody(c.req.raw, SUBSCRIBE_BODY_BYTES, app.clock);
    if (!bytes) return leave("invalid.too_large", replies.tooLarge(texts), EMPTY);
    const timer = app.responseTimer.start();
    const sent = new URLSearchParams(new TextDecoder().decode(bytes));
    const filled = filledIn(sent);
    const token = sent.get("cfbe_token") ?? "";

    // Any site can submit a form here without the visitor's consent. Such a form is shown again for the
    // visitor to submit.
    const { headers } = c.req.raw;
    const { origins } = app.settings.current().general;
    const fault = isForeignOrigin(headers, { baseUrl, origins })
      ? "foreign"
      : sent.get("cfbe_hp")
      ? undefined
      : tokenFault(app.keyring, token, app.clock.now());
    if (fault) {
      // The widget would fetch a new token; this page shows the form again. A token that is only too young is
      // kept, so that it is old enough when the visitor submits again.
      const kept = fault === "token_young" ? { token } : {};
      return c.html(formPage({ ...view, ...kept, filled, notice: texts.again }));
    }
    try {
      const visitorTexts = visitorTextsFor(app.settings.current(), [locale]);
      const cfg = sent.get("cfbe_cfg") || view.cfg;
      const body = { ...filled, cfbe_hp: sent.get("cfbe_hp"), cfbe_token: token, cfbe_cfg: cfg };
      const ip = () => app.clientIp(c);
      const submission = { body, source, visitorTexts, ip, origin: pageOrigin(headers), foreign: false };
      const result = await withDatabaseTimeout(processSubmission(app, submission, timer), app.clock);
      form = result.form;
      if (result.reply.status === 200) await timer.waitUntilDue();
      return leave(result.entry, result.reply, filled);
    } catch (error) {
      app.log.error("form_page.request_failed", { error });
      return leave("rejected.error", replies.rejected(texts), filled);
    }
  });
  return routes;
}

function filledIn(sent: URLSearchParams): FilledIn {
  const text = (name: string) => (sent.get(name) ?? "").slice(0, LONGEST_SHOWN);
  return {
    email: text("email"),
    name: text("name"),
    interests: sent.getAll("interests"),
    consent: !["", "0", "false", "off"].includes(text("consent")),
  };
}
