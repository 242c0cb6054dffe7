import { z } from "zod";
import type { ListedSubscriber, PageResult, ProviderList } from "../port.ts";
import type { BluefoxResponse } from "./http.ts";
import { listStatusOf, subscriberTime, timeOf, trouble } from "./results.ts";

/** Reads the provider's pages of lists and subscribers: `{items, count, next}`. */

/** The provider's maximum. */
export const PAGE_SIZE = 30;

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
