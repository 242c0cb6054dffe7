import { readBluefoxWebhook } from "../../server/providers/adapters/bluefox/webhook_events.ts";
import type { ListStatus } from "../../shared/outcomes.ts";
import type { ListedSubscriber, PageResult, Provider, Target } from "../../server/providers/port/port.ts";
import type { Clock } from "../../server/platform/deps.ts";
import type { StubState } from "./stub_provider.ts";

/** The calls of the stub provider, each with its scripted result or the one that follows from its subscribers. */

/** A subscriber on a list. */
interface Person {
  list: string;
  email: string;
  status: ListStatus;
  changedAt: number;
}

const PAGE = 30;

type People = ReturnType<typeof createPeople>;

/** Creates the subscribers of all lists. */
export function createPeople(clock: Clock) {
  const people = new Map<string, Person>();
  const id = ({ list, email }: Target) => `${list} ${email}`;
  return {
    find: (target: Target) => people.get(id(target)),
    on: (list: string) => [...people.values()].filter((person) => person.list === list),
    put(list: string, email: string, status: ListStatus, changedAt = clock.now()): void {
      people.set(id({ list, email }), { list, email, status, changedAt });
    },
    /** Removes an address from every list, and returns whether it was on one. */
    remove(email: string): boolean {
      const gone = [...people.values()].filter((person) => person.email === email);
      for (const person of gone) people.delete(id(person));
      return gone.length > 0;
    },
  };
}

export function subscriptionCalls(
  state: StubState,
  people: People,
): Pick<Provider, "subscribe" | "status" | "resend" | "reactivate" | "importConfirmed"> {
  const { calls, mails, nextResults } = state;
  /** Returns the subscriber, unless the provider does not show subscribers who have not confirmed. */
  const visible = (target: Target) => {
    const found = people.find(target);
    return found?.status === "pending" && !state.capabilities.showsPending ? undefined : found;
  };
  return {
    subscribe(target) {
      calls.push(`subscribe ${target.email}`);
      const scripted = nextResults.subscribe.shift();
      if (scripted) return Promise.resolve(scripted);
      if (visible(target)) return Promise.resolve({ kind: "exists" });
      const status = state.singleOptIn.has(target.list) ? "active" : "pending";
      people.put(target.list, target.email, status);
      if (status === "pending" && !state.capabilities.sendsSeparately) mails.push(target.email);
      return Promise.resolve({ kind: "accepted" });
    },
    status(target) {
      calls.push(`status ${target.email}`);
      const found = visible(target);
      return Promise.resolve(
        nextResults.status.shift() ??
          (found ? { kind: "found", status: found.status } : { kind: "absent" }),
      );
    },
    async resend({ email }, beforeSend) {
      if (beforeSend) await beforeSend();
      calls.push(`resend ${email}`);
      const scripted = nextResults.resend.shift();
      if (!scripted || scripted.kind === "sent") mails.push(email);
      return scripted ?? { kind: "sent" };
    },
    importConfirmed(target) {
      calls.push(`import ${target.email}`);
      const scripted = nextResults.import.shift();
      if (scripted) return Promise.resolve(scripted);
      const found = people.find(target);
      if (found) return Promise.resolve({ kind: "exists", status: found.status });
      people.put(target.list, target.email, "active");
      return Promise.resolve({ kind: "imported", omitted: {} });
    },
    reactivate(target) {
      calls.push(`reactivate ${target.email}`);
      const scripted = nextResults.reactivate.shift();
      if (scripted) return Promise.resolve(scripted);
      if (!people.find(target)) return Promise.resolve({ kind: "absent" });
      people.put(target.list, target.email, "active");
      return Promise.resolve({ kind: "active" });
    },
  };
}

export function mailCalls(
  { calls, triggered, transactional, nextResults }: StubState,
): Pick<Provider, "sendTriggered" | "sendTransactional" | "template"> {
  return {
    sendTriggered(mail) {
      calls.push(`trigger ${mail.emails.join()}`);
      const result = nextResults.trigger.shift() ?? { kind: "sent" };
      if (result.kind === "sent") triggered.push(mail);
      return Promise.resolve(result);
    },
    sendTransactional(mail) {
      calls.push(`transactional ${mail.email}`);
      const result = nextResults.trigger.shift() ?? { kind: "sent" };
      if (result.kind === "sent") transactional.push(mail);
      return Promise.resolve(result);
    },
    template: () => Promise.resolve({ kind: "absent" }),
  };
}

export function contactCalls(
  { calls, contacts, nextResults }: StubState,
  people: People,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  return {
    contact(email) {
      calls.push(`contact ${email}`);
      const contact = contacts.get(email);
      return Promise.resolve(contact ? { kind: "found", contact } : { kind: "absent" });
    },
    saveContact(email, change) {
      calls.push(`save ${email}`);
      const scripted = nextResults.saveContact.shift();
      if (scripted) return Promise.resolve(scripted);
      const before = contacts.get(email) ?? { name: "", properties: {} };
      const properties = { ...before.properties, ...change.properties };
      contacts.set(email, { ...before, ...change, properties });
      return Promise.resolve({ kind: "saved" });
    },
    erase(email) {
      calls.push(`erase ${email}`);
      const scripted = nextResults.erase.shift();
      if (scripted) return Promise.resolve(scripted);
      const wasContact = contacts.delete(email);
      const wasSubscribed = people.remove(email);
      return Promise.resolve({ kind: wasContact || wasSubscribed ? "erased" : "absent" });
    },
  };
}

export function listingCalls(
  state: StubState,
  people: People,
): Pick<Provider, "lists" | "changed" | "unconfirmed"> {
  function page(persons: Person[], cursor: string | undefined, since = -Infinity): PageResult {
    const at = Number(cursor ?? 0);
    const shown = persons.slice(at * PAGE, (at + 1) * PAGE);
    const items = shown.map(({ email, status, changedAt }): ListedSubscriber => ({
      email,
      status,
      ...(state.dated && { changedAt }),
    }));
    const last = shown.at(-1);
    const more = persons.length > (at + 1) * PAGE && (!state.dated || last!.changedAt >= since);
    return { kind: "page", items, total: persons.length, ...(more && { cursor: `${at + 1}` }) };
  }
  return {
    lists: () => Promise.resolve({ kind: "lists", lists: [] }),
    changed(list, since, cursor) {
      state.calls.push(`changed ${cursor ?? 0}`);
      const newestFirst = people.on(list).toSorted((a, b) => b.changedAt - a.changedAt);
      return Promise.resolve(state.nextResults.page.shift() ?? page(newestFirst, cursor, since));
    },
    unconfirmed(list, cursor) {
      state.calls.push(`unconfirmed ${cursor ?? 0}`);
      const waiting = people.on(list).filter(({ status }) => status === "pending");
      return Promise.resolve(state.nextResults.page.shift() ?? page(waiting, cursor));
    },
  };
}

export function webhookCalls(state: StubState): Pick<Provider, "getWebhook" | "setWebhook" | "readWebhook"> {
  return {
    getWebhook: () => Promise.resolve({ kind: "webhook", webhook: state.registered }),
    setWebhook({ url, replace }) {
      if (state.registered && state.registered.url !== url && !replace) {
        return Promise.resolve({ kind: "foreign", url: state.registered.url });
      }
      state.registered = { url, events: ["subscription"], missing: [], surplus: [] };
      return Promise.resolve({ kind: "registered", webhook: state.registered });
    },
    readWebhook: (request) => Promise.resolve(readBluefoxWebhook(request)),
  };
}
