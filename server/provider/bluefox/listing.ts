import { z } from "zod";
import type { Listed, PageResult, ProviderList } from "../port.ts";
import type { Answer } from "./http.ts";
import { statusOf, subscriberTime, timeOf, trouble } from "./meaning.ts";

/** Reads the provider's pages: `{items, count, next}`, 30 items at most. */

/** The provider's own upper bound. */
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
 * A page of subscribers. One whose state this program has no word for is left out: it must not hide the other
 * 29, and asking for it alone names the word.
 *
 * @param sorted "updatedAt" when the page was asked for newest change first. A page that is not in that order
 *   loses its times, for a caller that stops at a known time would stop too early.
 */
export function subscribersPage(answer: Answer, sorted: "updatedAt" | "createdAt"): PageResult {
  const read = answer.kind === "result" ? page.safeParse(answer.result).data : undefined;
  if (!read) return trouble(answer, "reads");
  const items: Listed[] = [];
  for (const raw of read.items) {
    const item = subscriber.safeParse(raw).data;
    const status = item && statusOf(item.status);
    if (!item || !status) continue;
    const changedAt = timeOf(item.updatedAt);
    items.push({ email: item.email, status, ...(changedAt === undefined ? {} : { changedAt }) });
  }
  if (sorted === "updatedAt" && !descending(items)) { for (const item of items) delete item.changedAt; }
  // An empty page is the last one, whatever `next` says: a loop must end.
  return { kind: "page", items, total: read.count, more: Boolean(read.next) && read.items.length > 0 };
}

/** A page of lists, and whether another follows; undefined when it is none. */
export function listsPage(answer: Answer): { lists: ProviderList[]; more: boolean } | undefined {
  const read = answer.kind === "result" ? page.safeParse(answer.result).data : undefined;
  if (!read) return undefined;
  const lists = read.items.flatMap((raw): ProviderList[] => {
    const item = list.safeParse(raw).data;
    return item ? [{ id: item._id, name: item.name, doubleOptIn: item.doubleOptIn?.active ?? false }] : [];
  });
  return { lists, more: Boolean(read.next) && read.items.length > 0 };
}

function descending(items: readonly Listed[]): boolean {
  const times = items.flatMap((item) => item.changedAt ?? []);
  return times.every((time, index) => index === 0 || time <= times[index - 1]!);
}
