import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { Contact, StatusResult, Suppressed } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { attributeName, type Attributes, NAME, namesOf, TAGS, tagsOf, tagsValue } from "./attributes.ts";
import type { BrevoResponse } from "./http.ts";
import { isMissing, trouble } from "./results.ts";

/** Reads Brevo's contacts. All functions are pure. */

const events = z.array(z.unknown()).catch([]).default([]);

const contactShape = z.object({
  email: z.string().nullish(),
  // Required: without it, a person who left would count as active.
  emailBlacklisted: z.boolean(),
  listIds: z.array(z.number()).nullish(),
  listUnsubscribed: z.array(z.number()).nullish(),
  modifiedAt: z.string().optional().catch(undefined),
  attributes: z.record(z.string(), z.unknown()).nullish().catch(null),
  statistics: z.object({
    hardBounces: events,
    complaints: events,
    unsubscriptions: z.object({ userUnsubscription: events, adminUnsubscription: events }).optional()
      .catch(undefined),
  }).optional().catch(undefined),
});

export type BrevoContact = z.infer<typeof contactShape>;

export type ReadContact = { kind: "found"; contact: BrevoContact } | { kind: "absent" } | Trouble;

/** Returns the contact in a value, or undefined if the value is not a contact. */
export function parseContact(value: unknown): BrevoContact | undefined {
  return contactShape.safeParse(value).data;
}

/** Returns the result of `GET /contacts/{email}`. */
export function readContact(response: BrevoResponse): ReadContact {
  if (isMissing(response)) return { kind: "absent" };
  const contact = response.kind === "ok" ? parseContact(response.body) : undefined;
  return contact ? { kind: "found", contact } : trouble(response, "reads");
}

/**
 * Returns a contact's status on a list; undefined if it was never on it. Brevo puts people on its blocklist who
 * unsubscribed, complained or bounced, and its statistics of the last 90 days say which. Without them, the person counts as
 * unsubscribed.
 */
export function statusOn(contact: BrevoContact, list: number): ListStatus | undefined {
  if (contact.emailBlacklisted) return blockedAs(contact) ?? "unsubscribed";
  if (contact.listUnsubscribed?.includes(list)) return "unsubscribed";
  return contact.listIds?.includes(list) ? "active" : undefined;
}

function blockedAs({ statistics }: BrevoContact): "bounced" | "suppressed" | "unsubscribed" | undefined {
  if (!statistics) return undefined;
  const { hardBounces, complaints, unsubscriptions } = statistics;
  if (hardBounces.length > 0) return "bounced";
  if (complaints.length > 0) return "suppressed";
  if (unsubscriptions && unsubscriptions.userUnsubscription.length > 0) return "unsubscribed";
  return unsubscriptions && unsubscriptions.adminUnsubscription.length > 0 ? "suppressed" : undefined;
}

/**
 * Returns whether a contact is on the blocklist and nothing says why: listings have no statistics, and those of a contact
 * end after 90 days. The person may have complained, or the address may bounce.
 */
export function isUnexplained(contact: BrevoContact): boolean {
  return contact.emailBlacklisted && blockedAs(contact) === undefined;
}

/** Returns why no email may be sent to a contact, whatever it is about; undefined if Brevo names no such reason. */
export function suppressionOf(contact: BrevoContact): Suppressed | undefined {
  const status = contact.emailBlacklisted ? blockedAs(contact) : undefined;
  if (status === "bounced") {
    return { kind: "suppressed", bounced: true, reason: "emails to the address bounce, so Brevo blocks it" };
  }
  if (status === "suppressed") {
    return { kind: "suppressed", reason: "the address is on Brevo's blocklist" };
  }
  return undefined;
}

/** Returns the status result for a contact on a list. */
export function statusResult(read: ReadContact, list: number): StatusResult {
  if (read.kind !== "found") return read;
  const status = statusOn(read.contact, list);
  if (!status) return { kind: "absent" };
  const changedAt = changeOf(read.contact);
  return {
    ...{ kind: "found", status },
    ...(changedAt !== undefined && { changedAt }),
    ...(isUnexplained(read.contact) && { isUnexplained: true }),
  };
}

/** Returns the time of a contact's last change, Unix milliseconds. */
export function changeOf({ modifiedAt }: BrevoContact): number | undefined {
  const time = Date.parse(modifiedAt ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** Returns name and tags, which are in two of the contact's attributes. */
export function personOf({ attributes }: BrevoContact): Contact {
  const name = attributes?.[NAME];
  return { name: typeof name === "string" ? name : "", tags: tagsOf(attributes?.[TAGS]) };
}

/**
 * Returns the attributes that a person adds to their contact. It keeps its name and every attribute that has a value,
 * because anyone can submit a public form.
 *
 * @param contact undefined for a new one
 */
export function addedAttributes(
  contact: BrevoContact | undefined,
  { name, tags, properties = {} }: {
    name?: string;
    tags: readonly string[];
    properties?: Readonly<Record<string, string | number>>;
  },
): Attributes {
  const before = contact ? personOf(contact) : { name: "", tags: [] };
  const isEmpty = (attribute: string) =>
    namesOf(attribute).every((name) => (contact?.attributes?.[name] ?? "") === "");
  const own = Object.entries(properties).map(([property, value]) =>
    [attributeName(property), value] as const
  );
  return {
    ...Object.fromEntries(own.filter(([attribute]) => isEmpty(attribute))),
    ...(name && before.name === "" && { [NAME]: name }),
    ...(tags.length > 0 && { [TAGS]: tagsValue([...new Set([...before.tags, ...tags])]) }),
  };
}
