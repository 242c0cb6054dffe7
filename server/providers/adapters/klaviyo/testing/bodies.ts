/** Response bodies of Klaviyo, as its specification describes them. */
import type { List, Profile } from "./account.ts";

/** Returns a profile; with `subscriptions` only if they were asked for, and with `joined_group_at` only on a list. */
export function profileBody(
  profile: Profile,
  { url, list }: { url: URL; list?: string },
): Record<string, unknown> {
  const additional = url.searchParams.get("additional-fields[profile]")?.split(",") ?? [];
  return {
    type: "profile",
    id: profile.id,
    attributes: {
      email: profile.email,
      phone_number: null,
      external_id: null,
      first_name: profile.firstName,
      last_name: profile.lastName,
      organization: null,
      locale: null,
      title: null,
      image: null,
      created: profile.updated,
      updated: profile.updated,
      last_event_date: null,
      location: {},
      properties: profile.properties,
      ...(list !== undefined && { joined_group_at: profile.joined.get(list)! }),
      ...(additional.includes("subscriptions") &&
        { subscriptions: { email: { marketing: marketing(profile) } } }),
    },
    links: { self: `${url.origin}/api/profiles/${profile.id}` },
  };
}

function marketing({ consent, consentedAt, suppressions, listSuppressions, updated }: Profile) {
  return {
    can_receive_email_marketing: suppressions.length === 0,
    consent,
    consent_timestamp: consent === "NEVER_SUBSCRIBED" ? null : consentedAt ?? updated,
    last_updated: updated,
    method: null,
    method_detail: "",
    custom_method_detail: null,
    double_optin: null,
    suppression: suppressions,
    list_suppressions: listSuppressions,
  };
}

export function listBody({ id, name, optIn }: List, url: URL) {
  const time = "2022-11-08T00:00:00+00:00";
  return {
    type: "list",
    id,
    attributes: { name, created: time, updated: time, opt_in_process: optIn },
    links: { self: `${url.origin}/api/lists/${id}` },
  };
}

/** Returns one page of sorted rows. The cursor names the last row of the page, so removed rows shift nothing. */
export function pageBody<T>(
  all: readonly T[],
  { url, keyOf, bodyOf, max, size: usual, pageMax = Infinity }: {
    url: URL;
    keyOf: (row: T) => string;
    bodyOf: (row: T) => unknown;
    max: number;
    size: number;
    pageMax?: number;
  },
): Record<string, unknown> | undefined {
  const wanted = Number(url.searchParams.get("page[size]") ?? usual);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > max) return undefined;
  const size = Math.min(wanted, pageMax);
  const after = atob(url.searchParams.get("page[cursor]") ?? "");
  const rows = all.filter((row) => keyOf(row) > after).toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
  const page = rows.slice(0, size);
  const next = new URL(url);
  if (page.length > 0) next.searchParams.set("page[cursor]", btoa(keyOf(page.at(-1)!)));
  return {
    data: page.map(bodyOf),
    links: { self: url.href, ...(rows.length > size && { next: next.href }) },
  };
}
