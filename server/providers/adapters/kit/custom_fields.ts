import { z } from "zod";
import { isOwnError } from "../../http/json_response.ts";
import {
  customFieldCreator,
  type CustomFieldsOf,
  hashOfProperty,
  hasOtherLetters,
} from "../../port/custom_fields.ts";
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
  async function createField(label: string) {
    // 200 is the response for a label that exists.
    const response = await send({ method: "POST", path: "/custom_fields", body: { label } });
    const found = response.kind === "ok" ? created.safeParse(response.body).data : undefined;
    if (found) return { kind: "created", field: found.custom_field } as const;
    const isRefused = isOwnError(response, 422);
    return isRefused ? { kind: "refused" } as const : trouble(response, "writes");
  }

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
      let result: Awaited<ReturnType<typeof createField>> = { kind: "refused" };
      for (const label of labelsOf(property)) {
        result = await createField(label);
        if (result.kind !== "refused") return result;
      }
      return result;
    },
    find(fields, property) {
      const labels = labelsOf(property).map((label) => label.toLowerCase());
      const isOther = ({ key, label }: KitField) => hasOtherLetters(property) && keyOf(label) === key;
      const labeled = fields.find(({ label }) => labels.includes(label.trim().toLowerCase()));
      if (hasOtherLetters(property) && labeled) return labeled;
      return fields.find((field) => field.key === keyOf(property) && !isOther(field)) ?? labeled;
    },
    entry: ({ key }, value) => [key, String(value)],
  }, now);
}

/**
 * Returns the labels that a property's field can have. Kit refuses one whose key another field has, which labels with letters
 * that a key can't have may share: the second label has a hash.
 */
function labelsOf(property: string): string[] {
  const label = property.trim();
  return hasOtherLetters(label) ? [label, `${label} ${hashOfProperty(label)}`] : [label];
}

/** Returns the key that Kit generates for a label: ASCII, in lower case, with underscores. */
const keyOf = (label: string) =>
  label.trim().toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
