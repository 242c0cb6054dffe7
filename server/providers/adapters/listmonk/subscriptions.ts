import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import type { NewPerson, Provider, SubscribeResult, Suppressed, Target } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { type ListmonkResponse, type ListmonkSend, trouble } from "./http.ts";
import { type Find, isTaken } from "./people.ts";
import { changedAtOf, listStatusOf, membershipOf, Subscriber } from "./subscriber.ts";
import { rejectedBy } from "../../http/response_trouble.ts";

const Bounces = z.array(z.object({ type: z.string() })).nullish().transform((all) => all ?? []);

const HIDDEN_BOUNCES = "cfbe cannot see at listmonk whether their emails bounced or they complained: " +
  "give the API user's role the permission bounces:get.";
const BOUNCED: Suppressed = {
  kind: "suppressed",
  bounced: true,
  reason: "Emails to the address bounced, so listmonk unsubscribed it.",
};
const COMPLAINED: Suppressed = { kind: "suppressed", reason: "The person reported an email as spam." };
const SUPPRESSED = { kind: "suppressed", reason: "The address is on listmonk's blocklist." } as const;

/**
 * Returns the calls for one address on a list. `subscribe` sends no confirmation email: when listmonk sends one because a
 * person was created on a list, it does not report that its mail server failed.
 */
export function subscriptionCalls(
  send: ListmonkSend,
  find: Find,
): Pick<Provider, "subscribe" | "status" | "resend" | "reactivate"> {
  const addToList = (
    { id }: Pick<Subscriber, "id">,
    list: number,
    status?: "confirmed" | "unconfirmed",
    signal?: AbortSignal,
  ) =>
    send({
      method: "PUT",
      path: "/subscribers/lists",
      // Without a status, listmonk never changes a membership that exists.
      body: { ids: [id], action: "add", target_list_ids: [list], ...(status && { status }) },
      signal,
    });

  /** Creates a person on no list. */
  async function create(email: string, { name, tags, properties }: NewPerson) {
    const attribs = { ...properties, ...(tags.length > 0 && { tags }) };
    const body = { email, ...(name && { name }), status: "enabled", lists: [], attribs };
    return await send({ method: "POST", path: "/subscribers", body });
  }

  async function join(
    { id }: Pick<Subscriber, "id">,
    list: number,
    status?: "unconfirmed",
  ): Promise<SubscribeResult> {
    const added = await addToList({ id }, list, status);
    if (isMissingList(added)) return UNKNOWN_LIST;
    if (added.kind !== "ok") return trouble(added, "writes");
    const read = await send({ method: "GET", path: `/subscribers/${id}` });
    const person = read.kind === "ok" ? Subscriber.safeParse(read.body).data : undefined;
    const membership = person && membershipOf(person, list);
    const isPending = membership && listStatusOf(person, membership) === "pending";
    return { kind: "accepted", ...(isPending && { isPending }) };
  }

  /**
   * Starts double opt-in again for somebody who unsubscribed, as listmonk's own form does. listmonk can be set to
   * unsubscribe people whose emails bounce or who complain, so these are looked for first.
   */
  async function takeBack({ id, status }: Subscriber, list: number, optin: string): Promise<SubscribeResult> {
    if (optin !== "double") return { kind: "left", reason: "The list has no double opt-in." };
    if (status !== "enabled") return { kind: "left", reason: "The subscriber is disabled at listmonk." };
    const response = await send({ method: "GET", path: `/subscribers/${id}/bounces` });
    if (response.kind === "error" && response.status === 403) return { kind: "left", reason: HIDDEN_BOUNCES };
    const bounces = response.kind === "ok" ? Bounces.safeParse(response.body).data : undefined;
    if (!bounces) return trouble(response, "reads");
    if (bounces.some(({ type }) => type === "complaint")) return COMPLAINED;
    if (bounces.some(({ type }) => type === "hard")) return BOUNCED;
    return await join({ id }, list, "unconfirmed");
  }

  return {
    async subscribe({ list, email }, person) {
      const id = listId(list);
      if (id === undefined) return UNKNOWN_LIST;
      let found = await find(email);
      if (found.kind === "absent") {
        const response = await create(email, person);
        if (!isTaken(response)) {
          const created = createdResult(response);
          return created.kind === "person" ? await join(created.person, id) : created;
        }
        found = await find(email);
      }
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") return HIDDEN;
      if (found.person.status === "blocklisted") return SUPPRESSED;
      const membership = membershipOf(found.person, id);
      if (!membership) return await join(found.person, id);
      return listStatusOf(found.person, membership) === "unsubscribed"
        ? await takeBack(found.person, id, membership.optin)
        : { kind: "exists" };
    },

    async status({ list, email }, signal) {
      const id = listId(list);
      if (id === undefined) return UNKNOWN_LIST;
      const found = await find(email, signal);
      if (found.kind !== "person") return found;
      const membership = membershipOf(found.person, id);
      if (!membership) {
        return found.person.status === "blocklisted"
          ? { kind: "found", status: "suppressed" }
          : { kind: "absent" };
      }
      const status = listStatusOf(found.person, membership);
      if (status) return { kind: "found", status, ...changedAtOf(membership) };
      const reason = "listmonk's status is not one that its documentation describes";
      return { kind: "trouble", code: "unexpected", reason, unknown: false };
    },

    async resend(target, beforeSend) {
      const found = await pendingPerson(target);
      if (found.kind !== "person") return found;
      await beforeSend?.();
      // For all lists that the person has not confirmed.
      const path = `/subscribers/${found.person.id}/optin`;
      const response = await send({ method: "POST", path, body: {} });
      if (response.kind === "ok") return { kind: "sent" };
      // With an error of its own, listmonk reports that it did not send the email, such as "Error sending opt-in e-mail."
      const isUnsent = response.kind === "error" && response.problem !== undefined;
      return isUnsent ? { ...trouble(response, "writes"), unknown: false } : trouble(response, "writes");
    },

    async reactivate({ list, email }, signal) {
      const id = listId(list);
      if (id === undefined) return UNKNOWN_LIST;
      const found = await find(email, signal);
      if (found.kind !== "person") return found;
      if (found.person.status === "blocklisted") return { kind: "refused", reason: SUPPRESSED.reason };
      if (!membershipOf(found.person, id)) return { kind: "absent" };
      const response = await addToList(found.person, id, "confirmed", signal);
      return response.kind === "ok" ? { kind: "active" } : trouble(response, "writes");
    },
  };

  async function pendingPerson({ list, email }: Target) {
    const id = listId(list);
    if (id === undefined) return UNKNOWN_LIST;
    const found = await find(email);
    if (found.kind === "trouble") return found;
    if (found.kind === "person" && found.person.status === "blocklisted") return SUPPRESSED;
    const membership = found.kind === "person" ? membershipOf(found.person, id) : undefined;
    if (found.kind === "absent" || !membership || listStatusOf(found.person, membership) !== "pending") {
      return { kind: "refused", reason: "The address does not wait for a confirmation." } as const;
    }
    return found;
  }
}

export const UNKNOWN_LIST: Trouble = {
  kind: "trouble",
  code: "not_found",
  reason: "listmonk has no such list",
  unknown: false,
};
export const HIDDEN: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason:
    "listmonk has the address but does not show it: the API user may lack the permission subscribers:get_all",
  unknown: false,
};

/** Returns listmonk's number of a list, or undefined if it can't have one like this. */
export function listId(list: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(list) ? Number(list) : undefined;
}

/** Returns whether listmonk rejected a membership because the list does not exist. */
function isMissingList(response: ListmonkResponse): boolean {
  return response.kind === "error" && /\bsubscriber_lists_list_id_fkey\b/.test(response.problem ?? "");
}

/** Returns the result of the creation of a person. */
function createdResult(
  response: ListmonkResponse,
): { kind: "person"; person: Subscriber } | Extract<SubscribeResult, { kind: "refused" }> | Trouble {
  if (isOwnError(response, 400)) {
    return { kind: "refused", reason: rejectedBy("listmonk", response) };
  }
  const person = response.kind === "ok" ? Subscriber.safeParse(response.body).data : undefined;
  return person ? { kind: "person", person } : trouble(response, "writes");
}
