import type { Server } from "node:net";
import type { Log } from "../../deps.ts";

/** How long a connection of our own may wait to be accepted. */
const ACCEPT_MS = 1_000;
const LOOK_EVERY_MS = 20;

interface Options {
  server: Server;
  hostname: string;
  port: number;
  everyMs: number;
  log: Log;
  /** Returns how many connections were accepted since the last call. */
  takeAccepted: () => number;
}

/**
 * Opens the listener again when it has stopped accepting: after an accept that failed for want of a file
 * descriptor, Deno's `node:net` (2.9.6) accepts nothing more and emits no event. If nobody has connected for a
 * while, a connection of our own shows whether anybody could.
 */
export function watchListener({ server, hostname, port, everyMs, log, takeAccepted }: Options) {
  const stopped = new AbortController();
  let looking = Promise.resolve();

  const timer = setInterval(() => {
    looking = looking.then(look).catch((error) => log.error("listener.watch_failed", { error }));
  }, everyMs);

  async function look() {
    if (takeAccepted() > 0 || await accepts() || stopped.signal.aborted) return;
    log.warn("listener.reopened", {
      message: "The listener had stopped accepting connections: raise the limit of open files.",
    });
    if (server.listening) server.close();
    server.listen({ port, host: hostname });
  }

  async function accepts(): Promise<boolean> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ACCEPT_MS);
    let connection: Deno.TcpConn;
    try {
      connection = await Deno.connect({ hostname: reachable(hostname), port, signal: late.signal });
    } catch (error) {
      // The kernel's queue is full of connections that nobody accepts: connecting would take minutes.
      if (late.signal.aborted) return false;
      // Without a descriptor for our own end there is nothing to learn yet.
      return !(error instanceof Deno.errors.ConnectionRefused);
    } finally {
      clearTimeout(timer);
    }
    try {
      for (const end = Date.now() + ACCEPT_MS; Date.now() < end && !stopped.signal.aborted;) {
        if (takeAccepted() > 0) return true;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
      return false;
    } finally {
      connection.close();
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await looking;
    },
  };
}

/** Returns the address at which a process reaches its own listener. */
function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "::" ? "::1" : hostname;
}
