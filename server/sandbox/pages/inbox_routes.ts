import { Hono } from "hono";
import { z } from "zod";
import { readEntries } from "../../platform/kv/entries.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Context } from "../account/context.ts";
import { listContacts, listsOf, readContact } from "../account/contacts.ts";
import { readFaults } from "../account/faults.ts";
import { readMails } from "../account/mail.ts";
import { readLists } from "../account/project.ts";
import { type MailRow, subscriberKey, type SubscriberStatus } from "../account/rows.ts";
import { readLinkTarget } from "../account/subscribers.ts";
import { CONTACTS_PER_PAGE, contactsPage } from "./contacts_page.tsx";
import { inboxPage } from "./inbox_page.tsx";
import type { SandboxUrls } from "./layout.tsx";
import { linksOf } from "./links.ts";

const email = z.string().trim().toLowerCase().max(254).catch("");
const query = z.object({
  email: email.default(""),
  before: z.string().regex(/^\d{1,15}-[0-9a-f]{24}$/).transform((cursor) => {
    const [at, id] = cursor.split("-") as [string, string];
    return { at: Number(at), id };
  }).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(100).optional().catch(undefined),
});

/** Serves the inbox and the contacts, as pages and as JSON. */
export function inboxRoutes(context: Context, urls: SandboxUrls): Hono {
  const app = new Hono();
  const { kv } = context;
  app.get("/", async (c) => {
    const asked = query.parse(c.req.query());
    const { before, limit } = asked;
    const [page, faults] = await Promise.all([
      readMails(kv, { before, limit, containing: asked.email }),
      readFaults(kv),
    ]);
    const statuses = await statusesOf(kv, page.mails);
    const paged = before !== undefined;
    return c.html(inboxPage(urls, { page, statuses, email: asked.email, paged, faults }));
  });

  app.get("/inbox.json", async (c) => {
    const asked = query.parse(c.req.query());
    const { mails, before } = await readMails(kv, { ...asked, email: asked.email || undefined });
    const items = mails.map(({ v: _, token: __, ...mail }, index) => ({
      ...mail,
      links: linksOf(urls, mails[index]!),
    }));
    return c.json({ mails: items, before: before ?? null });
  });

  app.get("/contacts", async (c) => {
    const skip = z.coerce.number().int().min(0).catch(0).parse(c.req.query("skip"));
    const [{ items, count }, faults] = await Promise.all([
      listContacts(kv, { limit: CONTACTS_PER_PAGE, skip }),
      readFaults(kv),
    ]);
    const contacts = await Promise.all(
      items.map(async (contact) => ({ contact, lists: await listsOf(kv, contact.email) })),
    );
    return c.html(contactsPage(urls, { contacts, count, skip, faults }));
  });

  app.get("/subscribers.json", async (c) => {
    const { email } = query.parse(c.req.query());
    const lists = await readLists(kv);
    const { urls } = await readEntries(kv, { urls: lists.map(({ id }) => subscriberKey(id, email)) });
    const subscribers = urls.flatMap(({ value: row }, index) => {
      if (!row) return [];
      const { v: _, token: __, ...rest } = row;
      return [{ ...rest, listName: lists[index]!.name }];
    });
    const contact = await readContact(kv, email);
    return c.json({ subscribers, tags: contact?.tags ?? [] });
  });

  return app;
}

/** Returns the current status of each email's subscription, by token. */
async function statusesOf(kv: Kv, mails: MailRow[]): Promise<Map<string, SubscriberStatus>> {
  const tokens = [...new Set(mails.flatMap((mail) => mail.token ?? []))];
  const statuses = new Map<string, SubscriberStatus>();
  await Promise.all(tokens.map(async (token) => {
    const link = await readLinkTarget(kv, token);
    const row = link && await readRow(kv, subscriberKey(link.list, link.email));
    if (row) statuses.set(token, row.status);
  }));
  return statuses;
}
