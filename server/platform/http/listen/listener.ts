import type { Log } from "../../deps.ts";

/** A server that accepts connections. */
export interface Listener {
  port: number;
  /** Stops accepting connections, and resolves when every request in progress has its response. */
  shutdown(): Promise<void>;
}

export interface ListenOptions {
  /** 0 chooses a free port. */
  port: number;
  hostname: string;
  /** @param peer IP of the other end of the connection; undefined if the host does not pass it on */
  handle: (request: Request, peer: string | undefined) => Response | Promise<Response>;
  log: Log;
  /** Returns whether many visitors share this peer's IP, as behind a reverse proxy. It then has no cap per IP. */
  isShared: (peer: string) => boolean;
  limits?: Partial<ConnectionLimits>;
}

/** Limits and deadlines of connections. Times are milliseconds. */
export interface ConnectionLimits {
  /** Connections in total, and per IP (IPv6: per /64). */
  total: number;
  perIp: number;
  /** From the first byte of a request, or from the start of a connection, to the end of its headers. */
  headersMs: number;
  /** From the end of the headers to the end of the body. */
  requestMs: number;
  /** Between two requests. Longer than the 60 s of common reverse proxies, so that the proxy closes first. */
  idleMs: number;
  /** Without a byte in either direction, while a response is created or read. */
  stalledMs: number;
  /** Interval between checks of the deadlines. */
  checkMs: number;
  /** Interval between checks that the listener still accepts connections. */
  watchMs: number;
}

const SECOND = 1000;

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 4_000,
  perIp: 100,
  headersMs: 10 * SECOND,
  requestMs: 20 * SECOND,
  idleMs: 75 * SECOND,
  stalledMs: 120 * SECOND,
  checkMs: SECOND,
  watchMs: 2 * SECOND,
};
