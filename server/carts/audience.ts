import { keys } from "../kv/keys.ts";
import type { Provider } from "../provider/port.ts";
import type { Trouble } from "../provider/trouble.ts";
import type { Settings } from "../settings/schema.ts";
import { readConsents } from "../signup/record/consents.ts";
import type { SignupRecord } from "../signup/record/row.ts";

/** Whether the setting `carts.audience` allows a reminder to an address. */
export type AudienceCheck = { kind: "allowed" } | { kind: "denied"; reason: string } | Trouble;

/**
 * Asks the provider whether an address may get a reminder. `consented` requires a confirmed signup, with the consent
 * box ticked if there was one, and that the provider now reports the address as active on that list. `all` allows
 * every address that the provider does not suppress.
 *
 * Both ask the provider before every reminder. If it is down, the job waits here, where nothing is claimed yet.
 */
export async function checkAudience(
  { kv, provider, settings }: { kv: Deno.Kv; provider: Provider; settings: Settings },
  email: string,
  signal: AbortSignal,
): Promise<AudienceCheck> {
  if (settings.carts.audience === "all") {
    const read = await provider.status({ list: settings.general.defaultList, email }, signal);
    if (read.kind === "trouble") return read;
    const flagged = read.kind === "found" && (read.status === "suppressed" || read.status === "bounced");
    return flagged ? { kind: "denied", reason: "the provider suppresses the address" } : { kind: "allowed" };
  }
  for await (const { value } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    if (value.status !== "active" || !await hasConsented(kv, value)) continue;
    const read = await provider.status({ list: value.list, email }, signal);
    if (read.kind === "trouble") return read;
    if (read.kind === "found" && read.status === "active") return { kind: "allowed" };
  }
  return { kind: "denied", reason: "no confirmed consent" };
}

/** Only consent given before the confirmation counts: a later one may come from anyone. */
async function hasConsented(kv: Deno.Kv, record: SignupRecord): Promise<boolean> {
  const until = record.confirmed?.at ?? Infinity;
  return (await readConsents(kv, record)).some(({ at, given, textHash }) =>
    at <= until && (given || textHash === undefined)
  );
}
