import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import {
  customFieldCreator,
  type CustomFieldsOf,
  hashOfProperty,
  hasOtherLetters,
} from "../../port/custom_fields.ts";
import type { BrevoSend } from "./http.ts";
import { isDuplicate, trouble } from "./results.ts";

/**
 * Brevo stores what it knows about a contact in attributes, which have to exist in the account. It has no tags: cfbe keeps
 * them in an attribute, separated by commas.
 */

export const NAME = "FIRSTNAME";
export const TAGS = "CFBE_TAGS";

export type Attributes = Readonly<Record<string, string | number>>;

/** Brevo's maximum. */
const NAME_MAX = 50;

/** Separates an attribute's name from its hash. No name contains it. */
const HASH = "#";

/**
 * Returns the attribute for a custom property: `orderCount` is `ORDER_COUNT`, because Brevo knows only upper case. One of a
 * property with letters that a name can't have ends with a hash: it stands for two names (see `namesOf`).
 */
export function attributeName(property: string): string {
  const name = property.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/\W/g, "_").toUpperCase()
    .slice(0, NAME_MAX);
  return hasOtherLetters(property) ? `${name}${HASH}${hashOfProperty(property).toUpperCase()}` : name;
}

/**
 * Returns the names that an attribute can have in an account, the one of a new attribute first. Earlier versions created them
 * without a hash.
 */
export function namesOf(attribute: string): [string, ...string[]] {
  const [name = "", hash] = attribute.split(HASH);
  return hash === undefined ? [name] : [`${name.slice(0, NAME_MAX - hash.length - 1)}_${hash}`, name];
}

/** Returns the value of the tags attribute. */
export function tagsValue(tags: readonly string[]): string {
  return tags.map((tag) => tag.replaceAll(",", " ")).join(", ");
}

/** Returns the tags in the value of the tags attribute. */
export function tagsOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value.split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
}

const attribute = z.object({ name: z.string().min(1), type: z.string().catch("text") });
type BrevoAttribute = z.infer<typeof attribute>;
const listed = z.object({ attributes: z.array(attribute) });

/**
 * Returns the function that creates missing attributes, and leaves out those that the account can't have.
 *
 * @param account identifies the account, such as its API key
 */
export function brevoAttributes(
  send: BrevoSend,
  account: () => string,
  now?: () => number,
): CustomFieldsOf {
  return customFieldCreator<BrevoAttribute>({
    account,
    async read(signal) {
      const response = await send({ method: "GET", path: "/contacts/attributes", signal });
      const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
      return found ? { kind: "fields", fields: found.attributes } : trouble(response, "reads");
    },
    async create(attribute, value, signal) {
      const name = namesOf(attribute)[0];
      const type = typeof value === "number" ? "float" : "text";
      const path = `/contacts/attributes/normal/${encodeURIComponent(name)}`;
      const response = await send({ method: "POST", path, body: { type }, signal });
      if (response.kind === "ok") return { kind: "created", field: { name, type } };
      if (isDuplicate(response)) return { kind: "exists" };
      const isRefused = isOwnError(response, 400);
      return isRefused ? { kind: "refused" } : trouble(response, "writes");
    },
    find(attributes, attribute) {
      const found = namesOf(attribute).flatMap((name) =>
        attributes.find((each) => each.name.toUpperCase() === name) ?? []
      );
      return found[0];
    },
    entry({ name, type }, value) {
      return type === "float" && typeof value !== "number" ? undefined : [name, value];
    },
  }, now);
}
