import { type Config, isLoopback } from "../../platform/config/config.ts";
import { traceWarning } from "../../platform/observe/untraced.ts";
import { isSandbox, missingFields, unsafeUrls } from "../../settings/store/provider.ts";
import type { Settings } from "../../settings/schema/schema.ts";

/** A problem that does not stop the start but will lose signups or expose secrets. */
export interface StartWarning {
  event: string;
  message: string;
}

/** Returns whether a URL is public and without TLS, so that visitors' and admins' data is sent unencrypted. */
export function isPlainHttp(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl);
}

/**
 * Returns the warnings about a valid configuration, in the order in which they are logged.
 *
 * @param env the environment variables, for those of the runtime
 */
export function startWarnings(
  { baseUrl, deploy }: Pick<Config, "baseUrl" | "deploy">,
  settings: Settings,
  env: Record<string, string | undefined>,
): StartWarning[] {
  const warnings: StartWarning[] = [];
  const traced = traceWarning(env, { deploy, isSandbox: isSandbox(settings) });
  if (traced) warnings.push({ event: "telemetry.contains_addresses", message: traced });
  if (isPlainHttp(baseUrl)) {
    warnings.push({
      event: "address.http",
      message:
        `${baseUrl} is not https: email addresses and passwords are sent unencrypted, https pages can't use the form, ` +
        "and browsers keep no admin session. Set CFBE_BASE_URL to an https URL.",
    });
  }
  if (isSandbox(settings)) {
    if (!isLoopback(baseUrl)) {
      warnings.push({
        event: "sandbox.public",
        message:
          "The sandbox sends no email. Choose a provider on the admin's Provider page before real visitors sign up.",
      });
    }
    return warnings;
  }
  for (const name of unsafeUrls(settings)) {
    warnings.push({
      event: "provider.unsafe_url",
      message:
        `general.${name} has a user, a password, a query string or another scheme than http and https, and everybody ` +
        "who can open the admin sees it. Set it without them; the credentials have settings of their own.",
    });
  }
  const missing = missingFields(settings).map(([name, { variable }]) => variable ?? `general.${name}`);
  if (missing.length > 0) {
    warnings.push({
      event: "provider.not_configured",
      message: `Signups can't be delivered: set ${missing.join(" and ")}, or enter them in the admin.`,
    });
  }
  return warnings;
}
