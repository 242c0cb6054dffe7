import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { NewPerson, Provider } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import type { KitSend } from "./http.ts";
import { formId, membershipReader, NO_FORM } from "./listing.ts";
import { barredResult, createResult, foundId, joinResult, type Person, personResult } from "./results.ts";

/**
 * Returns the calls for one address. A list is a form of the account.
 *
 * Kit's listings lag behind by up to five minutes, and its responses for one ID do not. So only the ID comes from a listing,
 * and the state is read with the ID. Source: developers.kit.com/api-reference/eventual-consistency.
 */
export function subscriptionCalls(
  send: KitSend,
  fieldsOf: CustomFieldsOf,
): Pick<Provider, "subscribe" | "status"> {
  const membership = membershipReader(send);

  async function read(email: string, signal?: AbortSignal): Promise<Person | { kind: "absent" } | Trouble> {
    const query = { email_address: email, status: "all", slim: "true" };
    const found = foundId(await send({ method: "GET", path: "/subscribers", query, signal }), email);
    if (found.kind !== "id") return found;
    return personResult(await send({ method: "GET", path: `/subscribers/${found.id}`, signal }));
  }

  async function create(email: string, { name, properties = {} }: NewPerson) {
    const { first_name: first, ...custom } = properties;
    const own = await fieldsOf(custom);
    if (own.kind === "trouble") return own;
    // Without the state, Kit creates an active person, and the form sends no confirmation email. For somebody who exists,
    // the call changes no state.
    const body = {
      email_address: email,
      state: "inactive",
      ...((first ?? name) && { first_name: String(first ?? name) }),
      ...(Object.keys(own.values).length > 0 && { fields: own.values }),
    };
    return createResult(await send({ method: "POST", path: "/subscribers", body }));
  }

  return {
    async subscribe({ list, email }, newcomer) {
      const form = formId(list);
      if (form === undefined) return NO_FORM;
      const found = await read(email);
      const person = found.kind === "absent" ? await create(email, newcomer) : found;
      if (person.kind !== "person") return person;
      const barred = barredResult(person);
      if (barred) return barred;
      const path = `/forms/${form}/subscribers`;
      return joinResult(await send({ method: "POST", path, body: { email_address: email } }));
    },

    async status({ list, email }, signal) {
      const form = formId(list);
      if (form === undefined) return NO_FORM;
      const person = await read(email, signal);
      if (person.kind !== "person") return person;
      // Such a person gets no email from any form, so the status counts for forms without them as well.
      if (barredResult(person)) return { kind: "found", status: person.status };
      const found = await membership(form, person, signal);
      return found.kind === "member" ? { kind: "found", status: person.status } : found;
    },
  };
}
