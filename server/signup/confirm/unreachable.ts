import type { Clock, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { SANDBOX } from "../../providers/providers.ts";
import type { ProviderHistory } from "../../settings/store/provider_history.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { putRecord } from "../record/record.ts";
import { signupKey } from "../record/row.ts";
import { endWait } from "../record/states.ts";
import { pendingByProvider } from "./pending_by_provider.ts";
import { listsWithPending } from "./pending_index.ts";

/**
 * Confirmations that are open at a provider that was used before, and whose API key is no longer set: cfbe can't see who
 * confirms there. They expire after 30 days like all others.
 */

export interface UnreachableDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  providerHistory: Pick<ProviderHistory, "names">;
  signupProviders: SignupProviders;
}

/** Open confirmations at one provider. */
export interface Unreachable {
  /** The provider's name, as `general.provider` names it. */
  provider: string;
  count: number;
}

/** How long one call of `endUnreachable` takes at most. */
const MAX_RUN_MS = 20_000;

/** Returns the providers that signups may belong to and that can't be asked. The sandbox has emailed nobody. */
function unreachableNames({ providerHistory, signupProviders }: UnreachableDeps): string[] {
  return providerHistory.names().filter((name) => name !== SANDBOX && !signupProviders.named(name));
}

/** Yields the signups with open confirmations at providers that can't be asked. Reads nothing if every provider can be. */
async function* unreachableSignups(
  deps: UnreachableDeps,
): AsyncGenerator<{ email: string; list: string; provider: string }> {
  const names = unreachableNames(deps);
  if (names.length === 0) return;
  const namesSoFar = () => deps.providerHistory.names();
  const signups = pendingByProvider({ ...deps, namesSoFar });
  for await (const list of listsWithPending(deps.kv)) {
    for (const provider of names) {
      for await (const { email } of signups.pendingAt(provider, list)) yield { email, list, provider };
    }
  }
}

/** Counts the open confirmations at each provider that can't be asked, up to `max` in all. */
export async function countUnreachable(deps: UnreachableDeps, max: number): Promise<Unreachable[]> {
  const counts = new Map<string, number>();
  let total = 0;
  for await (const { provider } of unreachableSignups(deps)) {
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
    if (++total >= max) break;
  }
  return [...counts].map(([provider, count]) => ({ provider, count }));
}

/**
 * Makes the open confirmations expire at providers that can't be asked. Ends early after 20 seconds.
 *
 * @returns how many expired
 */
export async function endUnreachable(deps: UnreachableDeps): Promise<number> {
  const { clock, signupProviders } = deps;
  const end = clock.now() + MAX_RUN_MS;
  let ended = 0;
  for await (const { email, list, provider } of unreachableSignups(deps)) {
    if (clock.now() > end) break;
    const hasEnded = await cas(
      deps.kv,
      { record: signupKey(email, list) },
      ({ record: { value: before } }) => {
        if (!before || signupProviders.nameOf(before) !== provider) return { value: false };
        const after = endWait(before, clock.now());
        if (after === before) return { value: false };
        return { value: true, write: (tx) => void putRecord(tx, before, after) };
      },
      deps,
    );
    if (hasEnded) ended++;
  }
  return ended;
}
