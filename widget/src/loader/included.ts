import type { NamedSettings, PublicSettings } from "../../../shared/public_settings.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import type { Context, Load, Parts } from "../host/context.ts";
import { prepareSettings } from "./context.ts";

/** Functions that each run the code of a part and return what it exports. */
export type IncludedParts = { [Name in keyof Parts]?: () => Parts[Name] };

/**
 * Lets a context use the parts and settings that came with the script, and fetch all others. The settings that came along
 * are those of one form in one locale, for pages on the allowed origins.
 */
export function withIncluded(
  context: Context,
  parts: IncludedParts,
  { settings, isOnlyRegion, origins }: NamedSettings,
): Context {
  const { load, settings: fetchSettings } = context;
  const loaded: Partial<Parts> = {};
  const { locale, forms } = settings;
  // Elsewhere the browser refuses to show the page the settings. The server then notices which site is missing.
  const isAllowed = !origins || origins.includes(hashOf(location.origin));
  /** Whether the server would choose this locale as well. If in doubt, it is asked. */
  const isMeant = (locales: string) => {
    const [wanted] = locales.toLowerCase().split(",") as [string];
    return wanted === locale.toLowerCase() || isOnlyRegion && wanted.split(/[-_]/)[0] === locale;
  };
  let prepared: Promise<PublicSettings> | undefined;

  const loadIncluded: Load = async (name) => {
    const part = parts[name];
    return part ? loaded[name] ??= part() : await load(name);
  };
  const settingsOf: Context["settings"] = async (locales, form) => {
    if (!isAllowed || !isMeant(locales)) return await fetchSettings.call(context, locales);
    const included = await (prepared ??= prepareSettings(context, settings));
    const found = included.forms[form!];
    if (form && !found?.cfg && !found?.off) {
      // Another form of the page. It is added to the objects that others already have.
      const all = await fetchSettings.call(context, locales);
      Object.assign(forms, { ...all.forms, ...forms });
      Object.assign(settings, { ...all, ...settings });
    }
    return included;
  };
  return Object.assign(context, { load: loadIncluded, settings: settingsOf });
}
