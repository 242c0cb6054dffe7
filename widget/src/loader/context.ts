import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Ask, Context } from "../host/context.ts";
import { warnOfUnknown } from "../signup/placement.ts";
import { askAt } from "./ask.ts";
import { freshToken, tokenFrom } from "./fresh_token.ts";
import { loadFrom } from "./parts.ts";

/** Where the server tells its public settings, below its root. */
export const settingsPath = (locale: string): string => `/cfbe.json?locale=${encodeURIComponent(locale)}`;

async function fetchSettings(ask: Ask, locale: string): Promise<PublicSettings> {
  const [, json] = await ask(settingsPath(locale), { cache: "default" });
  if (!(json as PublicSettings | undefined)?.texts) throw new TypeError("no settings");
  return json as PublicSettings;
}

/**
 * @param base address of the server's root
 * @param storage `data-storage` of the script tag
 * @param forced the locale that it asks for
 */
export function createContext(base: string, storage: string, forced?: string): Context {
  const known = new Map<string, Promise<PublicSettings>>();
  const ask = askAt(base);
  const load = loadFrom(base);
  return {
    base,
    ask,
    load,
    storage,
    settings(locale) {
      let settings = known.get(locale);
      if (!settings) {
        known.set(locale, settings = fetchSettings(ask, locale));
        // A failure is not kept: the next form, or the same one later, asks again.
        settings.catch(() => known.delete(locale));
      }
      return settings;
    },
    token({ form, source, unknown }) {
      if (unknown) warnOfUnknown(form);
      return freshToken(tokenFrom(ask, form ?? source), load);
    },
    localeOf: (element) =>
      element.getAttribute("locale") || forced || element.closest<HTMLElement>("[lang]")?.lang ||
      document.documentElement.lang || navigator.language,
  };
}
