import { z } from "zod";
import type {
  ImportResult,
  Provider,
  ResendResult,
  StatusResult,
  SubscribeResult,
  Suppressed,
} from "../../port/port.ts";
import { allOmitted } from "../../port/custom_fields.ts";
import type { Trouble } from "../../port/trouble.ts";
import { newProfile } from "./contacts.ts";
import { type KlaviyoResponse, type KlaviyoSend, rejectsEmail, trouble } from "./http.ts";
import { changedAtOf, type ProfileReader, type Standing, standingOf, UNREADABLE } from "./profile.ts";

const BOUNCED: Suppressed = {
  kind: "suppressed",
  bounced: true,
  reason: "Emails to the address bounce, and Klaviyo sends none to it.",
};
const SUPPRESSED: Suppressed = { kind: "suppressed", reason: "The address is suppressed at Klaviyo." };
const REFUSED = { kind: "refused", reason: "Klaviyo does not accept this as an email address." } as const;
const NOT_PENDING = {
  kind: "refused",
  reason: "The address does not wait for a confirmation.",
} as const;
const SINGLE_OPT_IN = {
  kind: "refused",
  reason: "The list has no double opt-in, so that a resend would subscribe the address.",
} as const;

export const UNKNOWN_LIST: Trouble = {
  kind: "trouble",
  code: "not_found",
  reason: "The list does not exist at Klaviyo.",
  unknown: false,
};

const SIGNUP_IP = "cfbeSignupIp";

/** Returns whether a list can have this ID, which becomes part of a path. */
export function isListId(list: string): boolean {
  return /^[A-Za-z0-9]{1,64}$/.test(list);
}

/** Where a person stands: `active` if they are subscribed and on the list. */
type Place =
  | { kind: "place"; status: Exclude<Standing, "subscribed" | "none"> | "active"; changedAt?: number }
  /** Not on the list, or not confirmed. `isNew` if Klaviyo has no profile. */
  | { kind: "absent"; isNew: boolean }
  | Trouble;

/** Returns the calls for one address on a list. */
export function subscriptionCalls(
  send: KlaviyoSend,
  profiles: ProfileReader,
): Pick<Provider, "subscribe" | "status" | "resend" | "importConfirmed"> {
  async function placeOf(list: string, email: string, signal?: AbortSignal): Promise<Place> {
    if (!isListId(list)) return UNKNOWN_LIST;
    const found = await profiles.inAccount(email, signal);
    if (found.kind === "trouble") return found;
    if (found.kind === "absent") return { kind: "absent", isNew: true };
    const standing = standingOf(found.profile, list);
    if (standing === undefined) return UNREADABLE;
    if (standing === "none") return { kind: "absent", isNew: false };
    if (standing !== "subscribed") return { kind: "place", status: standing, ...changedAtOf(found.profile) };
    // The consent is one for the whole account, so it does not say which list the person confirmed.
    const member = await profiles.onList(list, email, signal);
    if (member.kind === "trouble") return member;
    return member.kind === "absent"
      ? { kind: "absent", isNew: false }
      : { kind: "place", status: "active", ...changedAtOf(member.profile) };
  }

  /** Starts the job that subscribes an address, and that sends the confirmation email on a list with double opt-in. */
  const startJob = (list: string, email: string, imported?: Imported) => {
    const path = "/api/profile-subscription-bulk-create-jobs";
    return send({
      method: "POST",
      path,
      body: jobBody(list, email, imported),
      isJob: true,
      signal: imported?.signal,
    });
  };

  /** Stores what the job does not take. Returns what the call returns if that fails: nobody is subscribed then. */
  async function store(profile: ReturnType<typeof newProfile>, signal?: AbortSignal) {
    if (!profile) return undefined;
    const stored = await send({ method: "POST", path: "/api/profile-import", body: profile, signal });
    if (rejectsEmail(stored)) return REFUSED;
    return stored.kind === "ok" ? undefined : trouble(stored, "reads");
  }

  return {
    async subscribe({ list, email }, person): Promise<SubscribeResult> {
      const place = await placeOf(list, email);
      if (place.kind === "trouble") return place;
      if (place.kind === "place") return knownResult(place.status);
      // A profile that exists keeps its name, because anybody can submit a public form.
      const failed = place.isNew ? await store(newProfile(email, person)) : undefined;
      if (failed) return failed;
      return subscribeResult(await startJob(list, email));
    },

    async status({ list, email }, signal): Promise<StatusResult> {
      const place = await placeOf(list, email, signal);
      if (place.kind !== "place") return place.kind === "absent" ? { kind: "absent" } : place;
      const { status, changedAt } = place;
      return { kind: "found", status, ...(changedAt !== undefined && { changedAt }) };
    },

    async resend({ list, email }): Promise<ResendResult> {
      const place = await placeOf(list, email);
      if (place.kind === "trouble") return place;
      if (place.kind === "place") {
        const known = knownResult(place.status);
        return known.kind === "suppressed" ? known : NOT_PENDING;
      }
      const refused = withoutDoubleOptIn(await send({ method: "GET", path: `/api/lists/${list}` }));
      if (refused) return refused;
      const result = subscribeResult(await startJob(list, email));
      return result.kind === "accepted" ? { kind: "sent" } : result;
    },

    async importConfirmed({ list, email }, person, signal): Promise<ImportResult> {
      const { confirmedAt, ip, properties: own = {}, ...more } = person;
      const place = await placeOf(list, email, signal);
      if (place.kind === "trouble") return place;
      if (place.kind === "place") return { kind: "exists", status: place.status };
      const proof = ip === undefined ? {} : { [SIGNUP_IP]: ip };
      const values = place.isNew
        ? { ...more, properties: { ...own, ...proof } }
        : { tags: [], properties: proof };
      const failed = await store(newProfile(email, values), signal);
      if (failed) return failed;
      const result = subscribeResult(await startJob(list, email, { confirmedAt, signal }));
      if (result.kind !== "accepted") return result;
      return { kind: "imported", omitted: place.isNew ? {} : allOmitted(own) };
    },
  };
}

/** A confirmation at another provider. */
interface Imported {
  /** Unix milliseconds. */
  confirmedAt: number;
  signal: AbortSignal | undefined;
}

/** Returns the body of a job. Only an import has `historical_import`, which skips double opt-in and starts no flow. */
function jobBody(list: string, email: string, imported: Imported | undefined) {
  const consentedAt = imported && new Date(imported.confirmedAt).toISOString();
  const marketing = { consent: "SUBSCRIBED", ...(consentedAt && { consented_at: consentedAt }) };
  const attributes = { email: email.toLowerCase(), subscriptions: { email: { marketing } } };
  return {
    data: {
      type: "profile-subscription-bulk-create-job",
      attributes: {
        custom_source: "cfbe",
        profiles: { data: [{ type: "profile", attributes }] },
        ...(imported && { historical_import: true }),
      },
      relationships: { list: { data: { type: "list", id: list } } },
    },
  };
}

/** Returns the result of a subscribe for somebody who must not be part of a job: it would lift their suppression. */
function knownResult(status: Extract<Place, { kind: "place" }>["status"]) {
  switch (status) {
    case "active":
      return { kind: "exists" } as const;
    case "unsubscribed":
      return { kind: "left" } as const;
    case "bounced":
      return BOUNCED;
    case "suppressed":
      return SUPPRESSED;
  }
}

/** Returns the result of the request that starts a job. */
function subscribeResult(response: KlaviyoResponse) {
  if (response.kind === "ok") return { kind: "accepted" } as const;
  if (rejectsEmail(response)) return REFUSED;
  const found = trouble(response, "writes");
  return found.code === "not_found" && !found.unknown ? UNKNOWN_LIST : found;
}

const List = z.object({ attributes: z.object({ opt_in_process: z.string().nullish() }) });

/** Returns undefined if the list has double opt-in, or what a resend returns instead. */
function withoutDoubleOptIn(response: KlaviyoResponse): ResendResult | undefined {
  const found = response.kind === "ok" ? List.safeParse(response.body.data).data : undefined;
  if (!found) return trouble(response, "reads");
  return found.attributes.opt_in_process === "double_opt_in" ? undefined : SINGLE_OPT_IN;
}
