import { z } from "zod";
import type { ListedSubscriber, Provider } from "../../port/port.ts";
import { audiencesOf } from "./audiences.ts";
import { type MailchimpResponse, type MailchimpSend, trouble } from "./http.ts";
import { isListed, memberStatusOf, timeOf } from "./member.ts";

/** Reads Mailchimp's pages of audiences and members. */

const PAGE_SIZE = 500;
/** How far two pages of the same second overlap, because people who are removed shift the rest. */
const OVERLAP = 100;
const FIELDS = "members.email_address,members.status,members.last_changed,total_items";

const member = z.object({
  email_address: z.string().min(3),
  status: z.string(),
  last_changed: z.string().nullish().catch(null),
});
const page = z.object({ members: z.array(z.unknown()), total_items: z.number().int().nonnegative() });

interface MembersPage {
  items: ListedSubscriber[];
  /** Number of members on the page, including those that are not on the list. */
  count: number;
  /** Number of members on all pages. */
  total: number;
  /** Time of the latest change, Unix seconds. */
  latest: number;
}

/** Returns a page of members, without those that are invalid or not on the list; undefined if the response is none. */
export function membersPage(response: MailchimpResponse): MembersPage | undefined {
  const found = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
  if (!found) return undefined;
  const read = found.members.flatMap((raw) => member.safeParse(raw).data ?? []);
  const items = read.flatMap(({ email_address: email, status: word, last_changed }): ListedSubscriber[] => {
    const status = memberStatusOf(word);
    if (status === undefined || !isListed(status)) return [];
    const changedAt = timeOf(last_changed);
    return [{ email, status, ...(changedAt !== undefined && { changedAt }) }];
  });
  const times = read.map(({ last_changed }) => Math.floor((timeOf(last_changed) ?? 0) / 1000));
  return { items, count: found.members.length, total: found.total_items, latest: Math.max(0, ...times) };
}

/** Where a page of changes starts: that many members after the first one that changed later than `since`, Unix seconds. */
export interface Position {
  since: number;
  offset: number;
}

/**
 * Returns where the next page of changes starts; undefined after the last one. It starts at the latest change on this page,
 * so that members who change or are removed meanwhile shift nothing. Only within one second it counts members.
 */
export function nextPosition(
  { since, offset }: Position,
  { count, total, latest }: Pick<MembersPage, "count" | "total" | "latest">,
): Position | undefined {
  if (count === 0 || offset + count >= total) return undefined;
  // Mailchimp does not say whether it includes changes in that second.
  if (latest - 1 > since) return { since: latest - 1, offset: 0 };
  return { since, offset: offset + count - Math.min(OVERLAP, Math.floor(count / 2)) };
}

function positionOf(cursor: string): Position {
  const [since = 0, offset = 0] = cursor.split(".").map(Number);
  return { since, offset };
}

/** Returns the calls that list audiences and members. */
export function listingCalls(send: MailchimpSend): Pick<Provider, "lists" | "changed" | "unconfirmed"> {
  async function members(list: string, search: Record<string, string | number>) {
    const query = Object.entries({ fields: FIELDS, count: PAGE_SIZE, ...search })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    return await send({ method: "GET", path: `/lists/${encodeURIComponent(list)}/members?${query}` });
  }

  return {
    async lists() {
      const found = await audiencesOf(send);
      if (found.kind === "trouble") return found;
      // cfbe asks for a confirmation itself, so the audience's own setting does not matter.
      return {
        kind: "lists",
        lists: found.audiences.map((audience) => ({ ...audience, doubleOptIn: true })),
      };
    },

    async changed(list, since, cursor) {
      const start = { since: Math.max(0, Math.floor(since / 1000) - 1), offset: 0 };
      const position = cursor === undefined ? start : positionOf(cursor);
      const response = await members(list, {
        since_last_changed: `${new Date(position.since * 1000).toISOString().slice(0, 19)}+00:00`,
        sort_field: "last_changed",
        sort_dir: "ASC",
        offset: position.offset,
      });
      const found = membersPage(response);
      if (!found) return trouble(response, "reads");
      const next = nextPosition(position, found);
      return { kind: "page", items: found.items, ...(next && { cursor: `${next.since}.${next.offset}` }) };
    },

    async unconfirmed(list, cursor) {
      const offset = Number(cursor ?? 0);
      const response = await members(list, {
        status: "pending",
        sort_field: "timestamp_signup",
        sort_dir: "ASC",
        offset,
      });
      const found = membersPage(response);
      if (!found) return trouble(response, "reads");
      const end = offset + found.count;
      const hasMore = found.count > 0 && end < found.total;
      return {
        kind: "page",
        items: found.items.filter(({ status }) => status === "pending"),
        total: found.total,
        ...(hasMore && { cursor: String(end) }),
      };
    },
  };
}
