import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import { customFieldCreator, type CustomFieldsOf } from "../../port/custom_fields.ts";
import { type KitSend, trouble } from "./http.ts";
import { nextCursor } from "./listing.ts";

/** Kit's custom fields. Source: developers.kit.com/api-reference/custom-fields. */

const PAGE_SIZE = "1000";
/** Ends an endless chain of pages. */
const MAX_PAGES = 10;

const customField = z.object({ key: z.string().min(1), label: z.string() });
type KitField = z.infer<typeof customField>;
const listed = z.object({ custom_fields: z.array(customField) });
const created = z.object({ custom_field: customField });

/**
 * Returns the function that creates the custom fields of properties: the property `Shirt size` is the label of a field with
 * the key `shirt_size`. All of Kit's values are text.
 */
export function kitCustomFields(
  send: KitSend,
  account: () => string,
  now?: () => number,
): CustomFieldsOf {
  return customFieldCreator<KitField>({
    account,
    async read() {
      const fields: KitField[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { per_page: PAGE_SIZE, ...(cursor !== undefined && { after: cursor }) };
        const response = await send({ method: "GET", path: "/custom_fields", query });
        const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
        if (response.kind !== "ok" || !found) return trouble(response, "reads");
        fields.push(...found.custom_fields);
        cursor = found.custom_fields.length === 0 ? undefined : nextCursor(response.body);
        if (cursor === undefined) break;
      }
      return { kind: "fields", fields };
    },
    async create(property) {
      // 200 is the response for a label that exists.
      const response = await send({
        method: "POST",
        path: "/custom_fields",
        body: { label: property.trim() },
      });
      const found = response.kind === "ok" ? created.safeParse(response.body).data : undefined;
      if (found) return { kind: "created", field: found.custom_field };
      const isRefused = isOwnError(response, 422);
      return isRefused ? { kind: "refused" } : trouble(response, "writes");
    },
    find(fields, property) {
      const label = property.trim().toLowerCase();
      return fields.find(({ key }) => key === keyOf(property)) ??
        fields.find((field) => field.label.trim().toLowerCase() === label);
    },
    entry: ({ key }, value) => [key, String(value)],
  }, now);
}

/** Returns the key that Kit generates for a label: ASCII, in lower case, with underscores. */
const keyOf = (label: string) =>
  label.trim().toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
