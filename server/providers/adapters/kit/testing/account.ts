/** The data of an account at Kit, with the actions of people and of the account's owner. */

export const STATES = ["active", "inactive", "bounced", "complained", "cancelled"] as const;
export type State = typeof STATES[number];

export interface Person {
  id: number;
  email: string;
  state: State;
  name: string | null;
  /** Values of custom fields, by their keys. */
  fields: Record<string, string>;
  /** When the person was added to each form, by the form's ID. */
  forms: Map<number, string>;
  createdAt: string;
}

export interface CustomField {
  id: number;
  /** `ck_field_`, the ID and the key. */
  name: string;
  key: string;
  label: string;
}

export interface Form {
  name: string;
  /** Whether the form's incentive email asks for a confirmation. Without it, people are active at once. */
  doubleOptIn: boolean;
}

export interface Hook {
  id: number;
  name: string;
  url: string;
  events: string[];
  status: "active" | "disabled";
  secret: string;
  /** Set while the previous secret is still valid. */
  previousExpiresAt: string | null;
  createdAt: string;
}

export interface Account {
  key: string;
  forms: Map<number, Form>;
  /** By address in lower case. */
  people: Map<string, Person>;
  hooks: Hook[];
  customFields: CustomField[];
  /** How many custom fields the account may have. */
  mostCustomFields: number;
  /** Addresses to which incentive emails were sent. */
  mails: string[];
  /** How many people a page of a listing has at most. */
  pageMax: number;
  newId(): number;
  byId(id: number): Person | undefined;
  /** Creates a person as an API call does. */
  add(email: string, given?: Partial<Pick<Person, "state" | "name" | "fields" | "createdAt">>): Person;
  /** Creates a custom field. Returns undefined if its key is taken, or if the account has as many as it may. */
  addCustomField(label: string): CustomField | undefined;
  /** Adds a person to a form, which sends its incentive email. Returns false if the person is on it already. */
  join(person: Person, form: number): boolean;
  /** Changes the state: a click in an email, or a bounce. */
  put(email: string, state: State): void;
  /** Registers a webhook through the API of another system. */
  register(hook: Pick<Hook, "name" | "url" | "events">): Hook;
}

/** Returns the current time as Kit writes it, such as `2023-02-17T11:43:55Z`. */
export function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

export function createAccount(key: string): Account {
  let last = 500;
  const newId = () => ++last;
  const emails = new Map<number, string>();
  const account: Account = {
    key,
    forms: new Map(),
    people: new Map(),
    hooks: [],
    customFields: [],
    mostCustomFields: 140,
    mails: [],
    pageMax: Infinity,
    newId,
    byId: (id) => account.people.get(emails.get(id) ?? ""),
    add(email, { state = "active", name = null, fields = {}, createdAt = timestamp() } = {}) {
      const person = { email: email.toLowerCase(), state, name, fields, createdAt };
      const created = { id: newId(), ...person, forms: new Map() };
      account.people.set(created.email, created);
      emails.set(created.id, created.email);
      return created;
    },
    addCustomField(label) {
      const key = label.toLowerCase().replace(/[^a-z0-9]+/g, "_");
      const { customFields } = account;
      if (customFields.some((field) => field.key === key)) return undefined;
      if (customFields.length >= account.mostCustomFields) return undefined;
      const id = newId();
      const created = { id, name: `ck_field_${id}_${key}`, key, label };
      customFields.push(created);
      return created;
    },
    join(person, form) {
      if (person.forms.has(form)) return false;
      person.forms.set(form, timestamp());
      const { doubleOptIn } = account.forms.get(form)!;
      if (person.state === "inactive" && !doubleOptIn) person.state = "active";
      // Somebody who left is asked to confirm as well.
      if (doubleOptIn && (person.state === "inactive" || person.state === "cancelled")) {
        account.mails.push(person.email);
      }
      return true;
    },
    put(email, state) {
      const person = account.people.get(email.toLowerCase());
      if (!person) throw new Error("this person is not in the account");
      person.state = state;
    },
    register(hook) {
      const created: Hook = {
        id: newId(),
        ...hook,
        status: "active",
        secret: `whsec_${newId()}`,
        previousExpiresAt: null,
        createdAt: timestamp(),
      };
      account.hooks.push(created);
      return created;
    },
  };
  return account;
}
