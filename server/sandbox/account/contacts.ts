import { cas, type Decision } from "../../platform/kv/cas.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Context, newId } from "./context.ts";
import { readLists } from "./project.ts";
import { contactKey, type ContactRow, fieldKey, type FieldRow, linkKey, subscriberKey } from "./rows.ts";
import type { Person } from "./subscribers.ts";

/** The contacts of the project, whether or not they are on a list. */

export function createContact(
  context: Context,
  person: Person & { properties: NonNullable<ContactRow["properties"]> },
): Promise<ContactRow | null> {
  const id = newId(context.random);
  return cas(context.kv, { known: contactKey(person.email) }, ({ known }): Decision<ContactRow | null> => {
    if (known.value) return { value: null };
    const now = context.clock.now();
    const contact: ContactRow = { v: 1, id, ...person, createdAt: now, updatedAt: now };
    return { value: contact, write: (tx) => void tx.set(known.key, contact) };
  }, context);
}

export function readContact(kv: Kv, email: string): Promise<ContactRow | null> {
  return readRow(kv, contactKey(email));
}

/** Updates the given members and properties and keeps the others. `tags` replaces all tags. */
export function updateContact(
  context: Context,
  email: string,
  patch: {
    name?: string | undefined;
    tags?: string[] | undefined;
    properties: NonNullable<ContactRow["properties"]>;
  },
): Promise<ContactRow | null> {
  const read = { contact: contactKey(email) };
  return cas(context.kv, read, ({ contact: { key, value } }): Decision<ContactRow | null> => {
    if (!value) return { value: null };
    const contact: ContactRow = {
      ...value,
      name: patch.name ?? value.name,
      tags: patch.tags ?? value.tags,
      properties: { ...value.properties, ...patch.properties },
      updatedAt: Math.max(context.clock.now(), value.updatedAt),
    };
    return { value: contact, write: (tx) => void tx.set(key, contact) };
  }, context);
}

/** Creates a custom property of the project's contacts. Returns null if it exists already. */
export function createField(
  context: Context,
  { name, type }: Pick<FieldRow, "name" | "type">,
): Promise<FieldRow | null> {
  const id = newId(context.random);
  return cas(context.kv, { known: fieldKey(name) }, ({ known }): Decision<FieldRow | null> => {
    if (known.value) return { value: null };
    const field: FieldRow = { v: 1, id, name, type };
    return { value: field, write: (tx) => void tx.set(known.key, field) };
  }, context);
}

export async function readFields(kv: Kv): Promise<FieldRow[]> {
  return await Array.fromAsync(kv.list<FieldRow>({ prefix: keys.sandboxFields() }), ({ value }) => value);
}

type Store = Pick<Context, "kv" | "clock" | "random">;

/**
 * Erases a contact: removes it from every list and invalidates the links in its emails. The emails stay in
 * the inbox.
 *
 * @param includes by the time of its creation, Unix milliseconds; a membership that stays needs its contact
 */
export async function deleteContact(
  context: Store,
  email: string,
  includes: (at: number) => boolean = () => true,
): Promise<ContactRow | null> {
  const contact = await readContact(context.kv, email);
  if (!contact || !includes(contact.createdAt)) return null;
  await deleteSubscriptions(context, email, includes);
  if ((await listsOf(context.kv, email)).length > 0) return null;
  return await cas(context.kv, { contact: contactKey(email) }, ({ contact: { key, value } }) => ({
    value,
    write: (tx) => void tx.delete(key),
  }), context);
}

/**
 * Removes an address from every list and invalidates the links in its emails.
 *
 * @param includes by the time of its creation, Unix milliseconds
 * @returns from how many lists
 */
export async function deleteSubscriptions(
  context: Store,
  email: string,
  includes: (at: number) => boolean = () => true,
): Promise<number> {
  let deleted = 0;
  for (const { id } of await readLists(context.kv)) {
    const read = { subscription: subscriberKey(id, email) };
    deleted += await cas(context.kv, read, ({ subscription: { key, value } }) => {
      if (!value || !includes(value.createdAt)) return { value: 0 };
      return { value: 1, write: (tx) => void tx.delete(key).delete(linkKey(value.token)) };
    }, context);
  }
  return deleted;
}

/** Returns the names of the lists that an address is on. */
export async function listsOf(kv: Kv, email: string): Promise<string[]> {
  const lists = await readLists(kv);
  const { subscriptions } = await readEntries(kv, {
    subscriptions: lists.map(({ id }) => subscriberKey(id, email)),
  });
  return lists.filter((_, index) => subscriptions[index]?.value).map((list) => list.name);
}

/** Returns one page of contacts, newest first, and the number of all contacts. */
export async function listContacts(
  kv: Kv,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ items: ContactRow[]; count: number }> {
  const all = await Array.fromAsync(kv.list<ContactRow>({ prefix: keys.sandboxContacts() }), (e) => e.value);
  all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return { items: all.slice(skip, skip + limit), count: all.length };
}
