/** The data of an account at Kit, with the actions of people and of the account's owner. */

export const STATES = ["active", "inactive", "bounced", "complained", "cancelled"] as const;
export type State = typeof STATES[number];

export interface Person {
  id: number;
  email: string;
  state: State;
  name: string | null;
  /** When the person was added to each form, by the form's ID. */
  forms: Map<number, string>;
  createdAt: string;
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
  /** Addresses to which incentive emails were sent. */
  mails: string[];
  newId(): number;
  byId(id: number): Person | undefined;
  /** Creates a person as an API call does. */
  add(email: string, given?: Partial<Pick<Person, "state" | "name" | "createdAt">>): Person;
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
    mails: [],
    newId,
    byId: (id) => account.people.get(emails.get(id) ?? ""),
    add(email, { state = "active", name = null, createdAt = timestamp() } = {}) {
      const created = { id: newId(), email: email.toLowerCase(), state, name, forms: new Map(), createdAt };
      account.people.set(created.email, created);
      emails.set(created.id, created.email);
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
