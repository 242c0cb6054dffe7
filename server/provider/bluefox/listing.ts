import { z } from "zod";
import type { ListedSubscriber, PageResult, Provider, ProviderList } from "../port.ts";
import type { BluefoxResponse, Send } from "./http.ts";
import { listStatusOf, subscriberTime, timeOf, trouble } from "./results.ts";

/** Reads the provider's pages of lists and subscribers: `{items, count, next}`. */

/** The provider's maximum. */
const PAGE_SIZE = 30;
/** 600 lists, so that an endless chain of `next` pages cannot block the admin. */
const LIST_PAGES_MAX = 20;

const page = z.object({
  items: z.array(z.unknown()),
  count: z.number().int().nonnegative(),
  next: z.string().nullish(),
});

const subscriber = z.object({
  email: z.string().min(3),
  status: z.string(),
  updatedAt: subscriberTime,
});

const list = z.object({
  _id: z.string().min(1),
  name: z.string(),
  doubleOptIn: z.object({ active: z.boolean().catch(false) }).nullish().catch(null),
});

/** Returns the path of a list. @param root path of the project */
export function listPath(root: string, list: string): string {
  return `${root}/subscriber-lists/${encodeURIComponent(list)}`;
}

/**
 * Returns the calls that list subscribers and lists.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function listingCalls(
  send: Send,
  root: () => string,
): Pick<Provider, "lists" | "changed" | "unconfirmed"> {
  async function subscribers(
    list: string,
    page: number,
    query: { sort: "updatedAt" | "createdAt"; order: "asc" | "desc"; "filter[status]"?: string },
  ): Promise<PageResult> {
    const search = new URLSearchParams({ limit: `${PAGE_SIZE}`, skip: `${page * PAGE_SIZE}`, ...query });
    const path = `${listPath(root(), list)}/subscribers?${search}`;
    return subscribersPage(await send({ method: "GET", path }), query.sort);
  }

  return {
    async lists() {
      const lists: ProviderList[] = [];
      for (let page = 0; page < LIST_PAGES_MAX; page++) {
        const search = `limit=${PAGE_SIZE}&skip=${page * PAGE_SIZE}&sort=name&order=asc`;
        const response = await send({ method: "GET", path: `${root()}/subscriber-lists?${search}` });
        const read = listsPage(response);
        if (!read) return trouble(response, "reads");
        lists.push(...read.lists);
        if (!read.more) break;
      }
      return { kind: "lists", lists };
    },
    changed: (list, page) => subscribers(list, page, { sort: "updatedAt", order: "desc" }),
    unconfirmed: (list, page) =>
      subscribers(list, page, { "filter[status]": "unverified", sort: "createdAt", order: "asc" }),
  };
}

/**
 * Returns a page of subscribers. Leaves out subscribers with an unknown status, so that they do not hide the others;
 * reading such a subscriber alone reports the status.
 *
 * @param sorted "updatedAt" if the request was for the newest change first. If the page is not in that order, the result
 *   has no times, because a caller that stops at a known time would stop too early.
 */
export function subscribersPage(response: BluefoxResponse, sorted: "updatedAt" | "createdAt"): PageResult {
  const read = response.kind === "result" ? page.safeParse(response.result).data : undefined;
  if (!read) return trouble(response, "reads");
  const items: ListedSubscriber[] = [];
  for (const raw of read.items) {
    const item = subscriber.safeParse(raw).data;
    const status = item && listStatusOf(item.status);
    if (!item || !status) continue;
    const changedAt = timeOf(item.updatedAt);
    items.push({ email: item.email, status, ...(changedAt === undefined ? {} : { changedAt }) });
  }
  if (sorted === "updatedAt" && !descending(items)) { for (const item of items) delete item.changedAt; }
  // An empty page is the last one, whatever `next` says, so that loops end.
  return { kind: "page", items, total: read.count, more: Boolean(read.next) && read.items.length > 0 };
}

/** Returns a page of lists, and whether another follows; undefined if the response is not such a page. */
export function listsPage(response: BluefoxResponse): { lists: ProviderList[]; more: boolean } | undefined {
  const read = response.kind === "result" ? page.safeParse(response.result).data : undefined;
  if (!read) return undefined;
  const lists = read.items.flatMap((raw): ProviderList[] => {
    const item = list.safeParse(raw).data;
    return item ? [{ id: item._id, name: item.name, doubleOptIn: item.doubleOptIn?.active ?? false }] : [];
  });
  return { lists, more: Boolean(read.next) && read.items.length > 0 };
}

function descending(items: readonly ListedSubscriber[]): boolean {
  const times = items.flatMap((item) => item.changedAt ?? []);
  return times.every((time, index) => index === 0 || time <= times[index - 1]!);
}
