import { cas, type Decision } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
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

export function readContact(kv: Deno.Kv, email: string): Promise<ContactRow | null> {
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

export async function readFields(kv: Deno.Kv): Promise<FieldRow[]> {
  return await Array.fromAsync(kv.list<FieldRow>({ prefix: keys.sandboxFields() }), ({ value }) => value);
}

/**
 * Erases a contact: removes it from every list and invalidates the links in its emails. The emails stay in
 * the inbox.
 */
export async function deleteContact(context: Context, email: string): Promise<ContactRow | null> {
  const lists = await readLists(context.kv);
  const read = { contact: contactKey(email), subscriptions: lists.map(({ id }) => subscriberKey(id, email)) };
  return await cas(context.kv, read, ({ contact, subscriptions }): Decision<ContactRow | null> => {
    if (!contact.value) return { value: null };
    return {
      value: contact.value,
      write(tx) {
        tx.delete(contact.key);
        for (const { key, value } of subscriptions) {
          tx.delete(key);
          if (value) tx.delete(linkKey(value.token));
        }
      },
    };
  }, context);
}

/** Returns the names of the lists that an address is on. */
export async function listsOf(kv: Deno.Kv, email: string): Promise<string[]> {
  const lists = await readLists(kv);
  const { subscriptions } = await readEntries(kv, {
    subscriptions: lists.map(({ id }) => subscriberKey(id, email)),
  });
  return lists.filter((_, index) => subscriptions[index]?.value).map((list) => list.name);
}

/** Returns one page of contacts, newest first, and the number of all contacts. */
export async function listContacts(
  kv: Deno.Kv,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ items: ContactRow[]; count: number }> {
  const all = await Array.fromAsync(kv.list<ContactRow>({ prefix: keys.sandboxContacts() }), (e) => e.value);
  all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return { items: all.slice(skip, skip + limit), count: all.length };
}
