import { z } from "zod";
import { skewOf } from "../../http/json_response.ts";
import type {
  ConnectionResult,
  ListedSubscriber,
  PageResult,
  Provider,
  ProviderList,
} from "../../port/port.ts";
import { type KlaviyoResponse, type KlaviyoSend, trouble } from "./http.ts";
import { changedAtOf, profilesIn, standingOf } from "./profile.ts";
import { isListId, UNKNOWN_LIST } from "./subscriptions.ts";

/** Klaviyo's maxima. */
const LISTS_PAGE = 10;
const PROFILES_PAGE = 100;
/** 2,000 lists. Ends an endless chain of pages. */
const LIST_PAGES_MAX = 200;

const List = z.object({
  id: z.string().min(1),
  attributes: z.object({
    name: z.string().nullish().catch(null),
    opt_in_process: z.string().nullish().catch(null),
  }),
});
const links = z.object({ next: z.string().nullish().catch(null) });

/** Returns the cursor of the next page; undefined on the last one. The link's host is never called. */
export function nextCursor({ links: raw }: Record<string, unknown>): string | undefined {
  const next = links.safeParse(raw).data?.next;
  return URL.parse(next ?? "")?.searchParams.get("page[cursor]") ?? undefined;
}

/** Returns a page of lists; undefined if the response is not such a page. */
function listsIn(response: KlaviyoResponse): ProviderList[] | undefined {
  if (response.kind !== "ok" || !Array.isArray(response.body.data)) return undefined;
  return response.body.data.flatMap((raw): ProviderList[] => {
    const found = List.safeParse(raw).data;
    if (!found) return [];
    const { name, opt_in_process: optIn } = found.attributes;
    return [{
      id: found.id,
      name: name ?? found.id,
      ...(optIn && { doubleOptIn: optIn === "double_opt_in" }),
    }];
  });
}

/** Returns a page of a list's members. Leaves out those who never subscribed, whom somebody else added to the list. */
export function membersPage(response: KlaviyoResponse, list: string): PageResult {
  const profiles = profilesIn(response);
  if (!profiles || response.kind !== "ok") return trouble(response, "reads");
  const items = profiles.flatMap((profile): ListedSubscriber[] => {
    const standing = standingOf(profile, list);
    if (standing === undefined || standing === "none") return [];
    const status = standing === "subscribed" ? "active" : standing;
    return [{ email: profile.email, status, ...changedAtOf(profile) }];
  });
  const isEmpty = (response.body.data as unknown[]).length === 0;
  // An empty page is the last one, whatever follows it, so that loops end.
  const cursor = isEmpty ? undefined : nextCursor(response.body);
  return { kind: "page", items, ...(cursor !== undefined && { cursor }) };
}

/** Returns the calls that list lists and who joined one. */
export function listingCalls(send: KlaviyoSend): Pick<Provider, "lists" | "changed" | "connection"> {
  return {
    async lists() {
      const lists: ProviderList[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < LIST_PAGES_MAX; page++) {
        const query = new URLSearchParams({
          "page[size]": `${LISTS_PAGE}`,
          sort: "id",
          ...(cursor !== undefined && { "page[cursor]": cursor }),
        });
        const response = await send({ method: "GET", path: `/api/lists?${query}` });
        const found = listsIn(response);
        if (!found || response.kind !== "ok") return trouble(response, "reads");
        lists.push(...found);
        cursor = nextCursor(response.body);
        if (cursor === undefined) break;
      }
      return { kind: "lists", lists };
    },

    async changed(list, since, cursor) {
      if (!isListId(list)) return UNKNOWN_LIST;
      const query = new URLSearchParams({
        filter: `greater-or-equal(joined_group_at,${wholeSecond(since)})`,
        sort: "joined_group_at",
        "page[size]": `${PROFILES_PAGE}`,
        "additional-fields[profile]": "subscriptions",
        ...(cursor !== undefined && { "page[cursor]": cursor }),
      });
      return membersPage(await send({ method: "GET", path: `/api/lists/${list}/profiles?${query}` }), list);
    },

    connection: async () =>
      connectionResult(await send({ method: "GET", path: "/api/lists?page%5Bsize%5D=1" })),
  };
}

/** Returns the second in which a time lies, such as `2026-11-22T10:15:00Z`. */
function wholeSecond(time: number): string {
  return `${new Date(Math.max(0, time)).toISOString().slice(0, 19)}Z`;
}

/** Returns the result of a connection test, which lists one list: a key that may read the account is not needed. */
function connectionResult(response: KlaviyoResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    return { kind: "forbidden", message: `HTTP ${response.status}`, ...skew };
  }
  if (!listsIn(response)) return trouble(response, "reads");
  return { kind: "connected", name: "Klaviyo", status: "", ...skew };
}
