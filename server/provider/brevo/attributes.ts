import { z } from "zod";
import type { BrevoResponse, BrevoSend } from "./http.ts";
import { isDuplicate } from "./results.ts";

/**
 * Brevo stores what it knows about a contact in attributes, which have to exist in the account. It has no tags: cfbe keeps
 * them in an attribute, separated by commas.
 */

export const NAME = "FIRSTNAME";
export const TAGS = "CFBE_TAGS";

export type Attributes = Readonly<Record<string, string | number>>;

/** Brevo's maximum. */
const NAME_MAX = 50;

/** Returns the attribute for a custom property: `orderCount` is `ORDER_COUNT`, because Brevo knows only upper case. */
export function attributeName(property: string): string {
  return property.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/\W/g, "_").toUpperCase().slice(0, NAME_MAX);
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

const listed = z.object({ attributes: z.array(z.object({ name: z.string() })) });

/** Creates the attributes that do not exist yet. Returns the response of the request that failed, or undefined. */
export type EnsureAttributes = (
  attributes: Attributes,
  signal?: AbortSignal,
) => Promise<BrevoResponse | undefined>;

/**
 * Returns the function that creates missing attributes. It remembers which exist.
 *
 * @param account identifies the account, such as its API key
 */
export function attributeCreator(send: BrevoSend, account: () => string): EnsureAttributes {
  let existing = { account: "", names: new Set<string>() };

  return async (attributes, signal) => {
    if (existing.account !== account()) existing = { account: account(), names: new Set() };
    const { names } = existing;
    const missing = () => Object.entries(attributes).filter(([name]) => !names.has(name));
    if (missing().length === 0) return undefined;
    const response = await send({ method: "GET", path: "/contacts/attributes", signal });
    const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
    if (!found) return response;
    for (const { name } of found.attributes) names.add(name.toUpperCase());
    for (const [name, value] of missing()) {
      const created = await send({
        method: "POST",
        path: `/contacts/attributes/normal/${encodeURIComponent(name)}`,
        body: { type: typeof value === "number" ? "float" : "text" },
        signal,
      });
      if (created.kind !== "ok" && !isDuplicate(created)) return created;
      names.add(name);
    }
    return undefined;
  };
}
