import { createHash } from "node:crypto";

/** The data of an account at Mailchimp, with the actions of people and of the account's owner. */

export const STATUSES = [
  "subscribed",
  "unsubscribed",
  "cleaned",
  "pending",
  "transactional",
  "archived",
] as const;
export type Status = typeof STATUSES[number];

interface Person {
  email: string;
  status: Status;
  /** Why they unsubscribed, such as "ABUSE". */
  unsubscribeReason?: string;
  firstName: string;
  /** Those beside `FNAME`, by tag. */
  mergeFields: Record<string, string | number>;
  tags: string[];
  /** Of the opt-in, as it was given. */
  proof: { timestamp_opt?: string | undefined; ip_signup?: string | undefined };
  /** Unix milliseconds, a full second. */
  changedAt: number;
}

export interface Hook {
  id: string;
  url: string;
  events: Record<string, boolean>;
  sources: Record<string, boolean>;
  /** Shown only once. */
  secret: string;
}

export interface Audience {
  id: string;
  name: string;
  /** By the hash of the address. */
  members: Map<string, Person>;
  /** Hashes of the addresses that were deleted permanently. */
  forgotten: Set<string>;
  /** Types of the merge fields beside `FNAME`, by tag, with their names. */
  mergeFields: Map<string, { name: string; type: string }>;
  hooks: Hook[];
}

export interface Account {
  key: string;
  audiences: Map<string, Audience>;
  /** Addresses that are in a compliance state without being members. */
  inCompliance: Set<string>;
  /** Addresses to which confirmation emails were sent. */
  mails: string[];
  /** How many merge fields an audience can have beside `FNAME`. */
  mostMergeFields: number;
  /** Whether Mailchimp signs webhooks. Older documentation says that it does not. */
  signs: boolean;
  newId(): string;
  /** Adds a member. A pending one gets the confirmation email. */
  add(
    list: string,
    email: string,
    given?: Partial<Pick<Person, "status" | "firstName" | "mergeFields" | "tags" | "proof">>,
  ): Person;
  /** Changes the status: a click in an email, or a bounce. */
  put(list: string, email: string, status: Status): void;
  /** Returns the member with that address. */
  find(list: string, email: string): Person | undefined;
  /** Registers a webhook, as another system does. */
  register(list: string, hook: Pick<Hook, "url"> & Partial<Hook>): Hook;
}

/** Returns the hash that identifies a member. */
export function hashOf(email: string): string {
  return createHash("md5").update(email.toLowerCase()).digest("hex");
}

const second = () => Math.floor(Date.now() / 1000) * 1000;

export function createAccount(key: string): Account {
  let last = 0x1000000000;
  const newId = () => (++last).toString(16);
  const account: Account = {
    key,
    audiences: new Map(),
    inCompliance: new Set(),
    mails: [],
    mostMergeFields: 29,
    signs: true,
    newId,
    add(list, email, { status = "pending", firstName = "", mergeFields = {}, tags = [], proof = {} } = {}) {
      const person = { email, status, firstName, mergeFields, tags, proof, changedAt: second() };
      account.audiences.get(list)!.members.set(hashOf(email), person);
      if (status === "pending") account.mails.push(email);
      return person;
    },
    put(list, email, status) {
      const person = account.find(list, email);
      if (!person) throw new Error("this person is not in the audience");
      if (status === "pending" && person.status !== status) account.mails.push(person.email);
      Object.assign(person, { status, changedAt: second() });
    },
    find: (list, email) => account.audiences.get(list)!.members.get(hashOf(email)),
    register(list, hook) {
      const all = { subscribe: true, unsubscribe: true, cleaned: true, upemail: true };
      const created = {
        id: newId(),
        events: { ...all, profile: false, campaign: false },
        sources: { user: true, admin: true, api: true },
        secret: `whsec_${newId()}`,
        ...hook,
      };
      account.audiences.get(list)!.hooks.push(created);
      return created;
    },
  };
  return account;
}
