import { isOwnError } from "../../http/json_response.ts";
import type { Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { type ListmonkResponse, type ListmonkSend, trouble } from "./http.ts";
import { searchFor, type Subscriber, subscribersIn } from "./subscriber.ts";
import { rejectedBy } from "../../http/response_trouble.ts";

export type Found = { kind: "person"; person: Subscriber } | { kind: "absent" } | Trouble;

/** Finds a person by the address. */
export type Find = (email: string, signal?: AbortSignal) => Promise<Found>;

/** Returns the function that finds people. listmonk has no call for one address, so it searches. */
export function finder(send: ListmonkSend): Find {
  return async (email, signal) => {
    const search = new URLSearchParams({ search: searchFor(email), page: "1", per_page: "50" });
    const response = await send({ method: "GET", path: `/subscribers?${search}`, signal });
    const page = subscribersIn(response);
    if (!page) return trouble(response, "reads");
    // The search also finds people whose name is this address.
    const person = page.items.find((item) => item.email.toLowerCase() === email.toLowerCase());
    return person ? { kind: "person", person } : { kind: "absent" };
  };
}

/** Returns whether listmonk rejected the creation of a person because the address exists. */
export function isTaken(response: ListmonkResponse): boolean {
  return response.kind === "error" && response.status === 409;
}

/** Returns the calls for people, whether on a list or not. */
export function contactCalls(
  send: ListmonkSend,
  find: Find,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  return {
    async contact(email, signal) {
      const found = await find(email, signal);
      if (found.kind !== "person") return found;
      return { kind: "found", contact: { name: found.person.name, tags: tagsOf(found.person) } };
    },

    async saveContact(email, { name, tags, properties }, signal) {
      const attribs = { ...properties, tags };
      const named = name === undefined ? {} : { name };
      let found = await find(email, signal);
      if (found.kind === "absent") {
        const body = { email, ...named, status: "enabled", lists: [], attribs };
        const response = await send({ method: "POST", path: "/subscribers", body, signal });
        if (!isTaken(response)) return savedOr(response);
        // Created by another request in the meantime.
        found = await find(email, signal);
      }
      if (found.kind === "absent") {
        return { kind: "trouble", code: "unexpected", reason: "listmonk hides the person", unknown: false };
      }
      if (found.kind === "trouble") return found;
      const { id, attribs: before } = found.person;
      // Without `preconfirm_subscriptions`, listmonk would send the confirmation emails of all lists again.
      const body = { ...named, attribs: { ...before, ...attribs }, preconfirm_subscriptions: true };
      return savedOr(await send({ method: "PATCH", path: `/subscribers/${id}`, body, signal }));
    },

    async erase(email, signal) {
      const found = await find(email, signal);
      if (found.kind !== "person") return found;
      const response = await send({ method: "DELETE", path: `/subscribers/${found.person.id}`, signal });
      return response.kind === "ok" ? { kind: "erased" } : trouble(response, "writes");
    },
  };
}

function savedOr(response: ListmonkResponse): Awaited<ReturnType<Provider["saveContact"]>> {
  if (response.kind === "ok") return { kind: "saved" };
  if (isOwnError(response, 400)) {
    return { kind: "refused", reason: rejectedBy("listmonk", response) };
  }
  return trouble(response, "writes");
}

function tagsOf({ attribs }: Subscriber): string[] {
  const tags = attribs?.["tags"];
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}
