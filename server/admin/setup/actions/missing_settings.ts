import { cfbeCommand } from "../../../platform/config/cfbe_command.ts";
import { missingFields, withProvider } from "../../../settings/store/provider.ts";
import type { SettingsStore } from "../../../settings/store/store.ts";
import { Refusal } from "../../frame/refusal.ts";

/** @throws {Refusal} naming the required settings of a provider that are not set, and how to set them */
export function refuseMissing(settings: Pick<SettingsStore, "current" | "providers">, name: string): void {
  const missing = missingFields(withProvider(settings.current(), name), settings.providers);
  if (missing.length > 0) {
    const nouns = missing.map(([, { noun }]) => noun).join(" and ");
    const commands = missing.map(([field, { secret }]) => {
      const value = secret ? "--stdin" : "<value>";
      return `\`${cfbeCommand()} settings set general.${field} ${value}\``;
    });
    throw new Refusal(
      409,
      "not_now",
      `Enter ${nouns} first: on the Provider page, or with ${commands.join(" and ")}.`,
    );
  }
}
