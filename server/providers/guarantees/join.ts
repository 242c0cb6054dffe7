import type { ProviderHarness } from "../conformance.ts";
import type { Target } from "../port/port.ts";

/** Makes an address active: on the list without double opt-in, or by confirming if the provider has no such list. */
export async function join(h: ProviderHarness, email: string): Promise<Target> {
  const target = { list: h.singleOptIn ?? h.doubleOptIn, email };
  await h.provider.subscribe(target, { tags: [] });
  if (h.singleOptIn === undefined) await h.confirm(target);
  return target;
}
