import { readBluefoxWebhook } from "../provider/bluefox/webhook_events.ts";
import type { ListStatus } from "../../shared/outcomes.ts";
import type {
  Capabilities,
  ConnectionResult,
  Contact,
  ContactChange,
  EraseResult,
  ListedSubscriber,
  MailResult,
  PageResult,
  Provider,
  ReactivateResult,
  ResendResult,
  SaveContactResult,
  StatusResult,
  SubscribeResult,
  Target,
  TransactionalMail,
  TriggeredMail,
  Trouble,
  Webhook,
} from "../provider/port.ts";
import type { Clock } from "../deps.ts";

/** A subscriber on a list. */
interface Person {
  list: string;
  email: string;
  status: ListStatus;
  changedAt: number;
}

/** An in-memory provider. Scripted results come first, then those from its subscribers. */
export interface StubProvider extends Provider {
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
    page: PageResult[];
  };
  /** Adds a subscriber to a list, or changes their status. */
  put(list: string, email: string, status: ListStatus, changedAt?: number): void;
  /** Results of `connection` and `getWebhook`. */
  connected: ConnectionResult;
  registered: Webhook | null;
  /** Whether listings contain the time of a change. */
  dated: boolean;
  /** Single opt-in lists. */
  singleOptIn: Set<string>;
}

const PAGE = 30;

/** Returns the result of a call to a provider that is down, or another trouble by its members. */
export function stubTrouble(members: Partial<Trouble> = {}): Trouble {
  return { kind: "trouble", code: "unavailable", reason: "HTTP 503", unknown: false, ...members };
}

/** Creates the provider. `clock` gives the times of changes. */
export function stubProvider(clock: Clock): StubProvider {
  const people = new Map<string, Person>();
  const id = ({ list, email }: Target) => `${list} ${email}`;

  function page(items: Person[], at: number): PageResult {
    const shown = items.slice(at * PAGE, (at + 1) * PAGE).map((
      { email, status, changedAt },
    ): ListedSubscriber => ({
      email,
      status,
      ...(stub.dated && { changedAt }),
    }));
    return { kind: "page", items: shown, total: items.length, more: items.length > (at + 1) * PAGE };
  }
  const on = (list: string) => [...people.values()].filter((person) => person.list === list);

  const stub: StubProvider = {
    name: "stub",
    capabilities: {
      resend: true,
      listing: true,
      triggered: true,
      transactional: true,
      contacts: true,
      erasure: true,
      reactivation: true,
      webhook: true,
      signedWebhooks: false,
    },
    readWebhook: readBluefoxWebhook,
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
      page: [],
    },
    dated: true,
    singleOptIn: new Set(),
    connected: { kind: "connected", name: "Stub", status: "production", restricted: false, whiteList: [] },
    registered: null,
    put(list, email, status, changedAt = clock.now()) {
      people.set(id({ list, email }), { list, email, status, changedAt });
    },
    subscribe(target) {
      stub.calls.push(`subscribe ${target.email}`);
      const scripted = stub.nextResults.subscribe.shift();
      if (scripted) return Promise.resolve(scripted);
      if (people.has(id(target))) return Promise.resolve({ kind: "exists" });
      const status = stub.singleOptIn.has(target.list) ? "active" : "pending";
      people.set(id(target), { ...target, status, changedAt: clock.now() });
      if (status === "pending") stub.mails.push(target.email);
      return Promise.resolve({ kind: "accepted" });
    },
    status(target) {
      stub.calls.push(`status ${target.email}`);
      const found = people.get(id(target));
      return Promise.resolve(
        stub.nextResults.status.shift() ??
          (found ? { kind: "found", status: found.status } : { kind: "absent" }),
      );
    },
    resend({ email }) {
      stub.calls.push(`resend ${email}`);
      const scripted = stub.nextResults.resend.shift();
      if (!scripted || scripted.kind === "sent") stub.mails.push(email);
      return Promise.resolve(scripted ?? { kind: "sent" });
    },
    sendTriggered(mail) {
      stub.calls.push(`trigger ${mail.emails.join()}`);
      const scripted = stub.nextResults.trigger.shift();
      if (!scripted || scripted.kind === "sent") stub.triggered.push(mail);
      return Promise.resolve(scripted ?? { kind: "sent" });
    },
    connection: () => Promise.resolve(stub.connected),
    getWebhook: () => Promise.resolve({ kind: "webhook", webhook: stub.registered }),
    setWebhook({ url, replace }) {
      if (stub.registered && stub.registered.url !== url && !replace) {
        return Promise.resolve({ kind: "foreign", url: stub.registered.url });
      }
      stub.registered = { url, events: ["subscription"], missing: [], surplus: [] };
      return Promise.resolve({ kind: "registered", webhook: stub.registered });
    },
    sendTransactional(mail) {
      stub.calls.push(`transactional ${mail.email}`);
      const scripted = stub.nextResults.trigger.shift();
      if (!scripted || scripted.kind === "sent") stub.transactional.push(mail);
      return Promise.resolve(scripted ?? { kind: "sent" });
    },
    contact(email) {
      stub.calls.push(`contact ${email}`);
      const contact = stub.contacts.get(email);
      return Promise.resolve(contact ? { kind: "found", contact } : { kind: "absent" });
    },
    erase(email) {
      stub.calls.push(`erase ${email}`);
      const scripted = stub.nextResults.erase.shift();
      if (scripted) return Promise.resolve(scripted);
      const known = stub.contacts.delete(email);
      const gone = [...people.values()].filter((person) => person.email === email);
      for (const person of gone) people.delete(id(person));
      return Promise.resolve({ kind: known || gone.length > 0 ? "erased" : "absent" });
    },
    reactivate(target) {
      stub.calls.push(`reactivate ${target.email}`);
      const scripted = stub.nextResults.reactivate.shift();
      if (scripted) return Promise.resolve(scripted);
      if (!people.has(id(target))) return Promise.resolve({ kind: "absent" });
      stub.put(target.list, target.email, "active");
      return Promise.resolve({ kind: "active" });
    },
    saveContact(email, change) {
      stub.calls.push(`save ${email}`);
      const scripted = stub.nextResults.saveContact.shift();
      if (scripted) return Promise.resolve(scripted);
      const before = stub.contacts.get(email) ?? { name: "", properties: {} };
      stub.contacts.set(email, {
        ...before,
        ...change,
        properties: { ...before.properties, ...change.properties },
      });
      return Promise.resolve({ kind: "saved" });
    },
    lists: () => Promise.resolve({ kind: "lists", lists: [] }),
    changed(list, at) {
      stub.calls.push(`changed ${at}`);
      const newestFirst = on(list).toSorted((a, b) => b.changedAt - a.changedAt);
      return Promise.resolve(stub.nextResults.page.shift() ?? page(newestFirst, at));
    },
    unconfirmed(list, at) {
      stub.calls.push(`unconfirmed ${at}`);
      const waiting = on(list).filter(({ status }) => status === "pending");
      return Promise.resolve(stub.nextResults.page.shift() ?? page(waiting, at));
    },
  };
  return stub;
}
