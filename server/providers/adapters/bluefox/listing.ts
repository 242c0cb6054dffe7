import { z } from "zod";
import type { ListedSubscriber, Provider, ProviderList } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import type { BluefoxResponse, BluefoxSend } from "./http.ts";
import { listStatusOf, subscriberTime, timeOf, trouble } from "./results.ts";

/** Reads the provider's pages of lists and subscribers: `{items, count, next}`. */

/** The provider's maximum. */
const PAGE_SIZE = 30;
/** How far to go back for subscribers who moved to the page before; doubles until they are found. */
const STEP_BACK = 5;
/** 600 lists, so that an endless chain of `next` pages cannot block the admin. */
const LIST_PAGES_MAX = 20;

const page = z.object({
  items: z.array(z.unknown()),
  count: z.number().int().nonnegative(),
  next: z.string().nullish(),
});

const subscriber = z.object({ email: z.string().min(3), status: z.string() });
const addressed = z.object({ email: z.string() });
const dated = z.object({ updatedAt: subscriberTime });

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
  send: BluefoxSend,
  root: () => string,
): Pick<Provider, "lists" | "changed" | "unconfirmed"> {
  async function subscribers(
    list: string,
    skip: number,
    query: { sort: "updatedAt" | "createdAt"; order: "asc" | "desc"; "filter[status]"?: string },
  ): Promise<ReadPage | Trouble> {
    const search = new URLSearchParams({ limit: `${PAGE_SIZE}`, skip: `${skip}`, ...query });
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
    // The API lists the newest change first. Each page begins with the last item of the one before.
    async changed(list, since, cursor) {
      const expected = cursor === undefined ? undefined : expectedAt(cursor);
      for (let skip = expected?.skip ?? 0, back = STEP_BACK;; skip = Math.max(0, skip - back), back *= 2) {
        const page = await subscribers(list, skip, { sort: "updatedAt", order: "desc" });
        if (page.kind === "trouble") return page;
        if (expected && skip > 0 && hasGap(page, expected)) continue;
        const more = page.more && !(page.oldest !== undefined && page.oldest < since);
        const next = `${skip + PAGE_SIZE - 1} ${page.oldest ?? -Infinity} ${page.emails.at(-1) ?? ""}`;
        return { kind: "page", items: page.items, ...(more && { cursor: next }) };
      }
    },

    async unconfirmed(list, cursor) {
      const skip = Number(cursor ?? 0);
      const query = { "filter[status]": "unverified", sort: "createdAt", order: "asc" } as const;
      const page = await subscribers(list, skip, query);
      if (page.kind === "trouble") return page;
      const { kind, items, total, more } = page;
      return { kind, items, total, ...(more && { cursor: `${skip + PAGE_SIZE}` }) };
    },
  };
}

/** The last subscriber of a page, with which the next one begins if nothing has changed. */
interface Expected {
  skip: number;
  /** Unix milliseconds. */
  changedAt: number;
  email: string;
}

function expectedAt(cursor: string): Expected {
  const [skip = "", changedAt = "", ...email] = cursor.split(" ");
  return { skip: Number(skip), changedAt: Number(changedAt), email: email.join(" ") };
}

/**
 * Returns whether subscribers may be missing between the last page and this one, because others were removed: then an older
 * change is first, or another one of the same time, and the last page's subscriber is not on this page.
 */
function hasGap({ newest, items, emails }: ReadPage, { changedAt, email }: Expected): boolean {
  if (newest === undefined) return items.length === 0;
  return newest < changedAt || (newest === changedAt && !emails.includes(email));
}

/** A page of subscribers as the API numbers it. */
interface ReadPage {
  kind: "page";
  items: ListedSubscriber[];
  total: number;
  /** Addresses of all subscribers on the page, even if their items are left out. */
  emails: string[];
  /** Whether another page follows. */
  more: boolean;
  /** Times of the first and the last change on the page, even if their items are left out. Absent without times. */
  newest?: number;
  oldest?: number;
}

/**
 * Returns a page of subscribers. Leaves out subscribers with an unknown status, so that they do not hide the others;
 * reading such a subscriber alone reports the status.
 *
 * @param sorted "updatedAt" if the request was for the newest change first. If the page is not in that order, the result
 *   has no times, because a caller that stops at a known time would stop too early.
 */
export function subscribersPage(
  response: BluefoxResponse,
  sorted: "updatedAt" | "createdAt",
): ReadPage | Trouble {
  const read = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
  if (!read) return trouble(response, "reads");
  const items: ListedSubscriber[] = [];
  const times: number[] = [];
  const emails: string[] = [];
  for (const raw of read.items) {
    const changedAt = timeOf(dated.safeParse(raw).data?.updatedAt);
    if (changedAt !== undefined) times.push(changedAt);
    const { email } = addressed.safeParse(raw).data ?? {};
    if (email !== undefined) emails.push(email);
    const item = subscriber.safeParse(raw).data;
    const status = item && listStatusOf(item.status);
    if (!item || !status) continue;
    items.push({ email: item.email, status, ...(changedAt === undefined ? {} : { changedAt }) });
  }
  // An empty page is the last one, whatever `next` says, so that loops end.
  const more = Boolean(read.next) && read.items.length > 0;
  const found = { kind: "page", items, emails, total: read.count, more } as const;
  if (sorted !== "updatedAt") return found;
  if (!isDescending(times)) return { ...found, items: items.map(({ email, status }) => ({ email, status })) };
  const [newest, oldest] = [times[0], times.at(-1)];
  return { ...found, ...(newest !== undefined && { newest, oldest: oldest! }) };
}

/** Returns a page of lists, and whether another follows; undefined if the response is not such a page. */
export function listsPage(response: BluefoxResponse): { lists: ProviderList[]; more: boolean } | undefined {
  const read = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
  if (!read) return undefined;
  const lists = read.items.flatMap((raw): ProviderList[] => {
    const item = list.safeParse(raw).data;
    return item ? [{ id: item._id, name: item.name, doubleOptIn: item.doubleOptIn?.active ?? false }] : [];
  });
  return { lists, more: Boolean(read.next) && read.items.length > 0 };
}

function isDescending(times: readonly number[]): boolean {
  return times.every((time, index) => index === 0 || time <= times[index - 1]!);
}
