import type { Log } from "../../deps.ts";

/** A server that accepts connections. */
export interface Listener {
  port: number;
  /** Accepts no more connections, and resolves when every request under way has been answered. */
  shutdown(): Promise<void>;
}

export interface ListenOptions {
  /** 0 takes a free port. */
  port: number;
  hostname: string;
  /** @param peer IP of the other end of the connection; undefined where the host does not say */
  handle: (request: Request, peer: string | undefined) => Response | Promise<Response>;
  log: Log;
  /** Whether many visitors share this peer's IP, as they share a reverse proxy's: no cap per IP then. */
  isShared: (peer: string) => boolean;
  limits?: Partial<ConnectionLimits>;
}

/** What a client may hold open, and for how long. Times are milliseconds. */
export interface ConnectionLimits {
  /** Connections in all, and of one IP (IPv6: of one /64). */
  total: number;
  perIp: number;
  /** From the first byte of a request, or from the start of a connection, to the end of its headers. */
  headersMs: number;
  /** From there to the end of its body. */
  requestMs: number;
  /** Between two requests. Longer than the 60 s for which reverse proxies keep a connection, or both close at once. */
  idleMs: number;
  /** Without a byte in either direction, while an answer is made or read. */
  stalledMs: number;
  /** How often the deadlines are looked at. */
  checkMs: number;
  /** How often the listener is asked whether it still accepts connections. */
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
