import { type Config, isLoopback } from "../config.ts";
import { isSandbox, missingFields } from "../settings/provider.ts";
import type { Settings } from "../settings/schema.ts";

/** Something that lets the program start and will lose signups or secrets. */
export interface StartWarning {
  event: string;
  message: string;
}

/** Returns true for a public address without TLS: what visitors and admins send travels in the clear. */
export function isPlainHttp(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl);
}

/** Returns what an operator should know of a configuration that is valid, in the order of the log. */
export function startWarnings({ baseUrl }: Config, settings: Settings): StartWarning[] {
  const warnings: StartWarning[] = [];
  if (isPlainHttp(baseUrl)) {
    warnings.push({
      event: "address.http",
      message:
        `${baseUrl} is not https: addresses and passwords travel in the clear, pages on https can't use the form, and ` +
        "browsers keep no admin session. Set CFBE_BASE_URL to an https address.",
    });
  }
  if (isSandbox(settings)) {
    if (!isLoopback(baseUrl)) {
      warnings.push({
        event: "sandbox.public",
        message: "The sandbox sends no mail at all. Set CFBE_PROVIDER before real visitors sign up.",
      });
    }
    return warnings;
  }
  const missing = missingFields(settings).map(([name, { variable }]) => variable ?? `general.${name}`);
  if (missing.length > 0) {
    warnings.push({
      event: "provider.not_configured",
      message: `Signups can't be delivered: set ${missing.join(" and ")}, or enter the same in the admin.`,
    });
  }
  return warnings;
}
