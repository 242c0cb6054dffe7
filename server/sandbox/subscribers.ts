import { cas, type Decision } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { type Context, newId, newSecret } from "./context.ts";
import { magicOf } from "./test_addresses.ts";
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

/** The people on the sandbox's lists. Every change is one commit with a check on what it was decided on. */

export interface Person {
  email: string;
  name: string;
  tags: string[];
}

export type Subscribed =
  | { kind: "created"; subscriber: SubscriberRow; list: ListRow }
  | { kind: "exists"; subscriber: SubscriberRow }
  | { kind: "no_list" };

/**
 * Puts a person on a list. Of any number of concurrent calls one creates, with one mail; the others find.
 *
 * @param wish an explicit "active" skips double opt-in, as it does at the provider
 */
export function subscribe(
  context: Context,
  listId: string,
  person: Person,
  wish?: SubscriberStatus,
): Promise<Subscribed> {
  const { kv, clock, random } = context;
  const [id, contactId, token, mailId] = [newId(random), newId(random), newSecret(random), newId(random)];
  const { email } = person;
  const subscriberAt = subscriberKey(listId, email);
  return cas(
    kv,
    { list: listKey(listId), known: subscriberAt, contact: contactKey(email) },
    ({ list: { value: list }, known: { value: known }, contact }): Decision<Subscribed> => {
      if (!list) return { value: { kind: "no_list" } };
      if (known) return { value: { kind: "exists", subscriber: known } };
      const now = clock.now();
      const status = wish ?? (list.doubleOptIn ? "unverified" : "active");
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
          tx.set(contactKey(email), merged(contact.value, person, contactId, now));
          tx.set(linkKey(token), { v: 1, list: listId, email } satisfies LinkRow);
          if (status === "unverified") putMail(tx, confirmationMail(subscriber, list, now, mailId));
        },
      };
    },
    context,
  );
}

function merged(contact: ContactRow | null, person: Person, id: string, now: number): ContactRow {
  if (!contact) return { v: 1, id, ...person, createdAt: now, updatedAt: now };
  const tags = [...new Set([...contact.tags, ...person.tags])];
  return { ...contact, name: person.name || contact.name, tags, updatedAt: now };
}

/** One subscriber; those that a magic address promises are put on the list when first asked for. */
export async function readSubscriber(
  context: Context,
  listId: string,
  email: string,
): Promise<SubscriberRow | null> {
  const magic = magicOf(email);
  if (magic === "unsubscribed" || magic === "active") {
    const found = await subscribe(context, listId, { email, name: "", tags: [] }, magic);
    return found.kind === "no_list" ? null : found.subscriber;
  }
  return await readRow(context.kv, subscriberKey(listId, email));
}

export type Changed =
  | { kind: "changed"; from: SubscriberStatus; subscriber: SubscriberRow; list: ListRow }
  | { kind: "same"; subscriber: SubscriberRow; list: ListRow }
  | { kind: "absent" };

/**
 * Moves a subscriber to another state.
 *
 * @param next the state wanted, given the one now; undefined leaves it. Pure: it may run many times.
 */
export function change(
  context: Context,
  { list: listId, email }: { list: string; email: string },
  next: (row: SubscriberRow) => Pick<SubscriberRow, "status" | "pausedUntil"> | undefined,
): Promise<Changed> {
  return cas(
    context.kv,
    { list: listKey(listId), subscriber: subscriberKey(listId, email) },
    ({ list: { value: list }, subscriber: { key, value: row } }): Decision<Changed> => {
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

/** Whose subscription the links of a mail speak for; null for a token that was never made. */
export function readLink(kv: Deno.Kv, token: string): Promise<LinkRow | null> {
  return readRow(kv, linkKey(token));
}

/** Puts the confirmation mail into the inbox again. */
export function resend(
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
 * A page of a list's subscribers. Reads the whole list: an inbox for trying out holds thousands, not millions,
 * and one scan serves every order that the provider offers.
 */
export async function listSubscribers(
  kv: Deno.Kv,
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
  // Equal times are told apart by the id, or a page could repeat what another page showed.
  matching.sort((a, b) => sign * (compare(a[query.sort], b[query.sort]) || compare(a.id, b.id)));
  return { items: matching.slice(query.skip, query.skip + query.limit), count: matching.length };
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
