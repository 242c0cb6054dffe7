/** The data of an account at MailerLite, with the actions of people and of the account's owner. */

export type Status = "active" | "unsubscribed" | "unconfirmed" | "bounced" | "junk";
export const STATUSES: readonly string[] = ["active", "unsubscribed", "unconfirmed", "bounced", "junk"];

export interface Person {
  id: string;
  email: string;
  status: Status;
  name: string | null;
  /** Values of custom fields, by their keys. */
  fields: Record<string, unknown>;
  /** IDs of the groups. */
  groups: Set<string>;
  optedInAt: string | null;
  optInIp: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Hook {
  id: string;
  name: string;
  url: string;
  events: string[];
  enabled: boolean;
  secret: string;
  created_at: string;
  updated_at: string;
}

export interface Account {
  token: string;
  /** "Double opt-in for API and integrations" in the account's settings. */
  doubleOptIn: boolean;
  /** Names by ID. */
  groups: Map<string, string>;
  /** By address in lower case. */
  people: Map<string, Person>;
  hooks: Hook[];
  /** Types of the fields, by their keys. */
  fields: Map<string, string>;
  /** The account refuses further fields. */
  mostFields: number;
  /** Addresses to which confirmation emails were sent. */
  mails: string[];
  /** How many people a page of a listing has at most. */
  pageMax: number;
  newId(): string;
  /** Returns the person with this address or ID. */
  find(emailOrId: string): Person | undefined;
  /** Returns the number of people in a group with this status. */
  count(group: string, status: Status): number;
  /** Makes `count` count again. Call it after a change of a person. */
  recount(): void;
  /** Creates a person as an API call without a status does. */
  add(
    email: string,
    given?: Partial<Pick<Person, "status" | "name" | "fields" | "groups" | "optedInAt" | "optInIp">>,
  ): Person;
  /** Changes the status: a click in an email, or a bounce. */
  put(email: string, status: Status): void;
  /** Registers a webhook through the API of another system. */
  register(hook: Pick<Hook, "name" | "url" | "events">): Hook;
}

/** Returns the current time as MailerLite writes it, such as `2022-12-21 18:32:20`. */
export function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace("T", " ");
}

export function createAccount(token: string): Account {
  let last = 75_000_000_000_000_000n;
  const newId = () => String(++last);
  const emails = new Map<string, string>();
  let counts: Map<string, number> | undefined;

  function countAll(): Map<string, number> {
    const counted = new Map<string, number>();
    for (const { groups, status } of account.people.values()) {
      for (const group of groups) {
        const key = `${group} ${status}`;
        counted.set(key, (counted.get(key) ?? 0) + 1);
      }
    }
    return counted;
  }

  const account: Account = {
    token,
    doubleOptIn: true,
    groups: new Map(),
    people: new Map(),
    hooks: [],
    fields: new Map(),
    mostFields: Infinity,
    mails: [],
    pageMax: Infinity,
    newId,
    find: (emailOrId) =>
      account.people.get(emailOrId.toLowerCase()) ?? account.people.get(emails.get(emailOrId) ?? ""),
    count: (group, status) => (counts ??= countAll()).get(`${group} ${status}`) ?? 0,
    recount: () => void (counts = undefined),
    add(
      email,
      { status, name = null, fields = {}, groups = new Set<string>(), optedInAt = null, optInIp = null } = {},
    ) {
      const created: Person = {
        id: newId(),
        email: email.toLowerCase(),
        status: status ?? (account.doubleOptIn ? "unconfirmed" : "active"),
        name,
        fields,
        groups,
        optedInAt,
        optInIp,
        createdAt: timestamp(),
        updatedAt: timestamp(),
      };
      account.people.set(created.email, created);
      emails.set(created.id, created.email);
      account.recount();
      // A status of "active" skips the confirmation, and without the setting nothing sends one.
      if (created.status === "unconfirmed" && account.doubleOptIn) account.mails.push(created.email);
      return created;
    },
    put(email, status) {
      const person = account.people.get(email.toLowerCase());
      if (!person) throw new Error("this person is not in the account");
      if (status === "active") person.optedInAt = timestamp();
      Object.assign(person, { status, updatedAt: timestamp() });
      account.recount();
    },
    register(hook) {
      const times = { created_at: timestamp(), updated_at: timestamp() };
      const created = { id: newId(), ...hook, enabled: true, secret: `secret-${newId()}`, ...times };
      account.hooks.push(created);
      return created;
    },
  };
  return account;
}
