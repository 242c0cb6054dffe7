import { createHash } from "node:crypto";
import { z } from "zod";
import type { Trouble } from "../trouble.ts";
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
) => Promise<{ kind: "fields"; fields: Record<string, string | number> } | Trouble>;

/**
 * Returns the function that creates missing merge fields. It remembers which exist. A property is left out if Mailchimp
 * does not let cfbe create its field, or if the existing field holds neither text nor numbers: a signup must not fail because
 * of it.
 *
 * @param account identifies the account, such as its API key
 */
export function mergeFieldCreator(send: MailchimpSend, account: () => string): MergeFieldsOf {
  let known = { account: "", byList: new Map<string, MergeField[]>() };

  async function read(list: string): Promise<MergeField[] | Trouble> {
    const query = `fields=merge_fields.tag,merge_fields.name,merge_fields.type&count=${PAGE_SIZE}`;
    const response = await send({ method: "GET", path: `${pathOf(list)}?${query}` });
    const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
    // Nobody has been subscribed yet.
    if (!found) return { ...trouble(response, "reads"), unknown: false };
    known.byList.set(list, found.merge_fields);
    return found.merge_fields;
  }

  /** Creates a field. Returns undefined if Mailchimp refuses it, for example because the audience has too many. */
  async function create(list: string, property: string, value: string | number) {
    const type = typeof value === "number" ? "number" : "text";
    const body = { tag: tagOf(property), name: property.trim().slice(0, MAX_NAME_LENGTH), type };
    const response = await send({ method: "POST", path: pathOf(list), body });
    const created = response.kind === "ok" ? field.safeParse(response.body).data : undefined;
    if (created) return created;
    if (response.kind === "error" && response.status === 400 && response.problem) return undefined;
    return { ...trouble(response, "writes"), unknown: false };
  }

  return async (list, properties) => {
    if (known.account !== account()) known = { account: account(), byList: new Map() };
    const wanted = Object.entries(properties);
    let existing = known.byList.get(list) ?? [];
    if (wanted.some(([property]) => !find(existing, property))) {
      const found = await read(list);
      if ("kind" in found) return found;
      existing = found;
    }
    const fields: Record<string, string | number> = {};
    for (const [property, value] of wanted) {
      let own = find(existing, property);
      if (!own) {
        const created = await create(list, property, value);
        if (created && "kind" in created) return created;
        if (created) existing.push(created);
        own = created;
      }
      const stored = own && valueFor(own, value);
      if (own && stored !== undefined) fields[own.tag] = stored;
    }
    return { kind: "fields", fields };
  };
}

const pathOf = (list: string) => `/lists/${encodeURIComponent(list)}/merge-fields`;

/**
 * Returns the tag of the field for a property: `Shirt size` is `SHIRT_SIZE`. A longer one ends with a hash, so that it is
 * the same each time and no other property has it.
 */
export function tagOf(property: string): string {
  const tag = property.trim().toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  if (tag.length <= MAX_TAG_LENGTH && /[A-Z0-9]/.test(tag)) return tag;
  const hash = createHash("sha256").update(property.trim().toLowerCase()).digest("hex").toUpperCase();
  return `${tag.slice(0, MAX_TAG_LENGTH - 5)}_${hash.slice(0, 4)}`;
}

/** Returns the field with the property's tag, or else with its name, as the owner of the audience may have created it. */
function find(fields: readonly MergeField[], property: string): MergeField | undefined {
  const name = property.trim().toLowerCase();
  return fields.find(({ tag }) => tag === tagOf(property)) ??
    fields.find((field) => field.name.trim().toLowerCase() === name);
}

function valueFor({ type }: MergeField, value: string | number): string | number | undefined {
  if (type === "number") return typeof value === "number" ? value : undefined;
  return type === "text" ? String(value).slice(0, MAX_TEXT_LENGTH) : undefined;
}
