import type { NewPerson, Provider, SubscribeResult, Target } from "../port.ts";
import type { Trouble } from "../trouble.ts";
import { type ListmonkResponse, type ListmonkSend, trouble } from "./http.ts";
import { type Find, isTaken } from "./people.ts";
import { changedAtOf, listStatusOf, membershipOf, Subscriber } from "./subscriber.ts";

const SUPPRESSED = { kind: "suppressed", reason: "The address is on listmonk's blocklist." } as const;

/** Returns the calls for one address on a list. */
export function subscriptionCalls(
  send: ListmonkSend,
  find: Find,
): Pick<Provider, "subscribe" | "status" | "resend" | "reactivate"> {
  /** Sends the confirmation email again, for all lists that the person has not confirmed. */
  const sendOptIn = ({ id }: Subscriber) =>
    send({ method: "POST", path: `/subscribers/${id}/optin`, body: {} });

  const addToList = ({ id }: Subscriber, list: number, status?: "confirmed", signal?: AbortSignal) =>
    send({
      method: "PUT",
      path: "/subscribers/lists",
      // Without a status, listmonk never changes a membership that exists.
      body: { ids: [id], action: "add", target_list_ids: [list], ...(status && { status }) },
      signal,
    });

  async function create(email: string, list: number, person: NewPerson) {
    const { name, tags, properties } = person;
    const attribs = { ...properties, ...(tags.length > 0 && { tags }) };
    const body = { email, ...(name && { name }), status: "enabled", lists: [list], attribs };
    return await send({ method: "POST", path: "/subscribers", body });
  }

  /** Adds somebody whom listmonk knows from another list, and sends the confirmation email. */
  async function addExisting(person: Subscriber, list: number): Promise<SubscribeResult> {
    const added = await addToList(person, list);
    if (added.kind !== "ok") return trouble(added, "writes");
    const sent = await sendOptIn(person);
    return sent.kind === "ok" ? { kind: "accepted" } : trouble(sent, "writes");
  }

  return {
    async subscribe({ list, email }, person) {
      const id = listId(list);
      if (id === undefined) return UNKNOWN_LIST;
      let found = await find(email);
      if (found.kind === "absent") {
        const response = await create(email, id, person);
        if (!isTaken(response)) return createdResult(response, id);
        found = await find(email);
      }
      if (found.kind === "trouble") return found;
      if (found.kind === "absent") return HIDDEN;
      if (found.person.status === "blocklisted") return SUPPRESSED;
      return membershipOf(found.person, id) ? { kind: "exists" } : await addExisting(found.person, id);
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
      const reason = `unknown status ${JSON.stringify(membership.subscription_status.slice(0, 40))}`;
      return { kind: "trouble", code: "unexpected", reason, unknown: false };
    },

    async resend(target) {
      const found = await pendingPerson(target);
      if (found.kind !== "person") return found;
      const response = await sendOptIn(found.person);
      return response.kind === "ok" ? { kind: "sent" } : trouble(response, "writes");
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

/** Returns the result of the creation of a person on a list. listmonk ignores a list that does not exist. */
function createdResult(response: ListmonkResponse, list: number): SubscribeResult {
  if (response.kind === "error" && response.status === 400 && response.problem !== undefined) {
    return { kind: "refused", reason: response.problem || "HTTP 400" };
  }
  if (response.kind !== "ok") return trouble(response, "writes");
  const person = Subscriber.safeParse(response.body).data;
  if (!person) return trouble(response, "writes");
  const membership = membershipOf(person, list);
  if (!membership) return UNKNOWN_LIST;
  return { kind: "accepted", ...(listStatusOf(person, membership) === "pending" && { isPending: true }) };
}
