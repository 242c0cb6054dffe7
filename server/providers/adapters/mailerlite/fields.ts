import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import {
  customFieldCreator,
  type CustomFieldsOf,
  hashOfProperty,
  hasOtherLetters,
} from "../../port/custom_fields.ts";
import { type MailerliteResponse, type MailerliteSend, trouble } from "./http.ts";

/** MailerLite stores what it knows about a person in fields, which have to exist in the account. It ignores others. */

const field = z.object({
  key: z.string().min(1),
  name: z.string().catch(""),
  type: z.string().catch("text"),
});
type MailerliteField = z.infer<typeof field>;
const listed = z.array(field);
const PAGE_SIZE = 100;
const MAX_KEY_LENGTH = 100;
/** More fields than an account has. */
const MAX_PAGES = 20;

/** Returns MailerLite's key of a field for a property: `Shirt size` is `shirt_size`. */
function plainKey(property: string): string {
  return property.trim().toLowerCase().replace(/\W+/g, "_").slice(0, MAX_KEY_LENGTH);
}

/** Returns the key of a new field. One of a property with letters that a key can't have ends with a hash. */
function newKey(property: string): string {
  if (!hasOtherLetters(property)) return plainKey(property);
  return `${plainKey(property).slice(0, MAX_KEY_LENGTH - 5)}_${hashOfProperty(property)}`;
}

/**
 * Returns the function that creates missing fields.
 *
 * @param account identifies the account, such as its API token
 */
export function mailerliteFields(
  send: MailerliteSend,
  account: () => string,
  now?: () => number,
): CustomFieldsOf {
  return customFieldCreator<MailerliteField>({
    account,
    async read(signal) {
      const fields: MailerliteField[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const path = `/fields?limit=${PAGE_SIZE}&page=${page}`;
        const response = await send({ method: "GET", path, signal });
        const found = response.kind === "ok" ? listed.safeParse(response.body.data).data : undefined;
        if (!found) return trouble(response, "reads");
        fields.push(...found);
        if (found.length < PAGE_SIZE) break;
      }
      return { kind: "fields", fields };
    },
    async create(property, value, signal) {
      // From other names, MailerLite makes keys such as `z_i_p`.
      const body = { name: newKey(property), type: typeof value === "number" ? "number" : "text" };
      const response = await send({ method: "POST", path: "/fields", body, signal });
      const created = response.kind === "ok" ? field.safeParse(response.body.data).data : undefined;
      if (created) return { kind: "created", field: created };
      if (!isRefused(response)) return trouble(response, "writes");
      return { kind: /\btaken\b/i.test(JSON.stringify(response.problem)) ? "exists" : "refused" };
    },
    find(fields, property) {
      // Earlier versions created every field with the plain key.
      const keys = [newKey(property), plainKey(property)];
      const names = [property.trim().toLowerCase(), ...keys];
      return fields.find(({ key }) => key === keys[0]) ?? fields.find(({ key }) => key === keys[1]) ??
        fields.find(({ name }) => names.includes(name.trim().toLowerCase()));
    },
    entry({ key, type }, value) {
      return type === "number" && typeof value !== "number" ? undefined : [key, value];
    },
  }, now);
}

function isRefused(response: MailerliteResponse): response is Extract<MailerliteResponse, { kind: "error" }> {
  return isOwnError(response, 422);
}
