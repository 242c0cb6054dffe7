/** Response bodies of MailerLite, as the vendor recorded them for its Ruby library. */
import type { Account, Person } from "./account.ts";

/** Returns a subscriber; with their groups where a single one is returned. */
export function subscriberBody(account: Account, person: Person, { groups }: { groups: boolean }) {
  return {
    id: person.id,
    email: person.email,
    status: person.status,
    source: "api",
    sent: 0,
    opens_count: 0,
    clicks_count: 0,
    open_rate: 0,
    click_rate: 0,
    ip_address: null,
    subscribed_at: person.createdAt,
    unsubscribed_at: person.status === "unsubscribed" ? person.updatedAt : null,
    created_at: person.createdAt,
    updated_at: person.updatedAt,
    fields: {
      name: person.name,
      last_name: null,
      company: null,
      country: null,
      city: null,
      phone: null,
      state: null,
      z_i_p: null,
      ...person.fields,
    },
    ...(groups && { groups: [...person.groups].map((id) => groupBody(account, id)) }),
    opted_in_at: person.optedInAt,
    optin_ip: person.optInIp,
  };
}

export function groupBody(account: Account, id: string) {
  const rate = { float: 0, string: "0%" };
  const count = (status: Person["status"]) => account.count(id, status);
  return {
    id,
    name: account.groups.get(id)!,
    active_count: count("active"),
    sent_count: 0,
    opens_count: 0,
    open_rate: rate,
    clicks_count: 0,
    click_rate: rate,
    unsubscribed_count: count("unsubscribed"),
    unconfirmed_count: count("unconfirmed"),
    bounced_count: count("bounced"),
    junk_count: count("junk"),
    created_at: "2022-12-21 21:21:52",
  };
}

/** Returns one numbered page of a listing, with links to the others. */
export function pageBody<T>(
  all: readonly T[],
  { url, perPage, pageMax = Infinity }: { url: URL; perPage: number; pageMax?: number },
) {
  const limit = Math.min(Number(url.searchParams.get("limit") ?? perPage), pageMax);
  const page = Number(url.searchParams.get("page") ?? 1);
  const from = (page - 1) * limit;
  const data = all.slice(from, from + limit);
  const pages = Math.max(1, Math.ceil(all.length / limit));
  const path = `${url.origin}${url.pathname}`;
  const link = (page: number) => `${path}?page=${page}`;
  return {
    data,
    links: {
      first: link(1),
      last: link(pages),
      prev: page > 1 ? link(page - 1) : null,
      next: page < pages ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : from + 1,
      last_page: pages,
      links: [{ url: link(page), label: String(page), active: true }],
      path,
      per_page: limit,
      to: data.length === 0 ? null : from + data.length,
      total: all.length,
    },
  };
}
