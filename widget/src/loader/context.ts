import type { PublicSettings } from "../../../shared/public_settings.ts";
import { attributeOf } from "../host/attribute.ts";
import type { Context, Load } from "../host/context.ts";
import { unknownFormWarning } from "../signup/placement.ts";
import { fetchJsonFrom } from "./fetch_json.ts";
import { fetchFreshToken } from "./fresh_token.ts";

/** Replaced by the build. All parts share one version, because a list of names would not fit in a 2 KB loader. */
const VERSION = "%version%";

/** Replaced by `import` in the build. */
declare function importChunk<Module>(url: string): Promise<Module>;

async function fetchSettings(context: Context, locales: string): Promise<PublicSettings> {
  const [, settings] = await context.fetchJson(`/cfbe.json?locale=${encodeURIComponent(locales)}`, {
    cache: "default",
  }) as [number, PublicSettings];
  if (!settings?.texts) throw new Error("no data");
  return prepareSettings(context, settings);
}

/** Passes new settings through the parts that they name. */
export async function prepareSettings(context: Context, settings: PublicSettings): Promise<PublicSettings> {
  const run = <Name extends "variants" | "visit">(name?: Name) =>
    name && context.load(name).then(({ start }) => start(context, settings)).catch(console.warn);
  run(settings.visit);
  // If that code cannot be loaded, every form is as it is outside of its experiment.
  await run(settings.preload);
  return settings;
}

/**
 * Creates the context that the loader passes to its parts.
 *
 * @param base URL of the server's root, without a trailing slash
 * @param storage `data-storage` of the script tag
 * @param scriptLocale `data-locale` of the script tag
 */
export function createContext(base: string, storage: string, scriptLocale?: string): Context {
  const cache = new Map<string, Promise<PublicSettings>>();
  const fetchJson = fetchJsonFrom(base);
  const load: Load = (name) => importChunk(`${base}/cfbe/${name}-${VERSION}.js`);
  return {
    base,
    fetchJson,
    load,
    storage,
    settings(locales) {
      let settings = cache.get(locales);
      if (!settings) {
        cache.set(locales, settings = fetchSettings(this, locales));
        // A failed request is not cached, so that the next form fetches the settings again.
        settings.catch(() => cache.delete(locales));
      }
      return settings;
    },
    token({ form, source, unknown }) {
      if (unknown) console.warn(unknownFormWarning(form));
      return fetchFreshToken(fetchJson, form ?? source, load);
    },
    locales: (element) =>
      [
        attributeOf(element, "locale"),
        scriptLocale,
        // A field of the page named `lang` hides the property of its form.
        element.closest("[lang]")?.getAttribute("lang"),
        document.documentElement.lang,
        ...navigator.languages,
      ].filter((locale) => locale).join(),
  };
}
