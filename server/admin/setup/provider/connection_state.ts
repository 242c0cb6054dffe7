import { type Health, healthOf, unresolved } from "../../../providers/provider_health.ts";
import type { ProviderChecks } from "../../../operations/provider/latest_tests.ts";
import { SANDBOX } from "../../../providers/providers.ts";

/** What is known about the connection to a provider. */
export type Connection =
  | { state: "untested" }
  /** Its settings have changed since the last test. */
  | { state: "changed" }
  | { state: "failed"; reason: string; at?: number }
  /** Without a name, cfbe has not tested it, but has used it, or it is the sandbox. */
  | { state: "works"; name?: string; at?: number };

/**
 * Returns the state of the connection, for the Provider page and for Getting started. The sandbox works untested. Pure.
 *
 * @param provider its name, as in `general.provider`
 * @param check the latest connection test
 * @param health of the provider in use; undefined for another one
 */
export function connectionOf(
  provider: string,
  check: ProviderChecks["connection"],
  health: Health | undefined,
): Connection {
  const own = healthOf(health ?? {}, provider);
  // A delivery that succeeds later proves that the connection works, whatever the test found.
  const deliveredAt = own["subscribe"]?.okAt ?? 0;
  const rejected = unresolved(own).find(({ call, code, at }) =>
    (call === "connection" || code === "forbidden") && at > deliveredAt
  );
  if (check) {
    const { at, name, reason } = check;
    if (reason !== undefined && check.isCurrent && at >= deliveredAt) return { state: "failed", reason, at };
    if (rejected && rejected.at > at) return { state: "failed", reason: rejected.reason, at: rejected.at };
    return check.isCurrent || deliveredAt > at
      ? { state: "works", at, ...(name !== undefined && { name }) }
      : { state: "changed" };
  }
  if (rejected) return { state: "failed", reason: rejected.reason, at: rejected.at };
  const responded = Object.values(own).some(({ okAt }) => okAt !== undefined);
  return { state: responded || provider === SANDBOX ? "works" : "untested" };
}
