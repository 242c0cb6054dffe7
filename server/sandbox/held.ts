import type { Holding, HoldingDeps } from "../privacy/holding.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { readLists } from "./project.ts";
import type { DeliveryRow, Entry, MailRow, SubscriberRow } from "./rows.ts";

/**
 * What the sandbox holds about an address: its contact, its place on lists, and everything that was mailed or reported
 * about it. It stands in for a provider, but its rows lie in this database.
 */
export function sandboxHeld(deps: HoldingDeps): Holding {
  const { kv } = deps;

  const mailsTo = (email: string) =>
    Array.fromAsync(kv.list<MailRow>({ prefix: keys.sandboxMailsTo(email) }), ({ value }) => value);

  async function deliveriesAbout(email: string): Promise<DeliveryRow[]> {
    const rows = kv.list<DeliveryRow>({ prefix: keys.sandboxDeliveries() });
    const all = await Array.fromAsync(rows, ({ value }) => value);
    return all.filter((row) => row.email.toLowerCase() === email);
  }

  async function placesOf(email: string): Promise<Deno.KvKey[]> {
    const lists = await readLists(kv);
    return lists.map(({ id }) => keys.sandboxSubscriber(id, email));
  }

  /** Contact, places on lists and their links in one commit. @returns how many rows there were */
  async function erasePerson(email: string): Promise<number> {
    const rows = [keys.sandboxContact(email), ...await placesOf(email)];
    return await cas(kv, rows, (entries: Entry<SubscriberRow>[]) => ({
      value: entries.filter(({ value }) => value !== null).length,
      write(tx) {
        for (const { key, value } of entries) {
          tx.delete(key);
          if (value?.token !== undefined) tx.delete(keys.sandboxLink(value.token));
        }
      },
    }), deps);
  }

  return {
    name: "sandbox",
    async find(email) {
      const person = await Promise.all(
        [keys.sandboxContact(email), ...await placesOf(email)].map((key) => kv.get(key)),
      );
      const there = person.flatMap(({ value }) => value === null ? [] : [value]);
      return [...there, ...await mailsTo(email), ...await deliveriesAbout(email)];
    },
    async erase(email) {
      const mails = await mailsTo(email);
      for (const { at, id, token } of mails) {
        const tx = kv.atomic().delete(keys.sandboxMail(at, id)).delete(keys.sandboxMailTo(email, at, id));
        if (token !== undefined) tx.delete(keys.sandboxLink(token));
        await tx.commit();
      }
      const deliveries = await deliveriesAbout(email);
      for (const { at, id } of deliveries) await kv.delete(keys.sandboxDelivery(at, id));
      return mails.length + deliveries.length + await erasePerson(email);
    },
  };
}
