import type { AdminServices } from "./services.ts";
import { decrypt, encrypt } from "../../platform/keys/seal.ts";

/**
/**
 * Parameters that may contain an email address or something else about a person, such as an answer to a field. `place` is
 * the cursor of a list of people, and `visit` describes a page with its URL.
 */
const PERSONAL = new Set(["q", "place", "email", "whose", "answer", "path", "campaign", "visit"]);
/** The parameter that contains them, encrypted. */
const ENCRYPTED = "sealed";

/** Message for a link whose `unreadable` is true. */
export const UNREADABLE_LINK = "This link has expired or is not valid. Search again.";

type Deps = Pick<AdminServices, "keyring" | "random">;
type Fields = Iterable<readonly [string, string]>;

interface OpenedQuery {
  /** The query with its personal parameters decrypted. */
  query: URLSearchParams;
  /** Personal parameters were encrypted with another key, tampered with, or not encrypted. */
  unreadable: boolean;
}

/**
 * Returns the query of a link in the admin, with its personal parameters encrypted: URLs end up in proxy logs, browser
 * histories and Referers, where no email address may appear. Empty values are omitted.
 *
 * @returns the query with its `?`, or "" if it is empty
 */
export async function encryptQuery({ keyring, random }: Deps, fields: Fields): Promise<string> {
  const given = [...fields].filter(([, value]) => value !== "").map(([name, value]) => [name, value]);
  const query = new URLSearchParams(given.filter(([name]) => !PERSONAL.has(name!)));
  const personal = new URLSearchParams(given.filter(([name]) => PERSONAL.has(name!)));
  if (personal.size > 0) {
    query.set(ENCRYPTED, await encrypt(keyring, random, "cfbe/admin-query", personal.toString()));
  }
  return query.size > 0 ? `?${query}` : "";
}

/** Decrypts a query from `encryptQuery`, or any other one. @param search with or without its `?` */
export async function decryptQuery(
  { keyring }: Pick<Deps, "keyring">,
  search: string,
): Promise<OpenedQuery> {
  const params = new URLSearchParams(search);
  const encrypted = params.get(ENCRYPTED);
  const decrypted = encrypted === null ? "" : await decrypt(keyring, "cfbe/admin-query", encrypted);
  const readable = [...params].filter(([name]) => name !== ENCRYPTED && !PERSONAL.has(name));
  const exposed = [...params].some(([name, value]) => PERSONAL.has(name) && value !== "");
  return {
    query: new URLSearchParams([...readable, ...new URLSearchParams(decrypted)]),
    unreadable: decrypted === undefined || exposed,
  };
}
