const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Returns whether `CFBE_KV` names a database that several processes can share: a KV Connect server, PostgreSQL or, if undefined,
 * the database that Deno Deploy assigned. A server of a kind that cfbe does not know is not a file either.
 */
export function isRemote(address: string | undefined): boolean {
  return address === undefined || SCHEME.test(address);
}

/** Returns whether `CFBE_KV` names a PostgreSQL database. */
export function isPostgres(address: string | undefined): address is string {
  return /^postgres(ql)?:\/\//.test(address ?? "");
}

/** The parts of the address of a server, as they are written there. */
export interface AddressParts {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Names or addresses, with or without a port. */
  readonly hosts: readonly string[];
  /** Starts with a slash, unless it is empty. */
  readonly path: string;
  readonly query: string;
}

/** The password ends at the last `@`, as everywhere, so that one in it needs no encoding. */
const PARTS =
  /^[a-z][a-z\d+.-]*:\/\/(?:(?<user>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hosts>[^@/?#]*)(?<path>\/[^@?#]*)?(?:\?(?<query>[^#]*))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]\s]*)(:\d{0,5})?$/i;

/** Returns the parts of the address of a server; undefined if it can't be told where its password ends. */
export function addressParts(address: string): AddressParts | undefined {
  const found = PARTS.exec(address)?.groups;
  if (!found) return undefined;
  const { user, password, path = "", query = "" } = found;
  const hosts = found.hosts!.split(",");
  // A question mark of the password would leave such a parameter.
  const isPassword = (parameter: string) => parameter.includes("@") && !parameter.includes("=");
  if (!hosts.every((host) => HOST.test(host)) || query.split("&").some(isPassword)) return undefined;
  return { user, password, hosts, path, query };
}

/** Parameters whose values are no secrets. */
const SHOWN = new Set(["sslmode", "connections", "target_session_attrs", "application_name", "user"]);

/**
 * Returns the address of a database without its password, for messages. If an address can't be told from its password,
 * only its scheme is left. A file is as it was.
 */
export function withoutPassword(address: string): string {
  const scheme = SCHEME.exec(address)?.[0];
  if (scheme === undefined) return address;
  const parts = addressParts(address);
  // An @ in a parameter may also be the one after a password.
  if (!parts || parts.query.includes("@")) return `${scheme}…`;
  const { user, password, hosts, path, query } = parts;
  const shownUser = isPostgres(address) ? user : "…";
  const before = user === undefined ? "" : `${shownUser}${password === undefined ? "" : ":…"}@`;
  const shown = query.split("&").map((parameter) => {
    const [name, value] = parameter.split("=");
    return value === undefined || SHOWN.has(name!) ? parameter : `${name}=…`;
  });
  return `${scheme}${before}${hosts.join()}${path}${query === "" ? "" : `?${shown.join("&")}`}`;
}
