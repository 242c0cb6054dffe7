/** Every provider that the end-to-end tests can run with, by its name in `CFBE_PROVIDER`. */
import { type ProviderKind } from "../../server/providers/providers.ts";
import { DOUBLES } from "./doubles.ts";
import type { RemoteProvider, UsedBy } from "./remote_provider.ts";
import { bluefoxProcess, builtInSandbox } from "./sandboxes.ts";
import { servedDouble } from "./served_double.ts";

type Start = (by: UsedBy) => Promise<RemoteProvider>;

const STARTS: Readonly<Record<string, Start>> = {
  sandbox: builtInSandbox,
  bluefox: bluefoxProcess,
  ...Object.fromEntries(
    Object.entries(DOUBLES).map(([kind, start]): [string, Start] => [
      kind,
      async (by) => servedDouble(kind as ProviderKind, await start(), by),
    ]),
  ),
};

export const PROVIDER_NAMES: readonly string[] = Object.keys(STARTS);

/**
 * Starts a provider on a real socket.
 *
 * @throws {Error} if no provider has this name
 */
export function startProvider(name: string, by: UsedBy): Promise<RemoteProvider> {
  const start = Object.hasOwn(STARTS, name) ? STARTS[name] : undefined;
  if (!start) throw new Error(`Unknown provider ${name}. Use one of ${PROVIDER_NAMES.join(", ")}.`);
  return start(by);
}
