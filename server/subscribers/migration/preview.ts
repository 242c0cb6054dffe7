import type { Kv } from "../../platform/kv/port.ts";
import { asSentence } from "../../providers/port/trouble.ts";
import { keys } from "../../platform/kv/keys.ts";
import { listsWith } from "../../signup/confirm/pending_index.ts";
import type { Provider, ProviderList } from "../../providers/port/port.ts";

interface Deps {
  kv: Kv;
  /** The new provider. */
  provider: Provider;
  from: Provider;
}

export interface MigrationPreview {
  /** Active signups on the lists to move. */
  total: number;
  /** Lists of the old provider with active signups that are not to be moved. */
  left: ProviderList[];
}

/**
 * Checks that both providers can be reached and have the lists.
 *
 * @param lists IDs at the new provider by those at the old one
 * @returns a problem as a sentence, if there is one
 */
export async function previewMigration(
  { kv, provider, from }: Deps,
  lists: Readonly<Record<string, string>>,
): Promise<MigrationPreview | { problem: string }> {
  if (!provider.capabilities.imports) {
    return { problem: "cfbe cannot move subscribers to this provider. Export them, and import them there." };
  }
  const there = await provider.lists();
  if (there.kind === "trouble") {
    return { problem: `The new provider did not respond: ${asSentence(there.reason)}` };
  }
  const here = await from.lists();
  if (here.kind === "trouble") {
    return { problem: `The old provider did not respond: ${asSentence(here.reason)}` };
  }
  for (const [old, list] of Object.entries(lists)) {
    if (here.lists.every(({ id }) => id !== old)) return { problem: `The old provider has no list ${old}.` };
    if (there.lists.every(({ id }) => id !== list)) {
      return { problem: `The new provider has no list ${list}.` };
    }
    // With the same ID, one record would stand for two lists.
    if (list !== old && Object.hasOwn(lists, list)) {
      return { problem: `Both providers have a list ${list}. Move one list at a time.` };
    }
  }
  const left: ProviderList[] = [];
  for await (const id of listsWith(kv, "active")) {
    const known = here.lists.find((list) => list.id === id);
    if (known && !Object.hasOwn(lists, id)) left.push(known);
  }
  let total = 0;
  for (const list of Object.keys(lists)) {
    for await (const _ of kv.list({ prefix: keys.byStatusOn("active", list) }, { batchSize: 500 })) total++;
  }
  return { total, left };
}
