import type postgres from "postgres";

/** How to connect to the servers of an address. */
export interface PostgresAddress {
  /** The address for the library, which would send unknown parameters to the server. */
  readonly url: string;
  /** How many connections to keep open at most. */
  readonly connections: number;
  /** The folder of a local socket. */
  readonly socket: string | undefined;
  readonly tls: NonNullable<postgres.Options<Record<never, never>>["ssl"]>;
}

/** Some for the operations under way, and the rest for reads. */
const CONNECTIONS = 12;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns whether `CFBE_KV` names a PostgreSQL database. */
export function isPostgres(address: string | undefined): address is string {
  return /^postgres(ql)?:\/\//.test(address ?? "");
}

/**
 * Returns how to connect. Connections to other machines are encrypted, and the server's certificate must be valid for its
 * name, unless `sslmode=require` says that any certificate will do.
 *
 * @param address such as `postgres://user:password@host/name?connections=5`, with `%2Fpath` as the host for a local
 * socket, or several hosts with commas
 * @throws {TypeError} for a connection to another machine without encryption
 */
export function parsePostgresAddress(address: string): PostgresAddress {
  const [, authority = "", query = ""] = /^\w+:\/\/(?:[^@/?]*@)?([^/?]*)[^?]*\??(.*)$/.exec(address) ?? [];
  const url = address.replace(/([?&])connections=[^&]*&?/, "$1").replace(/[?&]$/, "");
  const parameters = new URLSearchParams(query);
  const connections = Number(parameters.get("connections") ?? CONNECTIONS);
  if (!(Number.isInteger(connections) && connections >= 1)) {
    throw new TypeError("connections must be a whole number from 1");
  }
  const parsed = { url, connections, socket: undefined };
  const hosts = authority.split(",").map((host) => host.replace(/:\d+$/, ""));
  if (hosts[0]?.toLowerCase().startsWith("%2f")) {
    return { ...parsed, socket: decodeURIComponent(hosts[0]), tls: false };
  }
  const mode = parameters.get("sslmode");
  const isLocal = hosts.every((host) => host === "" || LOOPBACK.test(host));
  if (isLocal && (mode === null || mode === "disable")) return { ...parsed, tls: false };
  if (mode === "require") return { ...parsed, tls: "require" };
  if (mode === null || mode === "verify-full") return { ...parsed, tls: "verify-full" };
  throw new TypeError(
    `sslmode=${mode} would send data over the network without protection; remove it, or set sslmode=require if the ` +
      "server's certificate is self-signed",
  );
}

/** Returns the address without its password, for messages. */
export function withoutPassword(address: string): string {
  return address.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1:…@").replace(/([?&]password=)[^&]*/, "$1…");
}
