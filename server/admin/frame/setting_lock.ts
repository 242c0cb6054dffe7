import { variableOf } from "../../settings/store/environment.ts";
import type { AdminServices } from "./services.ts";

/**
 * Returns what sets a setting outside of the admin: the name of a variable, or "the config file". Undefined if the admin
 * can change it.
 *
 * @param path such as `general.apiKey`
 */
export function lockedBy({ settings }: Pick<AdminServices, "settings">, path: string): string | undefined {
  const by = settings.fixedBy(path);
  return by === "environment" ? variableOf(path, settings.providers) ?? "the environment" : by && `the ${by}`;
}
