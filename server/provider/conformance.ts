import { mails } from "./guarantees/mails.ts";
import { project } from "./guarantees/project.ts";
import { subscribing } from "./guarantees/subscribing.ts";
import type { Provider, Target } from "./port.ts";

/** A provider under test, and what only a person or its back office can do there. */
export interface Harness extends AsyncDisposable {
  provider: Provider;
  /** A list with double opt-in, empty at the start. */
  doubleOptIn: string;
  /** A list without, empty at the start. */
  singleOptIn: string;
  /** What the person does with the link in the confirmation mail. */
  confirm(target: Target): Promise<void>;
  pause(target: Target): Promise<void>;
  unsubscribe(target: Target): Promise<void>;
  /** An address that the provider rejects as suppressed. */
  suppressedAddress: string;
  /** An address that the provider rejects because mail to it bounces. */
  bouncedAddress: string;
  /** How many confirmation mails the address has got. */
  mailsTo(email: string): Promise<number>;
  /** The same provider with a key that does not open its project. */
  refused(): Provider;
  /** Registers an address at the provider, as somebody else would. */
  registerForeign(url: string): Promise<void>;
  /** One of the project's API keys. */
  apiKey: string;
  /** The same provider behind a broken line: every call fails before it arrives. */
  unreachable(): Provider;
}

/** Guarantees of `port.ts` by their names; every adapter must hold all of them. */
export type Guarantees = Readonly<Record<string, (harness: Harness) => Promise<void>>>;

const GUARANTEES: Guarantees = { ...subscribing, ...mails, ...project };

/**
 * Registers one test a guarantee. Call it once for every adapter.
 *
 * @param name of the adapter and of what answers it
 * @param open a provider with two empty lists; called for each guarantee
 */
export function conformance(name: string, open: () => Promise<Harness>): void {
  for (const [guarantee, step] of Object.entries(GUARANTEES)) {
    Deno.test(`${name}: ${guarantee}`, async () => {
      await using harness = await open();
      await step(harness);
    });
  }
}
