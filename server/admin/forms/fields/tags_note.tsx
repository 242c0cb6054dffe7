import type { VNode } from "preact";
import { capitalized } from "../../../platform/words/capitalized.ts";
import { moduleOf, providerTitle } from "../../../settings/store/provider.ts";
import type { View } from "../../frame/view.ts";

/** Says what becomes of the tags of signups if the provider in use stores none. */
export function TagsNote({ view }: { view: View }): VNode | null {
  const { settings } = view.app;
  const current = settings.current();
  if (moduleOf(current, settings.providers).capabilities.tags) return null;
  const title = capitalized(providerTitle(current.general.provider, settings.providers));
  return (
    <p class="help">
      {title}{" "}
      stores no tags: they stay in cfbe and its exports. To write to only these people, give the form a list
      of its own.
    </p>
  );
}
