import { cas, type Decision } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Context, newId, newSecret } from "./context.ts";
import { testBehaviorOf } from "./test_addresses.ts";
import { confirmationMail, putMail } from "./mail.ts";
import {
  contactKey,
  type ContactRow,
  linkKey,
  type LinkRow,
  listKey,
  type ListRow,
  subscriberKey,
  type SubscriberRow,
  type SubscriberStatus,
} from "./rows.ts";

/**
 * The subscribers of the sandbox's lists. Every change is one commit that checks the rows it was based on.
 */

export interface Person {
  email: string;
  name: string;
  tags: string[];
  /** Values of custom properties. */
  properties?: Record<string, string | number>;
}

export type AddResult =
  | { kind: "created"; subscriber: SubscriberRow; list: ListRow }
  | { kind: "exists"; subscriber: SubscriberRow }
  | { kind: "no_list" };

/**
 * Adds a person to a list. Of concurrent calls, one creates the subscriber and its email; the others find it.
 *
 * @param initialStatus an explicit "active" skips double opt-in, as at the provider
 */
export function addSubscriber(
  context: Context,
  listId: string,
  person: Person,
  initialStatus?: SubscriberStatus,
): Promise<AddResult> {
  const { kv, clock, random } = context;
  const [id, contactId, token, mailId] = [newId(random), newId(random), newSecret(random), newId(random)];
  const { email } = person;
  const subscriberAt = subscriberKey(listId, email);
  return cas(
    kv,
    { list: listKey(listId), known: subscriberAt, contact: contactKey(email) },
    ({ list: { value: list }, known: { value: known }, contact }): Decision<AddResult> => {
      if (!list) return { value: { kind: "no_list" } };
      if (known) return { value: { kind: "exists", subscriber: known } };
      const now = clock.now();
      const status = initialStatus ?? (list.doubleOptIn ? "unverified" : "active");
      const subscriber: SubscriberRow = {
        v: 1,
        id,
        list: listId,
        email,
        name: person.name || contact.value?.name || "",
        status,
        token,
        createdAt: now,
        updatedAt: now,
      };
      return {
        value: { kind: "created", subscriber, list },
        write(tx) {
          tx.set(subscriberAt, subscriber);
          tx.set(contactKey(email), mergeContact(contact.value, person, contactId, now));
          tx.set(linkKey(token), { v: 1, list: listId, email } satisfies LinkRow);
          if (status === "unverified") putMail(tx, confirmationMail(subscriber, list, now, mailId));
        },
      };
    },
    context,
  );
}

function mergeContact(contact: ContactRow | null, person: Person, id: string, now: number): ContactRow {
  if (!contact) return { v: 1, id, ...person, createdAt: now, updatedAt: now };
  const tags = [...new Set([...contact.tags, ...person.tags])];
  const properties = { ...contact.properties, ...person.properties };
  return { ...contact, name: person.name || contact.name, tags, properties, updatedAt: now };
}

/** Reads one subscriber. Test addresses such as `active@…` are added to the list when they are first read. */
export async function readSubscriber(
  context: Context,
  listId: string,
  email: string,
): Promise<SubscriberRow | null> {
  const behavior = testBehaviorOf(email);
  if (behavior === "unsubscribed" || behavior === "active") {
    const found = await addSubscriber(context, listId, { email, name: "", tags: [] }, behavior);
    return found.kind === "no_list" ? null : found.subscriber;
  }
  return await readRow(context.kv, subscriberKey(listId, email));
}

export type ChangeResult =
  | { kind: "changed"; from: SubscriberStatus; subscriber: SubscriberRow; list: ListRow }
  | { kind: "same"; subscriber: SubscriberRow; list: ListRow }
  | { kind: "absent" };

/**
 * Moves a subscriber to another state.
 *
 * @param next returns the new state, given the current row, or undefined for no change. It must be pure,
 * because it may run several times.
 */
export function change(
  context: Context,
  { list: listId, email }: { list: string; email: string },
  next: (row: SubscriberRow) => Pick<SubscriberRow, "status" | "pausedUntil"> | undefined,
): Promise<ChangeResult> {
  return cas(
    context.kv,
    { list: listKey(listId), subscriber: subscriberKey(listId, email) },
    ({ list: { value: list }, subscriber: { key, value: row } }): Decision<ChangeResult> => {
      if (!list || !row) return { value: { kind: "absent" } };
      const wanted = next(row);
      if (!wanted || wanted.status === row.status) return { value: { kind: "same", subscriber: row, list } };
      const { pausedUntil: _, ...rest } = row;
      const subscriber = { ...rest, ...wanted, updatedAt: Math.max(context.clock.now(), row.updatedAt) };
      return {
        value: { kind: "changed", from: row.status, subscriber, list },
        write: (tx) => void tx.set(key, subscriber),
      };
    },
    context,
  );
}

/** Returns the subscription that the links of an email belong to; null for an unknown token. */
export function readLinkTarget(kv: Kv, token: string): Promise<LinkRow | null> {
  return readRow(kv, linkKey(token));
}

/** Adds another confirmation email to the inbox. */
export function resendConfirmation(
  context: Context,
  listId: string,
  email: string,
): Promise<"sent" | "absent" | "not_waiting"> {
  const id = newId(context.random);
  return cas(
    context.kv,
    { list: listKey(listId), subscriber: subscriberKey(listId, email) },
    ({ list: { value: list }, subscriber: { value: row } }): Decision<"sent" | "absent" | "not_waiting"> => {
      if (!list || !row) return { value: "absent" };
      if (row.status !== "unverified" || !list.doubleOptIn) return { value: "not_waiting" };
      const mail = confirmationMail(row, list, context.clock.now(), id);
      return { value: "sent", write: (tx) => putMail(tx, mail) };
    },
    context,
  );
}

export interface ListingQuery {
  limit: number;
  skip: number;
  sort: "createdAt" | "updatedAt" | "email";
  order: "asc" | "desc";
  status?: SubscriberStatus | undefined;
  email?: string | undefined;
}

/**
 * Returns a page of a list's subscribers. Reads the whole list: a sandbox holds thousands of subscribers, not
 * millions, and one scan serves every sort order of the provider.
 */
export async function listSubscribers(
  kv: Kv,
  listId: string,
  query: ListingQuery,
): Promise<{ items: SubscriberRow[]; count: number }> {
  const matching: SubscriberRow[] = [];
  for await (const { value } of kv.list<SubscriberRow>({ prefix: keys.sandboxSubscribers(listId) })) {
    if (query.status && value.status !== query.status) continue;
    if (query.email && value.email !== query.email) continue;
    matching.push(value);
  }
  const sign = query.order === "asc" ? 1 : -1;
  // Rows with equal times are sorted by id, so that no row appears on two pages.
  matching.sort((a, b) => sign * (compare(a[query.sort], b[query.sort]) || compare(a.id, b.id)));
  return { items: matching.slice(query.skip, query.skip + query.limit), count: matching.length };
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
