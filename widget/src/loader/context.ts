import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Context } from "../host/context.ts";
import { freshToken, tokenFrom } from "./fresh_token.ts";
import { loadFrom } from "./parts.ts";

/** Where the server tells its public settings. */
export function settingsUrl(base: string, locale: string): string {
  return `${base}/cfbe.json?locale=${encodeURIComponent(locale)}`;
}

async function fetchSettings(base: string, locale: string): Promise<PublicSettings> {
  const response = await fetch(settingsUrl(base, locale));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/**
 * @param base address of the server's root
 * @param forced the locale that the script tag asks for
 * @param storage its `data-storage`
 */
export function createContext(base: string, forced?: string, storage?: string): Context {
  const known = new Map<string, Promise<PublicSettings>>();
  return {
    base,
    load: loadFrom(base),
    storage,
    settings(locale) {
      let settings = known.get(locale);
      if (!settings) {
        known.set(locale, settings = fetchSettings(base, locale));
        // A failure is not kept: the next form, or the same one later, asks again.
        settings.catch(() => known.delete(locale));
      }
      return settings;
    },
    token: () => freshToken(tokenFrom(base)),
    localeOf: (element) =>
      element.getAttribute("locale") || forced || element.closest<HTMLElement>("[lang]")?.lang ||
      document.documentElement.lang || navigator.language,
  };
}
