import { type Capabilities, sendsWebhooks } from "./capabilities.ts";

const SENTENCES: readonly [missing: (capabilities: Capabilities) => boolean, sentence: string][] = [
  [
    ({ showsPending }) => !showsPending,
    "It shows an address only after its confirmation. Until then, “pending” is what cfbe knows.",
  ],
  [({ optIn }) => optIn === "none", "It has no double opt-in: everyone is added without confirmation."],
  [({ resend }) => !resend, "It cannot resend a confirmation email."],
  [
    ({ listsChanged, listsUnconfirmed }) => !listsChanged && !listsUnconfirmed,
    "It does not list confirmations, so the poll reads one address at a time.",
  ],
  [
    (capabilities) => !sendsWebhooks(capabilities),
    "It reports no confirmations to cfbe. Polling finds them within 15 minutes.",
  ],
  [
    (capabilities) => !capabilities.webhook && sendsWebhooks(capabilities),
    "cfbe cannot register the webhook there. Register it yourself, or rely on the poll.",
  ],
  [({ triggered }) => !triggered, "It cannot send abandoned cart emails."],
  [({ transactional }) => !transactional, "It cannot send order emails and coupons."],
  [({ contacts }) => !contacts, "It cannot store contacts, so contact sync does nothing."],
  [({ tags }) => !tags, "It stores no tags. Those of a form stay in cfbe and its exports."],
  [
    ({ properties }) => !properties,
    "cfbe does not send it the answers to more fields of a form. They stay in cfbe and its exports.",
  ],
  [({ erasure }) => !erasure, "cfbe cannot erase a person there. Erase them at the provider too."],
  [({ reactivation }) => !reactivation, "It cannot resubscribe somebody who unsubscribed."],
  [({ imports }) => !imports, "cfbe cannot move subscribers to it from another provider."],
];

/** Returns what cfbe cannot do with a provider, one sentence each, for the admin. */
export function limitationsOf(capabilities: Capabilities): string[] {
  return SENTENCES.flatMap(([isMissing, sentence]) => isMissing(capabilities) ? [sentence] : []);
}
