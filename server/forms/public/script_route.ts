import type { Context } from "hono";
import type { NamedSettings, PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import { isOnlyRegion } from "../../../shared/texts/locales.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Log } from "../../platform/deps.ts";
import type { WidgetFiles } from "../../platform/http/widget_files.ts";
import { knownLocales } from "../../settings/forms/form_settings.ts";
import { wantedLocales } from "./public_route.ts";
import { publicSettings, type PublicSettingsDeps } from "./public_settings.ts";

interface Deps extends PublicSettingsDeps {
  config: Pick<Config, "baseUrl">;
  log: Log;
}

/**
 * Handles `GET {base_url}/cfbe.js`. With `?form=NAME`, or `?own=NAME` for a form in the page's own markup, the script has the
 * form's code and settings in it, so that the page needs no other request before the form is usable. Everybody can read
 * scripts, so it contains only what `cfbe.json` has, and pages on other than the allowed origins do not use it.
 */
export function scriptRoute(app: Deps, widget: Pick<WidgetFiles, "loader" | "named">) {
  return async (c: Context): Promise<Response> => {
    const { form, own } = c.req.query();
    const name = form || own;
    if (!name) return await widget.loader(c);
    try {
      const settings = await publicSettings(app, wantedLocales(c), name);
      const current = app.settings.current();
      const { origins } = current.general;
      const named: NamedSettings = {
        settings,
        isOnlyRegion: isOnlyRegion(settings.locale, knownLocales(current)),
        ...(origins.length > 0 && { origins: [...origins, new URL(app.config.baseUrl).origin].map(hashOf) }),
      };
      return await widget.named(c, partsOf(settings, name, !form), named);
    } catch (error) {
      // The loader alone asks for the settings again until the server has them.
      app.log.error("script.settings_failed", { error });
      const response = await widget.loader(c);
      response.headers.set("Cache-Control", "no-store");
      return response;
    }
  };
}

/** Parts that a form is rendered with, by what it has. */
const CHANGES = ["design", "steps", "countdown"] as const;

/** Returns the parts of the widget that a page with this form needs in any case. */
export function partsOf(settings: PublicSettings, name: string, own: boolean): string[] {
  const { forms, popup, opening, preload, visit } = settings;
  const form = forms[name] as Partial<PublicForm> | undefined;
  const shown = [{}, ...form?.experiment?.variants ?? []].map((each) => ({ ...settings, ...form, ...each }));
  const has = (test: (each: (typeof shown)[number]) => unknown) => shown.some(test);
  const openings = [popup.rules, ...(opening ?? []).map((each) => forms[each]?.opens)];
  const isTargeted = form?.targeting !== undefined;
  const parts = {
    own,
    form: !own,
    // Corrects addresses, from the first key on.
    mail: !own,
    layout: !own && (form?.layout === "block" || form?.layout === "promo"),
    ...Object.fromEntries(CHANGES.map((each) => [each, !own && has((shown) => shown[each])])),
    fields: has(({ fields, order }) => own ? fields : fields?.length || order?.length),
    placed: isTargeted,
    rules: isTargeted || (!own && form?.layout === "promo") || openings.some((rules) => rules),
    targeting: isTargeted || openings.some((rules) => rules?.targeting),
    triggers: openings.some((rules) => rules?.triggers.more),
    openings: opening !== undefined,
    variants: preload !== undefined,
    visit: visit !== undefined,
    page: has(({ attribution }) => attribution),
  };
  return Object.entries(parts).flatMap(([part, isNeeded]) => isNeeded ? [part] : []);
}
