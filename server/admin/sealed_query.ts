import type { AdminServices } from "./services.ts";
import { decrypt, encrypt } from "../keys/seal.ts";

/** Fields of the admin's addresses that may hold somebody's e-mail address; `place` is where a page of people ended. */
const PERSONAL = new Set(["q", "place", "email", "whose"]);
/** The one parameter that they travel in. */
const SEALED = "sealed";

/** What is said of a link whose `unread` is true. */
export const UNREAD = "This link does not say any more whom to look for. Search for them again.";

type Sealing = Pick<AdminServices, "keyring" | "random">;
type Fields = Iterable<readonly [string, string]>;

interface OpenedQuery {
  /** What is asked for, with the sealed fields as themselves. */
  query: URLSearchParams;
  /** A person was asked for in a way that can't be read: sealed by another key, tampered with, or in the clear. */
  unread: boolean;
}

/**
 * The query of a link in the admin. Whom it is about is sealed: addresses of pages stay in proxies' logs, browsers'
 * histories and Referers, and no e-mail address is to stay there with them. Empty fields are left out.
 *
 * @returns with its `?`, or "" when nothing is asked for
 */
export async function sealQuery({ keyring, random }: Sealing, fields: Fields): Promise<string> {
  const given = [...fields].filter(([, value]) => value !== "").map(([name, value]) => [name, value]);
  const query = new URLSearchParams(given.filter(([name]) => !PERSONAL.has(name!)));
  const personal = new URLSearchParams(given.filter(([name]) => PERSONAL.has(name!)));
  if (personal.size > 0) {
    query.set(SEALED, await encrypt(keyring, random, "cfbe/admin-query", personal.toString()));
  }
  return query.size > 0 ? `?${query}` : "";
}

/** Read what `sealQuery` made, or whatever else somebody asks for. @param search with or without its `?` */
export async function openQuery({ keyring }: Pick<Sealing, "keyring">, search: string): Promise<OpenedQuery> {
  const asked = new URLSearchParams(search);
  const sealed = asked.get(SEALED);
  const opened = sealed === null ? "" : await decrypt(keyring, "cfbe/admin-query", sealed);
  const readable = [...asked].filter(([name]) => name !== SEALED && !PERSONAL.has(name));
  const exposed = [...asked].some(([name, value]) => PERSONAL.has(name) && value !== "");
  return {
    query: new URLSearchParams([...readable, ...new URLSearchParams(opened)]),
    unread: opened === undefined || exposed,
  };
}
