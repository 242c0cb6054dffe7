/** The data of a Brevo account, with what people and its owner do there. */
export interface Account {
  lists: { id: number; name: string }[];
  contacts: Map<string, AccountContact>;
  /** Confirmation emails whose link nobody has clicked yet. */
  unconfirmed: Unconfirmed[];
  /** Names of the contact attributes. */
  attributes: Map<string, "text" | "float">;
  /** The account refuses further attributes. */
  mostAttributes: number;
  templates: Map<number, { name: string; isActive: boolean; tag: string }>;
  webhooks: AccountWebhook[];
  /** Addresses to which it sent an email, in order. */
  mails: string[];
  mail(email: string): void;
  nextId(): number;
  addList(name: string): string;
  find(email: string): AccountContact | undefined;
  /** Returns the contact, which it creates if necessary. */
  put(email: string): AccountContact;
  change(contact: AccountContact, change: Partial<AccountContact>): void;
  /** Clicks the link in the confirmation email. */
  confirm(list: string, email: string): void;
  /** Unsubscribes from all emails, as the link in a campaign does by default. */
  unsubscribe(email: string): void;
  /** Unsubscribes from one list, as the link in a campaign does if the account is set up so. */
  leave(list: string, email: string): void;
  /** Puts an address on the blocklist, with the reason in its statistics. */
  block(email: string, why: "hardBounces" | "complaints" | "admin" | "unknown"): void;
  /** Lets everything in a contact's statistics have happened so many days earlier. */
  age(email: string, days: number): void;
}

export interface AccountContact {
  id: number;
  email: string;
  emailBlacklisted: boolean;
  listIds: number[];
  listUnsubscribed: number[];
  attributes: Record<string, unknown>;
  statistics: Statistics;
  createdAt: number;
  modifiedAt: number;
}

type Event = { campaignId: number; eventTime: string };
type EventsByName = { [name: string]: Event[] };
interface Statistics {
  hardBounces?: Event[];
  complaints?: Event[];
  unsubscriptions?: EventsByName;
}

export interface Unconfirmed {
  email: string;
  listIds: number[];
  attributes: Record<string, unknown>;
}

export interface AccountWebhook {
  id: number;
  url: string;
  description?: string;
  type: string;
  events: string[];
  auth?: { type: string; token: string };
  isActive?: boolean;
}

/** ID of the template of the confirmation email, and of one for other emails. */
export const OPT_IN_TEMPLATE = 7;
export const OTHER_TEMPLATE = 8;

const DAY_MS = 24 * 60 * 60 * 1000;

export function createAccount(): Account {
  let id = 100;
  const event = () => ({ campaignId: 1, eventTime: new Date().toISOString() });

  const account: Account = {
    lists: [],
    contacts: new Map(),
    unconfirmed: [],
    attributes: new Map([["FIRSTNAME", "text"], ["LASTNAME", "text"]]),
    mostAttributes: Infinity,
    templates: new Map([
      [OPT_IN_TEMPLATE, { name: "Please confirm", isActive: true, tag: "optin" }],
      [OTHER_TEMPLATE, { name: "Your order", isActive: true, tag: "" }],
    ]),
    webhooks: [],
    mails: [],
    mail: (email) => void account.mails.push(email.toLowerCase()),
    nextId: () => ++id,
    addList(name) {
      account.lists.push({ id: ++id, name });
      return String(id);
    },
    find: (email) => account.contacts.get(email.toLowerCase()),
    put(email) {
      const now = Date.now();
      const contact = account.find(email) ?? {
        id: ++id,
        email: email.toLowerCase(),
        emailBlacklisted: false,
        listIds: [],
        listUnsubscribed: [],
        attributes: {},
        statistics: {},
        createdAt: now,
        modifiedAt: now,
      };
      account.contacts.set(contact.email, contact);
      return contact;
    },
    change: (contact, change) => void Object.assign(contact, change, { modifiedAt: Date.now() }),
    confirm(list, email) {
      const at = account.unconfirmed.findIndex((one) =>
        one.email === email.toLowerCase() && one.listIds.includes(Number(list))
      );
      const [clicked] = account.unconfirmed.splice(at, 1);
      const contact = account.put(email);
      account.change(contact, {
        listIds: [...new Set([...contact.listIds, ...clicked!.listIds])],
        attributes: { ...contact.attributes, ...clicked!.attributes },
      });
    },
    unsubscribe(email) {
      const statistics = { unsubscriptions: { userUnsubscription: [event()], adminUnsubscription: [] } };
      account.change(account.find(email)!, { emailBlacklisted: true, statistics });
    },
    leave(list, email) {
      const contact = account.find(email)!;
      account.change(contact, {
        listIds: contact.listIds.filter((id) => id !== Number(list)),
        listUnsubscribed: [...contact.listUnsubscribed, Number(list)],
      });
    },
    block(email, why) {
      const byAdmin = { unsubscriptions: { userUnsubscription: [], adminUnsubscription: [event()] } };
      const statistics = why === "unknown" ? {} : why === "admin" ? byAdmin : { [why]: [event()] };
      account.change(account.put(email), { emailBlacklisted: true, statistics });
    },
    age(email, days) {
      const contact = account.find(email)!;
      contact.statistics = changed(contact.statistics, (events) =>
        events.map(({ eventTime, ...event }) => ({
          ...event,
          eventTime: new Date(Date.parse(eventTime) - days * DAY_MS).toISOString(),
        })));
    },
  };
  return account;
}

/** Returns the statistics that Brevo shows: those of the last 90 days. */
export function recentStatistics(statistics: Statistics): Statistics {
  const start = Date.now() - 90 * DAY_MS;
  return changed(statistics, (events) => events.filter(({ eventTime }) => Date.parse(eventTime) >= start));
}

function changed(
  { unsubscriptions, ...others }: Statistics,
  change: (events: Event[]) => Event[],
): Statistics {
  const each = (events: EventsByName) =>
    Object.fromEntries(Object.entries(events).map(([name, some]) => [name, change(some)]));
  return { ...each(others), ...(unsubscriptions && { unsubscriptions: each(unsubscriptions) }) };
}
