import { keys } from "../kv/keys.ts";
import type { Provider, Trouble } from "../provider/port.ts";
import type { Settings } from "../settings/schema.ts";
import type { ConsentRow, SignupRecord } from "../signup/record/row.ts";

/** Whether an address may get a cart mail by the Carts tab. */
export type Audience = { kind: "may" } | { kind: "may_not"; reason: string } | Trouble;

/**
 * `consented`: a signup here is confirmed, with the box ticked if there was one, and the provider, asked now, says that its list still has the address as
 * active. `all`: everybody but whom the provider suppresses.
 *
 * The provider is asked in front of every mail, for both: one that is down is found out here, where nothing is
 * claimed yet, so that the mail waits instead of being an attempt of unknown result.
 */
export async function mayMail(
  { kv, provider, settings }: { kv: Deno.Kv; provider: Provider; settings: Settings },
  email: string,
  signal: AbortSignal,
): Promise<Audience> {
  if (settings.carts.audience === "all") {
    const read = await provider.status({ list: settings.general.defaultList, email }, signal);
    if (read.kind === "trouble") return read;
    const flagged = read.kind === "found" && (read.status === "suppressed" || read.status === "bounced");
    return flagged ? { kind: "may_not", reason: "the provider suppresses the address" } : { kind: "may" };
  }
  for await (const { value } of kv.list<SignupRecord>({ prefix: keys.signupsOf(email) })) {
    if (value.status !== "active" || !await hasAgreed(kv, value)) continue;
    const read = await provider.status({ list: value.list, email }, signal);
    if (read.kind === "trouble") return read;
    if (read.kind === "found" && read.status === "active") return { kind: "may" };
  }
  return { kind: "may_not", reason: "no confirmed consent" };
}

/** What came after the confirmation may be anybody's: only what was confirmed counts. */
async function hasAgreed(kv: Deno.Kv, { email, list, confirmed }: SignupRecord): Promise<boolean> {
  for await (const { value } of kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) })) {
    if (confirmed && value.at > confirmed.at) return false;
    if (value.given || value.textHash === undefined) return true;
  }
  return false;
}
