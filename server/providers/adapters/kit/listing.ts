import { z } from "zod";
import type { ListedSubscriber, PageResult, Provider, ProviderList } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { isMissing, type KitResponse, type KitSend, trouble } from "./http.ts";
import { entriesOf, listStatusOf, type Person } from "./results.ts";

/** Reads Kit's pages of forms and of a form's subscribers. Source: developers.kit.com/api-reference/pagination. */

const PAGE_SIZE = "500";
/** 5,000 forms. Ends an endless chain of pages. */
const FORM_PAGES_MAX = 10;
/** 20,000 people who joined the account within three days and are on one form. */
const MEMBER_PAGES_MAX = 40;
const DAY_MS = 24 * 60 * 60 * 1000;

const form = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  archived: z.boolean().catch(false),
});
const paging = z.object({
  pagination: z.object({ has_next_page: z.literal(true), end_cursor: z.string().min(1) }),
});

/** Returns the cursor of the next page; undefined on the last page. */
export function nextCursor(body: Record<string, unknown>): string | undefined {
  return paging.safeParse(body).data?.pagination.end_cursor;
}

/** Returns Kit's number of a form, or undefined if it can't have one like this. */
export function formId(list: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(list) ? Number(list) : undefined;
}

export const NO_FORM: Trouble = {
  kind: "trouble",
  code: "not_found",
  reason: "The form does not exist at Kit.",
  unknown: false,
};

function formTrouble(response: KitResponse): Trouble {
  return isMissing(response) ? NO_FORM : trouble(response, "reads");
}

/** Returns a page of the people who have not confirmed. Leaves out those with another state. */
export function unconfirmedPage(response: KitResponse): PageResult {
  const entries = entriesOf(response);
  if (!entries || response.kind !== "ok") return formTrouble(response);
  const items = entries.flatMap(({ email_address: email, state }): ListedSubscriber[] =>
    typeof state === "string" && listStatusOf(state) === "pending" ? [{ email, status: "pending" }] : []
  );
  // An empty page is the last one, whatever follows it, so that loops end.
  const cursor = entries.length === 0 ? undefined : nextCursor(response.body);
  return { kind: "page", items, ...(cursor !== undefined && { cursor }) };
}

/**
 * Returns the filter for the people who joined the account at about that time. It spans three whole days, because Kit's
 * documentation does not say whether a day is included.
 *
 * @param createdAt Unix milliseconds
 */
export function createdAround(createdAt: number): { created_after: string; created_before: string } {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { created_after: day(createdAt - DAY_MS), created_before: day(createdAt + 2 * DAY_MS) };
}

/**
 * Returns the function that tells whether a person is on a form. Kit has no call for it, so it looks through the form's
 * people who joined the account on the same day.
 */
export function membershipReader(send: KitSend) {
  return async (
    form: number,
    person: Pick<Person, "id" | "createdAt">,
    signal?: AbortSignal,
  ): Promise<{ kind: "member" } | { kind: "absent" } | Trouble> => {
    let cursor: string | undefined;
    for (let page = 0; page < MEMBER_PAGES_MAX; page++) {
      const response = await send({
        method: "GET",
        path: `/forms/${form}/subscribers`,
        query: {
          status: "all",
          slim: "true",
          per_page: PAGE_SIZE,
          ...createdAround(person.createdAt),
          ...(cursor !== undefined && { after: cursor }),
        },
        signal,
      });
      const entries = entriesOf(response);
      if (!entries || response.kind !== "ok") return formTrouble(response);
      if (entries.some(({ id }) => id === person.id)) return { kind: "member" };
      cursor = entries.length === 0 ? undefined : nextCursor(response.body);
      if (cursor === undefined) return { kind: "absent" };
    }
    const reason = "too many people joined the form on one day to look through";
    return { kind: "trouble", code: "unexpected", reason, unknown: false };
  };
}

/** Returns the calls that list forms, and the people on a form who have not confirmed. */
export function listingCalls(send: KitSend): Pick<Provider, "lists" | "unconfirmed"> {
  return {
    async lists() {
      const lists: ProviderList[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < FORM_PAGES_MAX; page++) {
        const query = {
          status: "active",
          per_page: PAGE_SIZE,
          ...(cursor !== undefined && { after: cursor }),
        };
        const response = await send({ method: "GET", path: "/forms", query });
        const all = response.kind === "ok" ? response.body["forms"] : undefined;
        if (response.kind !== "ok" || !Array.isArray(all)) return trouble(response, "reads");
        for (const raw of all) {
          const found = form.safeParse(raw).data;
          if (found && !found.archived) lists.push({ id: String(found.id), name: found.name });
        }
        cursor = all.length === 0 ? undefined : nextCursor(response.body);
        if (cursor === undefined) break;
      }
      return { kind: "lists", lists };
    },

    async unconfirmed(list, cursor) {
      const form = formId(list);
      if (form === undefined) return NO_FORM;
      const query = {
        status: "inactive",
        slim: "true",
        per_page: PAGE_SIZE,
        ...(cursor !== undefined && { after: cursor }),
      };
      return unconfirmedPage(await send({ method: "GET", path: `/forms/${form}/subscribers`, query }));
    },
  };
}
