import { z } from "zod";
import { customFieldCreator, type CustomFieldsOf } from "../../port/custom_fields.ts";
import type { Trouble } from "../../port/trouble.ts";
import type { BluefoxSend } from "./http.ts";
import { trouble } from "./results.ts";

/**
 * The custom properties of a project's contacts. Sources: the documentation's page "Contacts", and BlueFox's own MCP
 * server (github.com/bluefox-email/bluefox.email-mcp), which says more: values are members of the contact or subscriber,
 * a value without a property is dropped, and BlueFox turns the name `Shirt size` into `shirtSize`.
 */

/** BlueFox's maximum. */
const PAGE_SIZE = 30;
/** 600 properties. Ends an endless chain of pages. */
const MAX_PAGES = 20;

/** Members of a request that are no custom properties. `status` would skip double opt-in. */
const RESERVED = ["email", "tags", "status", "pauseduntil", "captchatext", "captchaprobe"];

const property = z.object({ name: z.string().min(1), type: z.string().catch("string") });
type ContactProperty = z.infer<typeof property>;
const listed = z.object({ items: z.array(property), next: z.string().nullish() });

/**
 * Returns the function that creates custom properties.
 *
 * @param root returns the path of the project, which can change between calls
 */
export function bluefoxCustomFields(
  send: BluefoxSend,
  root: () => string,
  now?: () => number,
): CustomFieldsOf {
  const path = () => `${root()}/contacts/fields`;

  async function read(
    signal?: AbortSignal,
  ): Promise<{ kind: "fields"; fields: ContactProperty[] } | Trouble> {
    const fields: ContactProperty[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = `limit=${PAGE_SIZE}&skip=${page * PAGE_SIZE}`;
      const response = await send({ method: "GET", path: `${path()}?${query}`, signal });
      const found = response.kind === "ok" ? listed.safeParse(response.body).data : undefined;
      if (!found) return trouble(response, "reads");
      fields.push(...found.items);
      if (!found.next || found.items.length === 0) break;
    }
    return { kind: "fields", fields };
  }

  return customFieldCreator<ContactProperty>({
    account: root,
    read,
    async create(name, value, signal) {
      const body = { name, type: typeof value === "number" ? "number" : "string" };
      const response = await send({ method: "POST", path: path(), body, signal });
      const created = response.kind === "ok" ? property.safeParse(response.body).data : undefined;
      if (created) return { kind: "created", field: created };
      if (response.kind !== "error" || response.problem === undefined) return trouble(response, "writes");
      if (response.status === 409) return { kind: "exists" };
      return response.status === 400 ? { kind: "refused" } : trouble(response, "writes");
    },
    find,
    entry({ name, type }, value) {
      if (name.startsWith("_") || RESERVED.includes(folded(name))) return undefined;
      if (type === "number") return typeof value === "number" ? [name, value] : undefined;
      return type === "string" ? [name, String(value)] : undefined;
    },
  }, now);
}

function find(fields: readonly ContactProperty[], name: string): ContactProperty | undefined {
  return fields.find((field) => field.name === name) ??
    fields.find((field) => folded(field.name) === folded(name));
}

/** Returns what stays the same when BlueFox changes a name: `Shirt size`, `SHIRT_SIZE` and `shirtSize` are equal. */
const folded = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
