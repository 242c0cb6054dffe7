import type { Provider } from "../../providers/port/port.ts";
import type { BeforeCall } from "../../providers/calls/wrap_calls.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import type { SignupRecord } from "./row.ts";

/** Finds the provider that a signup belongs to: the one that it was accepted for, and that has its list. */
export interface SignupProviders {
  /** Returns the provider's name, as `general.provider` names it. */
  nameOf(record: Pick<SignupRecord, "provider">): string;
  /**
   * Returns the provider with that name, whichever is chosen meanwhile. Returns undefined if cfbe can't use it: its key is
   * no longer set, or it is the sandbox and no longer runs.
   *
   * @param before runs just before each call is sent, once the call budget allows it
   */
  named(name: string, before?: BeforeCall): Provider | undefined;
}

/** Returns why cfbe can't reach the provider of a signup; nothing was sent to it. */
export function unusable(name: string): Trouble {
  return {
    kind: "trouble",
    code: "not_configured",
    reason: `The signup belongs to ${name}, whose API key is no longer set.`,
    unknown: false,
  };
}

/** Returns the provider of a signup; undefined if cfbe can't use it. */
export function providerOf(
  { nameOf, named }: SignupProviders,
  record: Pick<SignupRecord, "provider">,
): Provider | undefined {
  return named(nameOf(record));
}
