import { z } from "zod";
import type { ListedSubscriber, Provider, ProviderList } from "../../port/port.ts";
import { changeOf, isUnexplained, parseContact, statusOn } from "./contact.ts";
import { unavailable } from "../../port/unsupported.ts";
import type { BrevoSend } from "./http.ts";
import { numericId } from "./ids.ts";
import { notConfigured, trouble } from "./results.ts";
import type { ReadTemplate } from "./templates.ts";

/** Brevo's maximum for lists. */
const LISTS_PER_PAGE = 50;
/** 1,000 lists, so that a wrong count cannot block the admin. */
const LIST_PAGES_MAX = 20;
/** Below Brevo's maximum of 500, so that a page with all attributes stays small. */
const CONTACTS_PER_PAGE = 100;
/** How far to go back for contacts who moved to the page before; doubles until they are found. */
const STEP_BACK = 10;
/** How much earlier to ask for changes than needed: Brevo documents "after" a time, not its precision. */
const SINCE_MARGIN_MS = 1_000;

const count = z.number().int().nonnegative();
const listPage = z.object({
  count: count.optional(),
  lists: z.array(z.unknown()).optional(),
});
const listShape = z.object({ id: z.number(), name: z.string() });
const identified = z.object({ id: z.number() });
const contactPage = z.object({ count, contacts: z.array(z.unknown()) });

/** Returns the calls that list contacts and lists. */
export function listingCalls(
  send: BrevoSend,
  optInTemplate: () => Promise<ReadTemplate>,
): Pick<Provider, "lists" | "changed" | "unconfirmed"> {
  return {
    async lists() {
      const lists: ProviderList[] = [];
      for (let page = 0, offset = 0; page < LIST_PAGES_MAX; page++) {
        const query = `limit=${LISTS_PER_PAGE}&offset=${offset}&sort=asc`;
        const response = await send({ method: "GET", path: `/contacts/lists?${query}` });
        const read = response.kind === "ok" ? listPage.safeParse(response.body).data : undefined;
        if (!read) return trouble(response, "reads");
        const { lists: found = [], count: total = 0 } = read;
        lists.push(...found.flatMap((raw) => {
          const { id, name } = listShape.safeParse(raw).data ?? {};
          return id === undefined ? [] : [{ id: String(id), name: name! }];
        }));
        offset += found.length;
        if (found.length === 0 || offset >= total) break;
      }
      const doubleOptIn = optInOf(await optInTemplate());
      return { kind: "lists", lists: lists.map((list) => ({ ...list, ...doubleOptIn })) };
    },

    // Brevo lists the oldest contact first and knows only offsets. Each page begins with the last contact of the one before.
    async changed(list, since, cursor) {
      const id = numericId(list);
      if (id === undefined) return notConfigured("the ID of a list at Brevo is a number");
      const [from = 0, last = Infinity] = (cursor ?? "0").split(" ").map(Number);
      for (let offset = from, back = STEP_BACK;; offset = Math.max(0, offset - back), back *= 2) {
        const page = await contactsOf(id, since, offset);
        if (page.kind === "trouble") return page;
        // A later contact is first if earlier ones were removed: then others moved to the page before.
        const hasGap = page.isEmpty || (page.first !== undefined && page.first > last);
        if (offset > 0 && hasGap) continue;
        return { kind: "page", items: page.items, ...(page.next !== undefined && { cursor: page.next }) };
      }
    },

    unconfirmed: unavailable("Brevo does not list people who have not confirmed"),
  };

  async function contactsOf(list: number, since: number, offset: number) {
    const from = since - SINCE_MARGIN_MS;
    const query = new URLSearchParams({
      limit: String(CONTACTS_PER_PAGE),
      offset: String(offset),
      sort: "asc",
      ...(from > 0 && { modifiedSince: new Date(from).toISOString() }),
    });
    const response = await send({ method: "GET", path: `/contacts/lists/${list}/contacts?${query}` });
    const read = response.kind === "ok" ? contactPage.safeParse(response.body).data : undefined;
    if (!read) return trouble(response, "reads");
    const ids = read.contacts.map((raw) => identified.safeParse(raw).data?.id);
    const items = read.contacts.flatMap((raw): ListedSubscriber[] => {
      const contact = parseContact(raw);
      const status = contact && statusOn(contact, list);
      if (!contact?.email || !status) return [];
      const changedAt = changeOf(contact);
      return [{
        ...{ email: contact.email, status },
        ...(changedAt !== undefined && { changedAt }),
        ...(isUnexplained(contact) && { needsStatus: true }),
      }];
    });
    const end = offset + read.contacts.length;
    // Two contacts at least, or the next page would be the same one.
    const more = end < read.count && read.contacts.length > 1;
    return {
      kind: "contacts" as const,
      items,
      isEmpty: read.contacts.length === 0,
      first: ids[0],
      next: more ? `${end - 1} ${ids.at(-1) ?? Infinity}` : undefined,
    };
  }
}

/** Returns whether lists have double opt-in, which depends on the template of the confirmation email. */
function optInOf(template: ReadTemplate): { doubleOptIn?: boolean } {
  if (template.kind === "trouble") return {};
  if (template.kind === "absent" || !template.isActive || template.isOptIn === false) {
    return { doubleOptIn: false };
  }
  return template.isOptIn ? { doubleOptIn: true } : {};
}
