import assert from "node:assert/strict";
import type { ProviderHarness } from "../conformance.ts";
import type { Target } from "../port/port.ts";

/** Checks that an address waits for its confirmation, as far as the provider shows it. */
export async function assertPending(h: ProviderHarness, target: Target): Promise<void> {
  const expected = h.provider.capabilities.showsPending
    ? { kind: "found", status: "pending" }
    : { kind: "absent" };
  assert.partialDeepStrictEqual(await h.provider.status(target), expected);
}
