/** The data of an account at Klaviyo, with the actions of people and of the account's owner. */

export type OptIn = "double_opt_in" | "single_opt_in" | null;

export interface List {
  id: string;
  name: string;
  optIn: OptIn;
}

export interface Suppression {
  reason: string;
  timestamp: string;
  list_id?: string;
}

export interface Profile {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  properties: Record<string, unknown>;
  consent: "SUBSCRIBED" | "UNSUBSCRIBED" | "NEVER_SUBSCRIBED";
  /** As an import said. */
  consentedAt?: string;
  /** For all lists. */
  suppressions: Suppression[];
  /** For one list each. */
  listSuppressions: Suppression[];
  /** When the person joined each list, by its ID. */
  joined: Map<string, string>;
  updated: string;
}

export interface Account {
  lists: Map<string, List>;
  /** By address in lower case. */
  profiles: Map<string, Profile>;
  /** Addresses to which confirmation emails were sent. */
  mails: string[];
  /** How many people a page of a listing has at most. */
  pageMax: number;
  /** While true, jobs that were accepted wait for `settle`. */
  isSlow: boolean;
  /** Runs a job, now or once the account settles. */
  queue(job: () => void): void;
  /** Runs the jobs that wait. */
  settle(): void;
  addList(name: string, optIn: OptIn): string;
  /** Returns the profile of an address; creates it if there is none. */
  profile(email: string): Profile;
  /** Does what the job does that subscribes an address. With a time of consent, it skips double opt-in. */
  subscribe(email: string, list: string, historical?: { consentedAt?: string }): void;
  /** Clicks the link in the confirmation email. */
  confirm(email: string, list: string): void;
  /** Unsubscribes from all lists. The profile stays a member of its lists. */
  unsubscribe(email: string): void;
  suppress(email: string, reason: string, list?: string): void;
}

/** The subscribe job lifts these, as its description says. */
const LIFTED = ["UNSUBSCRIBE", "SPAM_COMPLAINT", "USER_SUPPRESSED"];

function timestamp(): string {
  return new Date().toISOString().replace("Z", "+00:00");
}

export function createAccount(): Account {
  let last = 0;
  const newId = (prefix: string) => `${prefix}${String(++last).padStart(5, "0")}`;
  const waiting: (() => void)[] = [];
  const account: Account = {
    lists: new Map(),
    profiles: new Map(),
    mails: [],
    pageMax: Infinity,
    isSlow: false,
    queue(job) {
      waiting.push(job);
      if (!account.isSlow) account.settle();
    },
    settle() {
      for (const job of waiting.splice(0)) job();
    },
    addList(name, optIn) {
      const id = newId("L");
      account.lists.set(id, { id, name, optIn });
      return id;
    },
    profile(email) {
      const key = email.toLowerCase();
      const found: Profile = account.profiles.get(key) ?? {
        id: newId("01P"),
        email: key,
        firstName: null,
        lastName: null,
        properties: {},
        consent: "NEVER_SUBSCRIBED",
        suppressions: [],
        listSuppressions: [],
        joined: new Map(),
        updated: timestamp(),
      };
      account.profiles.set(key, found);
      return found;
    },
    subscribe(email, list, { consentedAt } = {}) {
      const found = account.profile(email);
      const stays = ({ reason }: Suppression) => !LIFTED.includes(reason);
      found.suppressions = found.suppressions.filter(stays);
      found.listSuppressions = found.listSuppressions.filter((one) => one.list_id !== list || stays(one));
      if (found.consent === "UNSUBSCRIBED") found.consent = "NEVER_SUBSCRIBED";
      if (found.suppressions.length > 0) return;
      const needsOptIn = account.lists.get(list)!.optIn === "double_opt_in" && consentedAt === undefined;
      if (needsOptIn) account.mails.push(found.email);
      else account.confirm(email, list);
      if (consentedAt !== undefined) found.consentedAt = consentedAt;
    },
    confirm(email, list) {
      const found = account.profile(email);
      found.consent = "SUBSCRIBED";
      found.updated = timestamp();
      found.joined.set(list, found.updated);
    },
    unsubscribe(email) {
      account.profile(email).consent = "UNSUBSCRIBED";
      account.suppress(email, "UNSUBSCRIBE");
    },
    suppress(email, reason, list) {
      const found = account.profile(email);
      found.updated = timestamp();
      if (list === undefined) found.suppressions.push({ reason, timestamp: found.updated });
      else found.listSuppressions.push({ reason, timestamp: found.updated, list_id: list });
    },
  };
  return account;
}
