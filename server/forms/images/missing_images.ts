import type { Clock } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { imagesOf, withImages } from "../../settings/forms/form_document.ts";
import { formDesign } from "../../settings/schema/design_schema.ts";
import { namedForm } from "../../settings/schema/form_schema.ts";
import type { Settings, Tab } from "../../settings/schema/schema.ts";
import type { Layer } from "../../settings/store/precedence.ts";
import { renewImage } from "./rows.ts";

interface Deps {
  kv: Kv;
  clock: Clock;
  settings: { current(): Settings };
}

/** What a form, the popup or the defaults of all forms show. */
type Shown = Parameters<typeof withImages>[0];

/**
 * Returns the fields of a tab without the images that are not stored here, as those of another installation are not, and a
 * sentence about those; undefined if nothing is missing. Invalid fields stay as they are.
 */
export async function withoutMissingImages(
  deps: Deps,
  tab: Tab,
  fields: Layer,
): Promise<{ fields: Layer; note: string | undefined }> {
  const shown = shownIn(tab, fields);
  const ids = new Set(shown.flatMap(imagesOf));
  if (ids.size === 0) return { fields, note: undefined };
  const current = JSON.stringify(deps.settings.current());
  const missing = new Set<string>();
  for (const id of ids) {
    if (!current.includes(id) && !await renewImage(deps, id)) missing.add(id);
  }
  if (missing.size === 0) return { fields, note: undefined };
  const stored = (each: Shown): Shown => {
    const { experiment, ...rest } = withImages(each, (id) => missing.has(id) ? undefined : id);
    return { ...rest, ...experiment && { experiment: { ...each.experiment, ...experiment } } };
  };
  if (tab !== "forms") {
    return {
      fields: { ...fields, design: stored(shown[0]!).design ?? {} },
      note: "Its image is not stored here: upload it again.",
    };
  }
  const names = shown.filter((each) => imagesOf(each).some((id) => missing.has(id))).map(({ name }) => name);
  return {
    fields: { ...fields, forms: shown.map(stored) },
    note: `Images that are not stored here were left out of ${names.join(", ")}: upload them again.`,
  };
}

/** Returns what shows images among the fields of a tab; nothing if they are invalid. */
function shownIn(tab: Tab, fields: Layer): Shown[] {
  if (tab === "forms") return namedForm.array().safeParse(fields["forms"]).data ?? [];
  if (tab !== "form" && tab !== "popup") return [];
  const { data: design } = formDesign.safeParse(fields["design"]);
  return design ? [{ design } as Shown] : [];
}
