import type { Context } from "hono";
import type { HasBody } from "../../platform/http/guards/body_limit.ts";
import type { ExperimentCounts } from "../experiments/counts.ts";
import { runningVariants } from "../experiments/running.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { readVariants } from "./signed_config.ts";

interface Deps {
  keyring: Keyring;
  settings: Pick<SettingsStore, "current">;
  experimentCounts: Pick<ExperimentCounts, "count">;
}

/**
 * Handles `POST variant-seen`: a session has seen a variant for the first time. The body is the variant's signed
 * configuration, as plain text, so that a beacon needs no preflight request. The response is the same for variants that
 * are not counted.
 */
export function variantSeenRoute({ keyring, settings, experimentCounts }: Deps) {
  return (c: Context<HasBody>): Response => {
    const names = readVariants(keyring, new TextDecoder().decode(c.var.body));
    for (const name of runningVariants(settings.current(), names)) experimentCounts.count(name, "seen");
    return c.body(null, 204);
  };
}
