import type { Server } from "node:net";
import type { Log } from "../../deps.ts";

/**
 * For how many turns of the event loop the test connection may wait to be accepted. A time would also pass while the
 * whole process stands still, and end before the connections that arrived meanwhile are accepted.
 */
const TURNS = 50;
const POLL_MS = 20;

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
 * Reopens the listener if it has stopped accepting connections: after an accept fails because no file descriptor is
 * left, Deno's `node:net` (2.9.6) accepts nothing more and emits no event. If nobody connects for `everyMs`, it
 * connects itself to check.
 */
export function watchListener({ server, hostname, port, everyMs, log, takeAccepted }: Options) {
  const stopped = new AbortController();
  let checking = Promise.resolve();

  const timer = setInterval(() => {
    checking = checking.then(check).catch((error) => log.error("listener.watch_failed", { error }));
  }, everyMs);

  async function check() {
    if (takeAccepted() > 0 || await accepts() || stopped.signal.aborted) return;
    log.warn("listener.reopened", {
      message: "The listener had stopped accepting connections: raise the limit of open files.",
    });
    if (server.listening) server.close();
    server.listen({ port, host: hostname });
  }

  async function accepts(): Promise<boolean> {
    const ended = new AbortController();
    let failure: unknown;
    let isAccepted = false;
    const connecting = Deno.connect({ hostname: reachable(hostname), port, signal: ended.signal })
      .catch((error) => void (failure ??= error));
    try {
      for (let turn = 0; turn < TURNS && !stopped.signal.aborted; turn++) {
        isAccepted = takeAccepted() > 0;
        if (isAccepted) return true;
        // If there is no file descriptor for this connection, the check is inconclusive.
        if (failure) return !(failure instanceof Deno.errors.ConnectionRefused);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return false;
    } finally {
      // If the kernel's queue is full of connections that are not accepted, connecting would take minutes. Else it is not
      // aborted: Deno (2.9.6) loses a connection that is aborted just as it is made, and keeps it open.
      if (!isAccepted) ended.abort();
      (await connecting)?.close();
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await checking;
    },
  };
}

/** Returns the address at which a process reaches its own listener. */
function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  return hostname === "::" ? "::1" : hostname;
}
