import type { ListStatus } from "../../shared/outcomes.ts";
import type { Capabilities } from "../../server/providers/port/capabilities.ts";
import type { MailResult, TransactionalMail, TriggeredMail } from "../../server/providers/port/mail.ts";
import type {
  ConnectionResult,
  Contact,
  ContactChange,
  EraseResult,
  ImportResult,
  PageResult,
  Provider,
  ReactivateResult,
  ResendResult,
  SaveContactResult,
  StatusResult,
  SubscribeResult,
} from "../../server/providers/port/port.ts";
import type { Trouble } from "../../server/providers/port/trouble.ts";
import type { Webhook } from "../../server/providers/port/webhook.ts";
import type { Clock } from "../../server/platform/deps.ts";
import {
  contactCalls,
  createPeople,
  listingCalls,
  mailCalls,
  subscriptionCalls,
  webhookCalls,
} from "./stub_provider_calls.ts";

/** What tests read and set. */
export interface StubState {
  capabilities: Capabilities;
  /** Every call, such as "subscribe ada@example.com". */
  calls: string[];
  /** Addresses to which confirmation emails were sent. */
  mails: string[];
  /** Triggered emails that were sent. */
  triggered: TriggeredMail[];
  /** Transactional emails that were sent. */
  transactional: TransactionalMail[];
  /** By address. */
  contacts: Map<string, Contact & Pick<ContactChange, "properties">>;
  /** Scripted results, each used once, in order. */
  nextResults: {
    subscribe: SubscribeResult[];
    status: StatusResult[];
    resend: ResendResult[];
    trigger: MailResult[];
    saveContact: SaveContactResult[];
    erase: EraseResult[];
    reactivate: ReactivateResult[];
    import: ImportResult[];
    page: PageResult[];
  };
  /** Results of `connection` and `getWebhook`. */
  connected: ConnectionResult;
  registered: Webhook | null;
  /** Whether listings contain the time of a change. */
  dated: boolean;
  /** Single opt-in lists. */
  singleOptIn: Set<string>;
}

/** An in-memory provider. Scripted results come first, then those from its subscribers. */
export interface StubProvider extends Omit<Provider, "capabilities">, StubState {
  /** Adds a subscriber to a list, or changes their status. */
  put(list: string, email: string, status: ListStatus, changedAt?: number): void;
}

/** Returns the result of a call to a provider that is down, or another trouble by its members. */
export function stubTrouble(members: Partial<Trouble> = {}): Trouble {
  return { kind: "trouble", code: "unavailable", reason: "HTTP 503", unknown: false, ...members };
}

/** Creates the provider. `clock` gives the times of changes. */
export function stubProvider(clock: Clock): StubProvider {
  const state = initialState();
  const people = createPeople(clock);
  return Object.assign(state, {
    put: people.put,
    ...subscriptionCalls(state, people),
    ...mailCalls(state),
    ...contactCalls(state, people),
    ...listingCalls(state, people),
    ...webhookCalls(state),
    connection: () => Promise.resolve(state.connected),
  });
}

function initialState(): StubState {
  return {
    capabilities: {
      optIn: "list",
      limits: {},
      showsPending: true,
      resend: true,
      listsChanged: true,
      listsUnconfirmed: true,
      triggered: true,
      transactional: true,
      templates: false,
      contacts: true,
      tags: true,
      properties: { called: "custom field", mustExist: true },
      erasure: true,
      reactivation: true,
      imports: true,
      webhook: true,
      signedWebhooks: false,
      probesWebhook: false,
    },
    calls: [],
    mails: [],
    triggered: [],
    transactional: [],
    contacts: new Map(),
    nextResults: {
      subscribe: [],
      status: [],
      resend: [],
      trigger: [],
      saveContact: [],
      erase: [],
      reactivate: [],
      import: [],
      page: [],
    },
    dated: true,
    singleOptIn: new Set(),
    connected: { kind: "connected", name: "Stub", status: "production", restricted: false, whiteList: [] },
    registered: null,
  };
}
