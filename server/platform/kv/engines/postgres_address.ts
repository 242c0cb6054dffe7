import type postgres from "postgres";
import { addressParts } from "../address.ts";

/** How to connect to the servers of an address. */
export interface PostgresAddress {
  /** The address for the library, which would send unknown parameters to the server. Its host is not the database's. */
  readonly url: string;
  /** How many connections to keep open at most. */
  readonly connections: number;
  /** The servers, which are tried in this order; one folder if it is that of a local socket. */
  readonly host: string | string[];
  /** The port of each server. */
  readonly port: number | number[];
  readonly tls: NonNullable<postgres.Options<Record<never, never>>["ssl"]>;
}

/** The variables of PostgreSQL that say where the server is, if the address does not. */
export interface PostgresVariables {
  readonly PGHOST?: string | undefined;
  readonly PGPORT?: string | undefined;
}

/** Some for the operations under way, and the rest for reads. */
const CONNECTIONS = 12;
const PORT = 5432;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;
const MALFORMED =
  "its address is malformed: in the user and the password, write %40 for @, %3A for :, %2F for /, " +
  "%3F for ?, %23 for # and %25 for %";

/**
 * Returns how to connect. Connections to other machines are encrypted, and the server's certificate must be valid for its
 * name, unless `sslmode=require` says that any certificate will do.
 *
 * @param address such as `postgres://user:password@host/name?connections=5`, with `%2Fpath` as the host for a local
 * socket, or several hosts with commas
 * @param variables count where the address names no host or no port
 * @throws {TypeError} for a malformed address, and for a connection to another machine without encryption. The message
 * contains no password.
 */
export function parsePostgresAddress(address: string, variables: PostgresVariables = {}): PostgresAddress {
  const { user, password, hosts, path, query } = addressParts(address) ?? malformed();
  const parameters = new URLSearchParams(query);
  const connections = Number(parameters.get("connections") ?? CONNECTIONS);
  if (!(Number.isInteger(connections) && connections >= 1)) {
    throw new TypeError("connections must be a whole number from 1");
  }
  const others = query.split("&").filter((parameter) => !/^(connections=|$)/.test(parameter)).join("&");
  const url = `postgres://${credentials(user, password)}localhost${path}${others && `?${others}`}`;
  const parsed = { url: URL.canParse(url) ? url : malformed(), connections, ...serversOf(hosts, variables) };
  const mode = parameters.get("sslmode");
  const isLocal = typeof parsed.host === "string" || parsed.host.every((host) => LOOPBACK.test(host));
  if (typeof parsed.host === "string" || (isLocal && (mode === null || mode === "disable"))) {
    return { ...parsed, tls: false };
  }
  if (mode === "require") return { ...parsed, tls: "require" };
  if (mode === null || mode === "verify-full") return { ...parsed, tls: "verify-full" };
  throw new TypeError(
    `sslmode=${mode} would send data over the network without protection; remove it, or set sslmode=require if the ` +
      "server's certificate is self-signed",
  );
}

function malformed(): never {
  throw new TypeError(MALFORMED);
}

/** Returns user and password so that the library can't mistake a character in them for the end of one. */
function credentials(user: string | undefined, password: string | undefined): string {
  if (user === undefined) return "";
  const name = encodeURIComponent(decoded(user));
  return password === undefined ? `${name}@` : `${name}:${encodeURIComponent(decoded(password))}@`;
}

/** Always names a host: without one, the library would take that of PGHOST, wherever it is. */
function serversOf(
  named: readonly string[],
  { PGHOST, PGPORT }: PostgresVariables,
): Pick<PostgresAddress, "host" | "port"> {
  const hosts = named.join() === "" && PGHOST ? PGHOST.split(",") : named;
  const servers = hosts.map((host) => {
    // In PGHOST, an IPv6 address has no brackets.
    if (/^[^[].*:.*:|^:/.test(host)) return { name: host, port: 0 };
    const [, name = "", port = "0"] = /^(.*?)(?::(\d+))?$/s.exec(host) ?? [];
    if (Number(port) > 65_535) malformed();
    return { name: name.replace(/^\[(.*)\]$/, "$1") || "localhost", port: Number(port) };
  });
  const first = servers[0]!;
  const usual = first.port || Number(PGPORT) || PORT;
  if (/^(%2f|\/)/i.test(first.name)) return { host: decoded(first.name), port: usual };
  return { host: servers.map(({ name }) => name), port: servers.map(({ port }) => port || usual) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A % that encodes nothing.
    return malformed();
  }
}
