import { type Context, Hono, type MiddlewareHandler } from "hono";
import { sourceOf } from "../../../shared/contract.ts";
import { SUBSCRIBE_BODY_BYTES } from "../../../shared/limits.ts";
import { type ErrorCode, type ErrorFormat, errorsAs } from "../../platform/http/errors.ts";
import { bodyLimit } from "../../platform/http/guards/body_limit.ts";
import { formFields, type HasFields } from "../../platform/http/guards/form_fields.ts";
import { createTicket } from "../../platform/attack/challenge.ts";
import { issueToken } from "../../platform/keys/form_token.ts";
import type { CounterEntry } from "../../platform/observe/counters.ts";
import { ownPage } from "../../platform/pages/own_page.ts";
import { publicSettings } from "../../forms/public/public_settings.ts";
import { isTestConfig, TEST_FORM } from "../../forms/public/test_form.ts";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { allLive, isPublished, settingsAt } from "../../settings/forms/form_state.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import type { SubscribeDeps } from "../subscribe/route.ts";
import { EMPTY, filledIn, openedWith } from "./filled_in.ts";
import { allowNextPage } from "./next_page.ts";
import { type HasView, submitRoute } from "./submit_route.ts";
import { errorPage, formPage, noFormPage } from "./view.tsx";

/**
 * Creates the routes `GET|POST {base_url}/form/NAME`, mounted at `{base_url}/form`: a named form on a page of its own, which
 * works without JavaScript. Forms in a page's own markup are submitted to it when their script did not run.
 */
export function formPageRoutes(app: SubscribeDeps): Hono {
  const routes = new Hono();
  const errors = formErrors(app);
  const prepared = withView(app);

  routes.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  routes.use(allowNextPage(app));
  routes.use(ownPage([new URL(app.config.baseUrl).origin]));

  routes.get("/:name?", errorsAs(errors), prepared, (c) => {
    const { view } = c.var;
    const name = c.req.param("name");
    if (name !== undefined && (!view.form || view.off)) return c.html(noFormPage(view), 404);
    const form = isTestConfig(app.keyring, view.cfg) ? TEST_FORM : name ?? sourceOf(view.form?.layout);
    app.counters.note("seen", form);
    const query = new URL(c.req.url).searchParams;
    const filled = openedWith(view.settings.fields ?? [], query, c.req.header("referer"));
    return c.html(formPage({ ...view, filled }));
  });

  // A page may still submit to a form that was renamed or removed. Its signups go to the default list, like those of
  // the widget.
  routes.post(
    "/:name?",
    errorsAs({ ...errors, refused: countIn(app) }),
    prepared,
    bodyLimit(app, SUBSCRIBE_BODY_BYTES),
    formFields,
    submitRoute(app),
  );
  return routes;
}

/**
 * Reads what every page of this form shows. `form` is undefined if the settings have no form of that name, or if pages do
 * not show it. Only a page that was opened before a form was paused, or its time was over, can still submit it: it has the
 * form's configuration.
 */
function withView(app: SubscribeDeps): MiddlewareHandler<HasView> {
  const { baseUrl } = app.config;
  return async (c, next) => {
    const name = c.req.param("name") ?? "";
    const current = app.settings.current();
    const now = app.clock.now();
    const named = current.forms.forms.find((each) => each.name === name);
    const isOff = settingsAt(current, now).off.has(name);
    const isOpen = isOff && c.req.method === "POST" && isPublished(current, named!, now);
    const shown = isOpen ? { ...app, settings: { current: () => allLive(current, name) } } : app;
    const settings = await publicSettings(shown, wantedLocales(c));
    // Own properties only, because every object has a `constructor`.
    const form = Object.hasOwn(settings.forms, name) ? settings.forms[name] : undefined;
    const cfg = c.req.query("cfg") ?? form?.cfg ?? settings.cfg;
    const issued = issueToken(app.keyring, now);
    // Without JavaScript, a visitor waits instead of solving a challenge.
    const token = app.attackMode.current() ? `${issued}.${createTicket(app, issued)}` : issued;
    c.set("view", {
      baseUrl,
      ...(form && { name }),
      off: isOff,
      now,
      zone: siteZone(current),
      settings: { ...settings, ...form, texts: { ...settings.texts, ...form?.texts } },
      form,
      cfg,
      token,
    });
    await next();
  };
}

/** Returns the locale in the URL, then those that the browser prefers. */
function wantedLocales(c: Context): string[] {
  const locale = c.req.query("locale");
  return [...(locale ? [locale] : []), ...acceptedLocales(c.req.header("accept-language"))];
}

/** What the guards and the handler of a form have set when an error occurs. */
interface ErrorEnv {
  Variables: Partial<HasView["Variables"] & HasFields["Variables"]>;
}

/** Reports an error on the form, which keeps the visitor's input if it was read. */
function formErrors(app: SubscribeDeps): ErrorFormat {
  return {
    respond({ code, status }, c: Context<ErrorEnv>) {
      const { view, fields } = c.var;
      const { texts, locale } = settingsOfForm(app.settings.current(), {}, wantedLocales(c));
      const notice = code === "too_large" ? texts.again : texts.error;
      if (!view) return c.html(errorPage(app.config.baseUrl, locale, notice), status);
      if (view.off) return c.html(noFormPage(view), status);
      return c.html(formPage({ ...view, filled: fields ? filledIn(fields) : EMPTY, notice }), status);
    },
    failed: "form_page.request_failed",
  };
}

/** The counter of each error. */
const ENTRIES: Partial<Record<ErrorCode, CounterEntry>> = {
  too_large: "invalid.too_large",
  rejected: "rejected.error",
};

/** Counts refused and failed submissions; `submitRoute` counts all others. */
function countIn({ counters }: SubscribeDeps): NonNullable<ErrorFormat["refused"]> {
  return ({ code }, c: Context<ErrorEnv>) => {
    const entry = ENTRIES[code];
    if (entry) counters.count(sourceOf(c.var.view?.form?.layout), entry);
  };
}
