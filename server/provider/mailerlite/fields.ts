import { z } from "zod";
import { type MailerliteResponse, type MailerliteSend, trouble } from "./http.ts";
import type { Trouble } from "../trouble.ts";

/** MailerLite stores what it knows about a person in fields, which have to exist in the account. It ignores others. */

const listed = z.array(z.object({ key: z.string() }));
const created = z.object({ key: z.string() });
const PAGE_SIZE = 100;
/** More fields than an account has. */
const MAX_PAGES = 20;

/** Returns MailerLite's key of a field for a property: `Shirt size` is `shirt_size`. */
function fieldKey(property: string): string {
  return property.trim().toLowerCase().replace(/\W+/g, "_").slice(0, 100);
}

/** Returns the values of a person's fields by their keys, after it created the fields that did not exist. */
export type FieldValuesOf = (
  properties: Readonly<Record<string, string | number>>,
) => Promise<{ kind: "fields"; fields: Record<string, string | number> } | Trouble>;

/**
 * Returns the function that creates missing fields. It remembers which exist.
 *
 * @param account identifies the account, such as its API token
 */
export function fieldCreator(send: MailerliteSend, account: () => string): FieldValuesOf {
  let existing = { account: "", keys: new Set<string>() };

  /** Reads the keys of all fields. Returns the response of the request that failed, or undefined. */
  async function readKeys(keys: Set<string>): Promise<MailerliteResponse | undefined> {
    for (let page = 1; page <= MAX_PAGES; page++) {
      const path = `/fields?limit=${PAGE_SIZE}&page=${page}`;
      const response = await send({ method: "GET", path });
      const found = response.kind === "ok" ? listed.safeParse(response.body.data).data : undefined;
      if (!found) return response;
      for (const { key } of found) keys.add(key);
      if (found.length < PAGE_SIZE) return undefined;
    }
    return undefined;
  }

  return async (properties) => {
    if (existing.account !== account()) existing = { account: account(), keys: new Set() };
    const { keys } = existing;
    const fields = Object.fromEntries(
      Object.entries(properties).map(([property, value]) => [fieldKey(property), value]),
    );
    const missing = () => Object.entries(fields).filter(([key]) => !keys.has(key));
    const failed = missing().length > 0 ? await readKeys(keys) : undefined;
    // Nobody has been subscribed yet.
    if (failed) return { ...trouble(failed, "reads"), unknown: false };
    for (const [key, value] of missing()) {
      const body = { name: key, type: typeof value === "number" ? "number" : "text" };
      const response = await send({ method: "POST", path: "/fields", body });
      const found = response.kind === "ok" ? created.safeParse(response.body.data).data : undefined;
      if (!found) return { ...trouble(response, "writes"), unknown: false };
      keys.add(key).add(found.key);
    }
    return { kind: "fields", fields };
  };
}
