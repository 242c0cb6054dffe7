/** How many requests an account may make, as the provider documents it. */
export interface CallLimits {
  perSecond?: number;
  perMinute?: number;
  perHour?: number;
  /** Requests at the same time. */
  concurrent?: number;
  /** Requests that a call of the adapter sends: the most, except in rare cases. 1 if absent. */
  requestsPerCall?: number;
}

/** Where double opt-in is turned on at a provider. `none`: it has none. */
export const OPT_INS = ["list", "form", "template", "account", "none"] as const;
export type OptIn = typeof OPT_INS[number];

/** What a provider stores a custom property of a contact as. */
export interface PropertyStore {
  /** The provider's own name of it, such as "custom field". It follows "a". */
  called: string;
  /** It has to exist in the account before it can hold a value: `subscribe` creates those that are missing. */
  mustExist: boolean;
  /** Names of the provider's own fields, for kinds of form fields that it has one for. */
  own?: Partial<Record<"firstName" | "lastName" | "phone", string>>;
}

export interface Capabilities {
  optIn: OptIn;
  /** cfbe stays below them. Empty if the provider documents none: cfbe then keeps only its own pace. */
  limits: CallLimits;
  /**
   * `status` finds addresses that have not confirmed yet. Without it, the provider shows an address only after the
   * confirmation, so that "absent" after an accepted subscribe means: pending as far as cfbe knows.
   */
  showsPending: boolean;
  /** Resends confirmation emails. */
  resend: boolean;
  /**
   * `subscribe` sends no confirmation email. `resend` sends the first one too, so that its failure is known. Such a
   * provider shows pending subscribers.
   */
  sendsSeparately?: true;
  /** Lists the subscribers that changed since a time. */
  listsChanged: boolean;
  /** Lists the subscribers that have not confirmed. With neither listing, the poll checks one address at a time. */
  listsUnconfirmed: boolean;
  /** Sends emails from the provider's templates. */
  triggered: boolean;
  /** Sends such an email to one person, who need not be a contact. */
  transactional: boolean;
  /** Looks up a template by its ID. */
  templates: boolean;
  /** Stores contacts with tags and custom properties. */
  contacts: boolean;
  /** `subscribe` stores the tags of a new person. */
  tags: boolean;
  /** Where `subscribe` stores custom properties of a new contact; false if it does not. */
  properties: false | PropertyStore;
  /** Erases an address from every list. */
  erasure: boolean;
  /**
   * `subscribe` takes back people who unsubscribed: they are pending, and get a confirmation email. Nobody whose emails
   * bounced, who complained or who is suppressed.
   */
  takesBack?: true;
  /** Reactivates a person who unsubscribed, without another confirmation. */
  reactivation: boolean;
  /** Adds people who confirmed elsewhere, without an email to them. */
  imports: boolean;
  /** Registers the webhook's URL through the API. */
  webhook: boolean;
  /**
   * Signs its webhooks, and `readWebhook` verifies the signature. Without this capability, a webhook must contain the API
   * key or the webhook secret.
   */
  signedWebhooks: boolean;
  /** Sends a GET request to the webhook's URL and expects a 200, before it registers the URL. */
  probesWebhook: boolean;
}

/** Returns whether a provider sends webhooks, which cfbe or its user registers. Without them, polling finds confirmations. */
export function sendsWebhooks({ webhook, signedWebhooks }: Capabilities): boolean {
  return webhook || signedWebhooks;
}
