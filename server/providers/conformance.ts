import { failures } from "./guarantees/failures.ts";
import { importing } from "./guarantees/importing.ts";
import { leaving } from "./guarantees/leaving.ts";
import { emails } from "./guarantees/emails.ts";
import { polling } from "./guarantees/polling.ts";
import { project } from "./guarantees/project.ts";
import { subscribing } from "./guarantees/subscribing.ts";
import type { Fetch } from "../platform/deps.ts";
import type { Provider, Target } from "./port/port.ts";

/** A provider under test, with actions that the port does not have: those of a person or of the provider's admin. */
export interface ProviderHarness extends AsyncDisposable {
  provider: Provider;
  /** URL of the provider's API, for the adapter in the real program. */
  url: string;
  /** General settings that the adapter in the real program needs, besides the key and the list. */
  settings?: Readonly<Record<string, string>>;
  /** ID of a list with double opt-in, empty at the start. */
  doubleOptIn: string;
  /** ID of a list without double opt-in, empty at the start. Only if the adapter uses such lists. */
  singleOptIn?: string;
  /** Clicks the link in the confirmation email. */
  confirm(target: Target): Promise<void>;
  /** Only at a provider that can pause a subscription. */
  pause?(target: Target): Promise<void>;
  unsubscribe(target: Target): Promise<void>;
  /** An address that the provider rejects as suppressed. */
  suppressedAddress: string;
  /** An address that the provider rejects because emails to it bounce, if it tells this from other rejections. */
  bouncedAddress?: string;
  /** An address with the special characters that the provider accepts, if it does not accept all of them. */
  specialAddress?: string;
  /** Returns how many emails the address has received. */
  mailsTo(email: string): Promise<number>;
  /** Returns the same provider with `wrongKey` as API key. */
  withWrongKey(): Provider;
  wrongKey: string;
  /**
   * How the provider responds to all following calls. "rate limited": with 429 and a `Retry-After` of seven seconds.
   * "lost response": it does what was asked, but the response does not arrive.
   */
  fault(fault: "rate limited" | "lost response" | "none"): Promise<void>;
  /** ID of a transactional template, if the provider's emails need one that exists. */
  template?: string;
  /** Registers a webhook URL at a provider with webhooks, as another system would. */
  registerForeign?(url: string): Promise<void>;
  /** One of the project's API keys. */
  apiKey: string;
  /** Returns the same provider without a connection: every call fails before it arrives. */
  unreachable(): Provider;
  /** Returns the same provider, whose requests `wrap` sends or does not send. */
  withFetch(wrap: (fetch: Fetch) => Fetch): Provider;
  /** Makes the account know a person who is not on the list; undefined if lists have nothing in common. */
  know?(email: string): unknown;
  /** Only where the provider reports that it could not send the confirmation email. */
  mailServer?(state: "up" | "down"): void;
}

/** Guarantees of the port by name. Every adapter must keep all of them. */
export type Guarantees = Readonly<Record<string, (harness: ProviderHarness) => Promise<void>>>;

const GUARANTEES: Guarantees = {
  ...subscribing,
  ...leaving,
  ...importing,
  ...failures,
  ...emails,
  ...project,
  ...polling,
};

/**
 * Registers one test per guarantee. Call it once for every adapter.
 *
 * @param name of the adapter and of the system it talks to
 * @param open returns a provider with two empty lists; called for each guarantee
 */
export function providerConformance(name: string, open: () => Promise<ProviderHarness>): void {
  for (const [guarantee, check] of Object.entries(GUARANTEES)) {
    Deno.test(`${name}: ${guarantee}`, async () => {
      await using harness = await open();
      await check(harness);
    });
  }
}
