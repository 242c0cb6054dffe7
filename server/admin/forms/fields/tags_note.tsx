import type { VNode } from "preact";
import { providerInUse } from "../../../settings/store/provider.ts";
import type { View } from "../../frame/view.ts";

/** Says what becomes of the tags of signups if the provider in use stores none. */
export function TagsNote({ view }: { view: View }): VNode | null {
  const { settings } = view.app;
  const { title, capabilities } = providerInUse(settings.current(), settings.providers);
  if (capabilities.tags) return null;
  return (
    <p class="help">
      {title}{" "}
      stores no tags: they stay in cfbe and its exports. To write to only these people, give the form a list
      of its own.
    </p>
  );
}
