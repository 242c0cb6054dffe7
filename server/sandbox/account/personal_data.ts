import type {
  Includes,
  PersonalDataDeps,
  PersonalDataStore,
} from "../../subscribers/privacy/personal_data.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { keys } from "../../platform/kv/keys.ts";
import { deleteContact, deleteSubscriptions } from "./contacts.ts";
import { readLists } from "./project.ts";
import { contactKey, type DeliveryRow, linkKey, type MailRow, subscriberKey } from "./rows.ts";

/**
 * Finds and erases what the sandbox holds about an address: its contact, its list memberships, its emails and
 * the webhook calls about it. The sandbox replaces a provider, but its rows are in this database.
 */
export function sandboxData(deps: PersonalDataDeps): PersonalDataStore {
  const { kv } = deps;

  const mailsTo = (email: string) =>
    Array.fromAsync(kv.list<MailRow>({ prefix: keys.sandboxMailsTo(email) }), ({ value }) => value);

  async function deliveriesAbout(email: string): Promise<DeliveryRow[]> {
    const rows = kv.list<DeliveryRow>({ prefix: keys.sandboxDeliveries() });
    const all = await Array.fromAsync(rows, ({ value }) => value);
    return all.filter((row) => row.email.toLowerCase() === email);
  }

  /** Returns the keys of the contact and of its list memberships. */
  async function keysOf(email: string) {
    const lists = await readLists(kv);
    return { contact: contactKey(email), subscriptions: lists.map(({ id }) => subscriberKey(id, email)) };
  }

  /** Returns the contact and its list memberships. */
  async function rowsOf(email: string) {
    const { contact, subscriptions } = await readEntries(kv, await keysOf(email));
    return [contact, ...subscriptions].flatMap(({ value }) => value === null ? [] : [value]);
  }

  /** Erases list memberships with their links, and the contact. Returns the number of rows erased. */
  async function erasePerson(email: string, includes: Includes): Promise<number> {
    const subscriptions = await deleteSubscriptions(deps, email, includes);
    return subscriptions + (await deleteContact(deps, email, includes) ? 1 : 0);
  }

  return {
    name: "sandbox",
    async find(email) {
      return [...await rowsOf(email), ...await mailsTo(email), ...await deliveriesAbout(email)];
    },
    async times(email) {
      const sent = [...await mailsTo(email), ...await deliveriesAbout(email)];
      return [...(await rowsOf(email)).map(({ createdAt }) => createdAt), ...sent.map(({ at }) => at)];
    },
    async erase(email, includes) {
      const mails = (await mailsTo(email)).filter(({ at }) => includes(at));
      for (const { at, id, token } of mails) {
        const tx = kv.atomic().delete(keys.sandboxMail(at, id)).delete(keys.sandboxMailTo(email, at, id));
        if (token !== undefined) tx.delete(linkKey(token));
        await tx.commit();
      }
      const deliveries = (await deliveriesAbout(email)).filter(({ at }) => includes(at));
      for (const { at, id } of deliveries) await kv.delete(keys.sandboxDelivery(at, id));
      return mails.length + deliveries.length + await erasePerson(email, includes);
    },
  };
}
