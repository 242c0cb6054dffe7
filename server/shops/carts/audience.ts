import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { providerOf, type SignupProviders } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";

/** Whether the setting `carts.audience` allows a reminder to an address. */
export type AudienceCheck = { kind: "allowed" } | { kind: "denied"; reason: string } | Trouble;

interface Deps {
  kv: Kv;
  /** The chosen provider, which sends the reminder. */
  provider: Provider;
  signupProviders: SignupProviders;
  settings: Settings;
}

/**
 * Asks whether an address may get a reminder. `consented` requires a confirmed signup, with the consent box ticked if there
 * was one, and that the signup's own provider now reports the address as active on that list. `all` allows every address
 * that the chosen provider does not suppress.
 *
 * Both ask before every reminder. If a provider is down, the job waits here, where nothing is claimed yet.
 */
export async function checkAudience(deps: Deps, email: string, signal: AbortSignal): Promise<AudienceCheck> {
  const { provider, settings } = deps;
  if (settings.carts.audience === "consented") return await checkConsented(deps, email, signal);
  const read = await provider.status({ list: settings.general.defaultList, email }, signal);
  if (read.kind === "trouble") return read;
  const flagged = read.kind === "found" && (read.status === "suppressed" || read.status === "bounced");
  return flagged ? { kind: "denied", reason: "the provider suppresses the address" } : { kind: "allowed" };
}

async function checkConsented(
  { kv, signupProviders }: Deps,
  email: string,
  signal: AbortSignal,
): Promise<AudienceCheck> {
  let trouble: Trouble | undefined;
  for await (const { value } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    if (value.status !== "active" || isMovedAway(value, signupProviders)) continue;
    const provider = providerOf(signupProviders, value);
    if (!provider || !await hasConsented(kv, value)) continue;
    const read = await provider.status({ list: value.list, email }, signal);
    if (read.kind === "trouble") trouble ??= read;
    if (read.kind === "found" && read.status === "active") return { kind: "allowed" };
  }
  return trouble ?? { kind: "denied", reason: "no confirmed consent" };
}

/** Returns whether the person has moved to another provider, whose own record now says whether they are subscribed. */
function isMovedAway(record: SignupRecord, { nameOf }: SignupProviders): boolean {
  const { migration } = record;
  return migration !== undefined && migration.result !== "skipped" && migration.to !== nameOf(record);
}

/** Only consent given before the confirmation counts: a later one may come from anyone. */
async function hasConsented(kv: Kv, record: SignupRecord): Promise<boolean> {
  const consents = await readConsents(kv, record, { until: record.confirmed?.at });
  return consents.some(({ given, textHash }) => given || textHash === undefined);
}
