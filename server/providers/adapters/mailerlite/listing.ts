import { z } from "zod";
import type { ListedSubscriber, ListsResult, PageResult, Provider, ProviderList } from "../../port/port.ts";
import { type MailerliteResponse, type MailerliteSend, trouble } from "./http.ts";
import { listStatusOf, timeOf } from "./results.ts";

/** Reads MailerLite's pages of groups and subscribers. */

const GROUPS_PAGE = 100;
/** 2,000 groups; an account has 1,000 at most. Ends an endless chain of pages. */
const GROUP_PAGES_MAX = 20;
/** The page size of the vendor's recordings. */
const SUBSCRIBERS_PAGE = 50;

const group = z.object({ id: z.string().min(1), name: z.string() });
const item = z.object({
  email: z.string().min(3),
  status: z.string(),
  updated_at: z.string().nullish().catch(null),
});
const paging = z.object({
  links: z.object({ next: z.string().nullish().catch(null) }).catch({}),
  meta: z.object({
    next_cursor: z.string().nullish().catch(null),
    total: z.number().int().nonnegative().optional().catch(undefined),
  }).catch({}),
});

/**
 * Returns the query of the next page, without the page's size; undefined on the last page. MailerLite numbered its pages
 * when it recorded them, and its documentation now describes cursors.
 */
export function nextPage(body: Record<string, unknown>): string | undefined {
  const { links, meta } = paging.parse(body);
  if (meta.next_cursor) return new URLSearchParams({ cursor: meta.next_cursor }).toString();
  const next = URL.parse(links.next ?? "")?.searchParams;
  const [cursor, page] = [next?.get("cursor"), next?.get("page")];
  if (cursor) return new URLSearchParams({ cursor }).toString();
  return page && /^\d{1,9}$/.test(page) ? `page=${page}` : undefined;
}

/** Returns a page of groups, and the query of the next one; undefined if the response is not such a page. */
function groupsPage(
  response: MailerliteResponse,
): { lists: ProviderList[]; next: string | undefined } | undefined {
  if (response.kind !== "ok" || !Array.isArray(response.body.data)) return undefined;
  const lists = response.body.data.flatMap((raw): ProviderList[] => {
    const found = group.safeParse(raw).data;
    return found ? [{ id: found.id, name: found.name }] : [];
  });
  return { lists, next: lists.length === 0 ? undefined : nextPage(response.body) };
}

/** Returns a page of the subscribers who have not confirmed. Leaves out those with another status. */
export function unconfirmedPage(response: MailerliteResponse): PageResult {
  if (response.kind !== "ok" || !Array.isArray(response.body.data)) return trouble(response, "reads");
  const { body } = response;
  const items = response.body.data.flatMap((raw): ListedSubscriber[] => {
    const found = item.safeParse(raw).data;
    if (!found || listStatusOf(found.status) !== "pending") return [];
    const changedAt = timeOf(found.updated_at);
    return [{ email: found.email, status: "pending", ...(changedAt !== undefined && { changedAt }) }];
  });
  // An empty page is the last one, whatever follows it, so that loops end.
  const cursor = response.body.data.length === 0 ? undefined : nextPage(body);
  const { total } = paging.parse(body).meta;
  return {
    kind: "page",
    items,
    ...(cursor !== undefined && { cursor }),
    ...(total !== undefined && { total }),
  };
}

/** Returns the calls that list groups and subscribers. */
export function listingCalls(send: MailerliteSend): Pick<Provider, "lists" | "unconfirmed"> {
  return {
    async lists(): Promise<ListsResult> {
      const lists: ProviderList[] = [];
      let next: string | undefined = "page=1";
      for (let page = 0; next !== undefined && page < GROUP_PAGES_MAX; page++) {
        const path = `/groups?sort=name&limit=${GROUPS_PAGE}&${next}`;
        const response = await send({ method: "GET", path });
        const read = groupsPage(response);
        if (!read) return trouble(response, "reads");
        lists.push(...read.lists);
        next = read.next;
      }
      return { kind: "lists", lists };
    },

    async unconfirmed(list, cursor) {
      const search = new URLSearchParams(cursor);
      search.set("filter[status]", "unconfirmed");
      search.set("limit", String(SUBSCRIBERS_PAGE));
      const path = `/groups/${encodeURIComponent(list)}/subscribers?${search}`;
      return unconfirmedPage(await send({ method: "GET", path }));
    },
  };
}
