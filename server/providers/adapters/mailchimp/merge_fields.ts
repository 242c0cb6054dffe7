import { z } from "zod";
import {
  customFieldCreator,
  type CustomFieldsOf,
  hashOfProperty,
  hasOtherLetters,
} from "../../port/custom_fields.ts";
import { type MailchimpSend, trouble } from "./http.ts";

/** Mailchimp stores what it knows about a member in merge fields, which have to exist in the audience. */

const MAX_TAG_LENGTH = 10;
const MAX_NAME_LENGTH = 50;
const MAX_TEXT_LENGTH = 255;
/** An audience has 80 at most. */
const PAGE_SIZE = 200;

const field = z.object({ tag: z.string().min(1), name: z.string(), type: z.string() });
type MergeField = z.infer<typeof field>;
const listed = z.object({ merge_fields: z.array(field) });

type Properties = Readonly<Record<string, string | number>>;

/** Returns the values of a new member's merge fields by tag, after it created the fields that did not exist. */
export type MergeFieldsOf = (
  list: string,
  properties: Properties,
  signal?: AbortSignal,
) => ReturnType<CustomFieldsOf>;

/**
 * Returns the function that creates missing merge fields, of each audience its own.
 *
 * @param account identifies the account, such as its API key
 * @param now returns Unix milliseconds
 */
export function mergeFieldCreator(
  send: MailchimpSend,
  account: () => string,
  now?: () => number,
): MergeFieldsOf {
  const byList = new Map<string, CustomFieldsOf>();

  const creatorFor = (list: string) =>
    customFieldCreator<MergeField>({
      account,
      async read(signal) {
        const query = `fields=merge_fields.tag,merge_fields.name,merge_fields.type&count=${PAGE_SIZE}`;
        const response = await send({ method: "GET", path: `${pathOf(list)}?${query}`, signal });
        const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
        return found ? { kind: "fields", fields: found.merge_fields } : trouble(response, "reads");
      },
      async create(property, value, signal) {
        const type = typeof value === "number" ? "number" : "text";
        const body = { tag: tagOf(property), name: property.trim().slice(0, MAX_NAME_LENGTH), type };
        const response = await send({ method: "POST", path: pathOf(list), body, signal });
        const created = response.kind === "ok" ? field.safeParse(response.body).data : undefined;
        if (created) return { kind: "created", field: created };
        // Refused, for example, because the audience has too many.
        const isRefused = response.kind === "error" && response.status === 400 && response.problem;
        return isRefused ? { kind: "refused" } : trouble(response, "writes");
      },
      find,
      entry(own, value) {
        const stored = valueFor(own, value);
        return stored === undefined ? undefined : [own.tag, stored];
      },
    }, now);

  return (list, properties, signal) => {
    const fieldsOf = byList.get(list) ?? creatorFor(list);
    byList.set(list, fieldsOf);
    return fieldsOf(properties, signal);
  };
}

const pathOf = (list: string) => `/lists/${encodeURIComponent(list)}/merge-fields`;

const plainTag = (property: string) => property.trim().toUpperCase().replace(/[^A-Z0-9]+/g, "_");

/**
 * Returns the tag of the field for a property: `Shirt size` is `SHIRT_SIZE`. A longer one, and one with letters that a
 * tag can't have, ends with a hash, so that it is the same each time and no other property has it.
 */
export function tagOf(property: string): string {
  const tag = plainTag(property);
  if (tag.length <= MAX_TAG_LENGTH && /[A-Z0-9]/.test(tag) && !hasOtherLetters(property)) return tag;
  return `${tag.slice(0, MAX_TAG_LENGTH - 5)}_${hashOfProperty(property).toUpperCase()}`;
}

/**
 * Returns the field with the property's tag, or else with its name, as the owner of the audience may have created it. Earlier
 * versions created tags without a hash, which several properties could share: one is the field's that it is named after.
 */
function find(fields: readonly MergeField[], property: string): MergeField | undefined {
  const name = property.trim().toLowerCase();
  return fields.find(({ tag }) => tag === tagOf(property)) ??
    fields.find((field) => field.name.trim().toLowerCase() === name) ??
    fields.find((field) => field.tag === plainTag(property) && plainTag(field.name) !== field.tag);
}

function valueFor({ type }: MergeField, value: string | number): string | number | undefined {
  if (type === "number") return typeof value === "number" ? value : undefined;
  return type === "text" ? String(value).slice(0, MAX_TEXT_LENGTH) : undefined;
}
