import { z } from "zod";
import type { ListedSubscriber, Provider, ProviderList } from "../../port/port.ts";
import { type ListmonkSend, trouble } from "./http.ts";
import { changedAtOf, listStatusOf, membershipOf, subscribersIn } from "./subscriber.ts";
import { listId } from "./subscriptions.ts";

/** listmonk's maximum. */
const PAGE_SIZE = 50;

const List = z.object({
  id: z.number(),
  name: z.string(),
  optin: z.string(),
  status: z.string().nullish(),
});
/** Without any list, listmonk returns an empty array. */
const Lists = z.union([z.object({ results: z.array(z.unknown()) }), z.array(z.unknown()).max(0)]);

/** Returns the calls that list the lists, and the people who have not confirmed. */
export function listingCalls(send: ListmonkSend): Pick<Provider, "lists" | "unconfirmed"> {
  return {
    async lists() {
      const response = await send({ method: "GET", path: "/lists?minimal=true" });
      const found = response.kind === "ok" ? Lists.safeParse(response.body).data : undefined;
      if (!found) return trouble(response, "reads");
      const all = Array.isArray(found) ? [] : found.results;
      const lists = all.flatMap((raw): ProviderList[] => {
        const list = List.safeParse(raw).data;
        if (!list || list.status === "archived") return [];
        return [{ id: String(list.id), name: list.name, doubleOptIn: list.optin === "double" }];
      });
      return { kind: "lists", lists };
    },

    async unconfirmed(list, cursor) {
      const id = listId(list);
      if (id === undefined) {
        return { kind: "trouble", code: "not_found", reason: "listmonk has no such list", unknown: false };
      }
      const page = Number(cursor ?? 1);
      const search = new URLSearchParams({
        list_id: `${id}`,
        subscription_status: "unconfirmed",
        order_by: "created_at",
        order: "ASC",
        page: `${page}`,
        per_page: `${PAGE_SIZE}`,
      });
      const response = await send({ method: "GET", path: `/subscribers?${search}` });
      const read = subscribersIn(response);
      if (!read) return trouble(response, "reads");
      const items = read.items.flatMap((person): ListedSubscriber[] => {
        const membership = membershipOf(person, id);
        const status = membership && listStatusOf(person, membership);
        return status === "pending" ? [{ email: person.email, status, ...changedAtOf(membership!) }] : [];
      });
      const more = read.count > 0 && page * PAGE_SIZE < read.total;
      return { kind: "page", items, total: read.total, ...(more && { cursor: `${page + 1}` }) };
    },
  };
}
