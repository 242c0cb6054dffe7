import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { Provider, SubscribeResult, Target } from "../../port/port.ts";
import {
  addedAttributes,
  type BrevoContact,
  isUnexplained,
  readContact,
  statusOn,
  statusResult,
  suppressionOf,
} from "./contact.ts";
import { confirmationRequest, type OptInSettings } from "./confirmation.ts";
import type { BrevoSend } from "./http.ts";
import { contactPath, numericId } from "./ids.ts";
import { isDuplicate, isInvalidEmail, notConfigured, trouble } from "./results.ts";

const UNEXPLAINED = {
  kind: "refused",
  reason: "Brevo blocks the address and does not show why; it shows reasons for 90 days. " +
    "Find out why in Brevo, and unblock the contact there if the person may get emails",
} as const;
const NO_LIST = notConfigured("the ID of a list at Brevo is a number");

/**
 * Returns the calls for one address on a list.
 *
 * Brevo sends the confirmation email itself and adds the contact to the list once the link in it is clicked. Until then it
 * shows nothing. Each call reads the contact first, because Brevo would send that email to anyone.
 */
export function subscriptionCalls(
  send: BrevoSend,
  attributesOf: CustomFieldsOf,
  settings: OptInSettings,
): Pick<Provider, "subscribe" | "status" | "resend" | "reactivate"> {
  const read = async (email: string, signal?: AbortSignal) =>
    readContact(await send({ method: "GET", path: contactPath(email), signal }));
  const requestConfirmation = confirmationRequest(send, attributesOf, settings);

  return {
    async subscribe({ list, email }, person) {
      const id = numericId(list);
      if (id === undefined) return NO_LIST;
      const found = await read(email);
      if (found.kind === "trouble") return found;
      const contact = found.kind === "found" ? found.contact : undefined;
      const known = contact && resultFor(contact, id);
      if (known) return known;
      const response = await requestConfirmation(email, id, addedAttributes(contact, person));
      if (response.kind === "trouble") return response;
      if (response.kind === "ok") return { kind: "accepted", isPending: true };
      if (isInvalidEmail(response)) {
        return { kind: "refused", reason: "Brevo rejects the address as invalid" };
      }
      if (isDuplicate(response)) {
        // Somebody else changed the contact in the meantime.
        const again = await read(email);
        const changed = again.kind === "found" ? resultFor(again.contact, id) : undefined;
        if (changed) return changed;
      }
      return trouble(response, "writes");
    },

    async status({ list, email }, signal) {
      const id = numericId(list);
      return id === undefined ? NO_LIST : statusResult(await read(email, signal), id);
    },

    async resend({ list, email }) {
      const id = numericId(list);
      if (id === undefined) return NO_LIST;
      const found = await read(email);
      if (found.kind === "trouble") return found;
      if (found.kind === "found") {
        const suppressed = suppressionOf(found.contact);
        if (suppressed) return suppressed;
        const status = statusOn(found.contact, id);
        if (status) return { kind: "refused", reason: `the address is not pending but ${status}` };
      }
      const response = await requestConfirmation(email, id, {});
      if (response.kind === "trouble") return response;
      if (response.kind === "ok") return { kind: "sent" };
      if (isInvalidEmail(response)) {
        return { kind: "refused", reason: "Brevo rejects the address as invalid" };
      }
      return trouble(response, "writes");
    },

    async reactivate({ list, email }: Target, signal) {
      const id = numericId(list);
      if (id === undefined) return NO_LIST;
      const found = await read(email, signal);
      if (found.kind !== "found") return found;
      const { contact } = found;
      const status = statusOn(contact, id);
      if (status === undefined) return { kind: "absent" };
      if (status === "active") return { kind: "active" };
      if (suppressionOf(contact)) return { kind: "refused", reason: "the address is on Brevo's blocklist" };
      if (isUnexplained(contact)) return UNEXPLAINED;
      // With the other lists too, in case Brevo replaces the memberships instead of adding one.
      const listIds = [...new Set([...contact.listIds ?? [], id])];
      const body = { emailBlacklisted: false, listIds };
      const response = await send({ method: "PUT", path: contactPath(email), body, signal });
      if (response.kind !== "ok") return trouble(response, "writes");
      const after = statusResult(await read(email, signal), id);
      if (after.kind === "trouble") return { ...after, unknown: true };
      return after.kind === "found" && after.status === "active"
        ? { kind: "active" }
        : { kind: "refused", reason: "Brevo did not put the address back on the list" };
    },
  };
}

/**
 * Returns the result of subscribing a contact that was on the list, and undefined for one that never was. A person who
 * unsubscribed gets no confirmation email: it is not documented whether Brevo would wait for it.
 */
function resultFor(contact: BrevoContact, list: number): SubscribeResult | undefined {
  const suppressed = suppressionOf(contact);
  if (suppressed) return suppressed;
  const status: ListStatus | undefined = statusOn(contact, list);
  if (status === undefined) return undefined;
  if (status !== "unsubscribed") return { kind: "exists" };
  return { kind: "left", ...(isUnexplained(contact) && { isUnexplained: true }) };
}
