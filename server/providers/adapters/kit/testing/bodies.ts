/** Response bodies of Kit, as its documentation describes them. */
import type { Account, Hook, Person } from "./account.ts";

export function personBody(person: Person) {
  return {
    id: person.id,
    first_name: person.name,
    email_address: person.email,
    state: person.state,
    created_at: person.createdAt,
    fields: person.fields,
  };
}

/** Returns a person with what Kit adds to them on a form. */
export function memberBody(person: Person, form: number) {
  const referrer_utm_parameters = { source: "", medium: "", campaign: "", term: "", content: "" };
  return { ...personBody(person), added_at: person.forms.get(form)!, referrer: "", referrer_utm_parameters };
}

export function formBody(account: Account, id: number) {
  const uid = `f049e3${id}`;
  return {
    id,
    name: account.forms.get(id)!.name,
    created_at: "2023-02-17T11:43:55Z",
    type: "embed",
    format: null,
    embed_js: `https://kit-greetings.kit.com/${uid}/index.js`,
    embed_url: `https://kit-greetings.kit.com/${uid}`,
    archived: false,
    uid,
  };
}

export function hookBody(hook: Hook, { secret }: { secret: boolean }) {
  return {
    id: hook.id,
    name: hook.name,
    url: hook.url,
    events: hook.events,
    status: hook.status,
    source: "creator",
    description: "",
    created_by_app: null,
    created_at: hook.createdAt,
    previous_secret_expires_at: hook.previousExpiresAt,
    ...(secret && { secret: hook.secret }),
  };
}

/** Returns one page of a listing. Its cursors are the IDs of the first and the last entry. */
export function pageBody<T extends { id: number }>(
  name: string,
  all: readonly T[],
  query: URLSearchParams,
  pageMax = Infinity,
) {
  const size = Math.min(Number(query.get("per_page") ?? 500), pageMax);
  const after = query.get("after");
  const from = after === null ? 0 : all.findIndex(({ id }) => cursorOf(id) === after) + 1;
  const entries = all.slice(from, from + size);
  return {
    [name]: entries,
    pagination: {
      has_previous_page: from > 0,
      has_next_page: from + size < all.length,
      start_cursor: entries.length === 0 ? "" : cursorOf(entries[0]!.id),
      end_cursor: entries.length === 0 ? "" : cursorOf(entries.at(-1)!.id),
      per_page: size,
    },
  };
}

const cursorOf = (id: number) => btoa(`[${id}]`);
