import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type Context, newId } from "./context.ts";
import { readLists } from "./project.ts";
import type { ContactRow, Entry, FieldRow, SubscriberRow } from "./rows.ts";
import type { Person } from "./subscribers.ts";

/** People of the project, on lists or not. */

export function createContact(
  context: Context,
  person: Person & { properties: NonNullable<ContactRow["properties"]> },
): Promise<ContactRow | null> {
  const id = newId(context.random);
  return cas<[Entry<ContactRow>], ContactRow | null>(
    context.kv,
    [keys.sandboxContact(person.email)],
    ([{ value: known }]) => {
      if (known) return { value: null };
      const now = context.clock.now();
      const contact: ContactRow = { v: 1, id, ...person, createdAt: now, updatedAt: now };
      return {
        value: contact,
        write: (tx) => void tx.set(keys.sandboxContact(person.email), contact),
      };
    },
    context,
  );
}

export async function readContact(kv: Deno.Kv, email: string): Promise<ContactRow | null> {
  return (await kv.get<ContactRow>(keys.sandboxContact(email))).value;
}

/** Members and properties that are not given stay as they are; `tags` replaces all of them. */
export function updateContact(
  context: Context,
  email: string,
  patch: {
    name?: string | undefined;
    tags?: string[] | undefined;
    properties: NonNullable<ContactRow["properties"]>;
  },
): Promise<ContactRow | null> {
  return cas<[Entry<ContactRow>], ContactRow | null>(
    context.kv,
    [keys.sandboxContact(email)],
    ([{ value }]) => {
      if (!value) return { value: null };
      const contact: ContactRow = {
        ...value,
        name: patch.name ?? value.name,
        tags: patch.tags ?? value.tags,
        properties: { ...value.properties, ...patch.properties },
        updatedAt: Math.max(context.clock.now(), value.updatedAt),
      };
      return { value: contact, write: (tx) => void tx.set(keys.sandboxContact(email), contact) };
    },
    context,
  );
}

/** A custom property of the project's contacts; null when it is there already. */
export function createField(
  context: Context,
  { name, type }: Pick<FieldRow, "name" | "type">,
): Promise<FieldRow | null> {
  const id = newId(context.random);
  return cas<[Entry<FieldRow>], FieldRow | null>(
    context.kv,
    [keys.sandboxField(name)],
    ([{ value: known }]) => {
      if (known) return { value: null };
      const field: FieldRow = { v: 1, id, name, type };
      return { value: field, write: (tx) => void tx.set(keys.sandboxField(name), field) };
    },
    context,
  );
}

export async function readFields(kv: Deno.Kv): Promise<FieldRow[]> {
  return await Array.fromAsync(kv.list<FieldRow>({ prefix: keys.sandboxFields() }), ({ value }) => value);
}

/** Erasure: the contact leaves every list, and the links in old mails lead nowhere. Mails stay where they lie. */
export async function deleteContact(context: Context, email: string): Promise<ContactRow | null> {
  const lists = await readLists(context.kv);
  const rows = [keys.sandboxContact(email), ...lists.map((list) => keys.sandboxSubscriber(list.id, email))];
  return cas<[Entry<ContactRow>, ...Entry<SubscriberRow>[]], ContactRow | null>(
    context.kv,
    rows,
    ([contact, ...subscribers]) => {
      if (!contact.value) return { value: null };
      return {
        value: contact.value,
        write(tx) {
          for (const key of rows) tx.delete(key);
          for (const { value } of subscribers) if (value) tx.delete(keys.sandboxLink(value.token));
        },
      };
    },
    context,
  );
}

/** Names of the lists a person is on. */
export async function listsOf(kv: Deno.Kv, email: string): Promise<string[]> {
  const lists = await readLists(kv);
  const rows = await Promise.all(lists.map((list) => kv.get(keys.sandboxSubscriber(list.id, email))));
  return lists.filter((_, index) => rows[index]?.value).map((list) => list.name);
}

/** Newest first. */
export async function listContacts(
  kv: Deno.Kv,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ items: ContactRow[]; count: number }> {
  const all = await Array.fromAsync(kv.list<ContactRow>({ prefix: keys.sandboxContacts() }), (e) => e.value);
  all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return { items: all.slice(skip, skip + limit), count: all.length };
}
