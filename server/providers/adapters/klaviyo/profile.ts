import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { Trouble } from "../../port/trouble.ts";
import { type KlaviyoResponse, type KlaviyoSend, trouble } from "./http.ts";

/** Reads profiles and what they say about email marketing. */

const suppression = z.object({ reason: z.string(), list_id: z.string().optional().catch(undefined) });
const suppressions = z.array(suppression).nullish().transform((all) => all ?? []);

const marketing = z.object({
  consent: z.string(),
  can_receive_email_marketing: z.boolean(),
  suppression: suppressions,
  list_suppressions: suppressions,
  last_updated: z.string().nullish().catch(null),
});
type Marketing = z.infer<typeof marketing>;

const Profile = z.object({
  attributes: z.object({
    email: z.string().min(3),
    first_name: z.string().nullish().catch(null),
    last_name: z.string().nullish().catch(null),
    properties: z.record(z.string(), z.unknown()).nullish().catch(null),
    /** Only in a listing of a list's members. */
    joined_group_at: z.string().nullish().catch(null),
    subscriptions: z.object({ email: z.object({ marketing }) }).optional().catch(undefined),
  }),
});
export type Profile = z.infer<typeof Profile>["attributes"];

/** Returns the profiles in a response, without those that cannot be read; undefined if it is no such response. */
export function profilesIn(response: KlaviyoResponse): Profile[] | undefined {
  if (response.kind !== "ok" || !Array.isArray(response.body.data)) return undefined;
  return response.body.data.flatMap((raw) => Profile.safeParse(raw).data?.attributes ?? []);
}

/** What a profile says about one list. `subscribed`: on some list; `none`: on none, or not confirmed yet. */
export type Standing = Exclude<ListStatus, "active" | "pending" | "paused"> | "subscribed" | "none";

/** Klaviyo's documentation of the subscribe job calls SPAM_COMPLAINT also SPAM_REPORT. */
const REASONS: Readonly<Record<string, Standing>> = {
  HARD_BOUNCE: "bounced",
  INVALID_EMAIL: "bounced",
  UNSUBSCRIBE: "unsubscribed",
};
const CONSENTS: Readonly<Record<string, Standing>> = {
  SUBSCRIBED: "subscribed",
  UNSUBSCRIBED: "unsubscribed",
  NEVER_SUBSCRIBED: "none",
};

/**
 * Returns a person's standing on a list, or undefined if the profile does not show it clearly. Any suppression counts
 * before the consent. A reason that is not known counts as suppressed, because a subscribe job would lift it.
 */
export function standingOf({ subscriptions }: Profile, list: string): Standing | undefined {
  const found = subscriptions?.email.marketing;
  if (!found) return undefined;
  const reasons = [...found.suppression, ...found.list_suppressions.filter(({ list_id }) => list_id === list)]
    .map(({ reason }) => Object.hasOwn(REASONS, reason) ? REASONS[reason] : "suppressed");
  for (const standing of ["bounced", "suppressed", "unsubscribed"] as const) {
    if (reasons.includes(standing)) return standing;
  }
  const consent = Object.hasOwn(CONSENTS, found.consent) ? CONSENTS[found.consent] : undefined;
  if (consent === "unsubscribed" || found.can_receive_email_marketing) return consent;
  return "suppressed";
}

/** Returns when a profile last changed for a list, as members to spread: Unix milliseconds, or nothing. */
export function changedAtOf({ joined_group_at, subscriptions }: Profile): { changedAt?: number } {
  const at = Date.parse(joined_group_at ?? lastUpdated(subscriptions?.email.marketing) ?? "");
  return Number.isNaN(at) ? {} : { changedAt: at };
}

function lastUpdated(found: Marketing | undefined): string | undefined {
  return found?.last_updated ?? undefined;
}

export type Found = { kind: "profile"; profile: Profile } | { kind: "absent" } | Trouble;

/** Returns the query for one address and its subscriptions. Klaviyo stores addresses in lower case. */
function queryFor(email: string): URLSearchParams {
  return new URLSearchParams({
    filter: `equals(email,${JSON.stringify(email.toLowerCase())})`,
    "additional-fields[profile]": "subscriptions",
  });
}

/** Returns the result of a search for one address. A profile with another address is not taken for it. */
function foundIn(response: KlaviyoResponse, email: string): Found {
  const profiles = profilesIn(response);
  if (!profiles) return trouble(response, "reads");
  const profile = profiles.find((other) => other.email.toLowerCase() === email.toLowerCase());
  if (profile) return { kind: "profile", profile };
  const isEmpty = response.kind === "ok" && (response.body.data as unknown[]).length === 0;
  return isEmpty ? { kind: "absent" } : UNREADABLE;
}

export const UNREADABLE: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason: "Klaviyo's profile does not say whether the person may be subscribed",
  unknown: false,
};

/** Returns the functions that read one profile, from the account or from a list. */
export function profileReader(send: KlaviyoSend) {
  const read = async (path: string, email: string, signal?: AbortSignal): Promise<Found> =>
    foundIn(await send({ method: "GET", path: `${path}?${queryFor(email)}`, signal }), email);
  return {
    inAccount: (email: string, signal?: AbortSignal) => read("/api/profiles", email, signal),
    onList: (list: string, email: string, signal?: AbortSignal) =>
      read(`/api/lists/${list}/profiles`, email, signal),
  };
}
export type ProfileReader = ReturnType<typeof profileReader>;
