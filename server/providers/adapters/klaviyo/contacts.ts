import type { Provider } from "../../port/port.ts";
import { type KlaviyoSend, rejectsEmail, trouble } from "./http.ts";
import type { Profile, ProfileReader } from "./profile.ts";

/** Klaviyo has no tags for profiles. The site may have a property `tags` of its own. */
const TAGS = "cfbeTags";

interface Values {
  name?: string;
  tags?: readonly string[];
  properties?: Readonly<Record<string, string | number>>;
}

/** Returns the body of a request that creates or changes a profile. It gives no consent and sends no email. */
function profileBody(email: string, { name, tags, properties }: Values) {
  const [, first, last] = /^\s*(\S*)\s*(.*?)\s*$/.exec(name ?? "")!;
  const { first_name, last_name, ...custom } = properties ?? {};
  return {
    data: {
      type: "profile",
      attributes: {
        email: email.toLowerCase(),
        // Null clears a member, and what is left out stays unchanged.
        ...(name !== undefined && { first_name: first || null, last_name: last || null }),
        ...(first_name !== undefined && { first_name: String(first_name) }),
        ...(last_name !== undefined && { last_name: String(last_name) }),
        properties: { ...custom, ...(tags && { [TAGS]: tags }) },
      },
    },
  };
}

/** Returns the body that creates the profile of a new subscriber; undefined if there is nothing to store. */
export function newProfile(email: string, { name, tags = [], properties = {} }: Values) {
  if (!name && tags.length === 0 && Object.keys(properties).length === 0) return undefined;
  return profileBody(email, { ...(name && { name }), ...(tags.length > 0 && { tags }), properties });
}

/** Returns the calls for profiles, whether they are on a list or not. */
export function contactCalls(
  send: KlaviyoSend,
  profiles: ProfileReader,
): Pick<Provider, "contact" | "saveContact" | "erase"> {
  return {
    async contact(email, signal) {
      const found = await profiles.inAccount(email, signal);
      if (found.kind !== "profile") return found;
      return { kind: "found", contact: { name: nameOf(found.profile), tags: tagsOf(found.profile) } };
    },

    async saveContact(email, change, signal) {
      const body = profileBody(email, change);
      const response = await send({ method: "POST", path: "/api/profile-import", body, signal });
      if (response.kind === "ok") return { kind: "saved" };
      return rejectsEmail(response)
        ? { kind: "refused", reason: "Klaviyo does not accept this as an email address." }
        : trouble(response, "writes");
    },

    async erase(email, signal) {
      const found = await profiles.inAccount(email, signal);
      if (found.kind !== "profile") return found;
      const profile = { type: "profile", attributes: { email: email.toLowerCase() } };
      const body = {
        data: { type: "data-privacy-deletion-job", attributes: { profile: { data: profile } } },
      };
      const path = "/api/data-privacy-deletion-jobs";
      const response = await send({ method: "POST", path, body, isJob: true, signal });
      return response.kind === "ok" ? { kind: "erased" } : trouble(response, "writes");
    },
  };
}

function nameOf({ first_name, last_name }: Profile): string {
  return [first_name, last_name].filter(Boolean).join(" ");
}

function tagsOf({ properties }: Profile): string[] {
  const tags = properties?.[TAGS];
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}
