import type { AdminServices } from "./services.ts";
import { variableOf } from "../settings/precedence.ts";

/**
 * What fixes a setting, in the words of whoever has to look for it; undefined: it can be changed here.
 *
 * @param path such as `general.apiKey`
 */
export function fixedWords({ settings }: Pick<AdminServices, "settings">, path: string): string | undefined {
  const by = settings.fixedBy(path);
  return by === "environment" ? variableOf(path, settings.providers) ?? "the environment" : by && `the ${by}`;
}
