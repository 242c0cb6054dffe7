import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Log } from "../../deps.ts";
import { ERRORS } from "../errors.ts";
import { normalizeIp } from "../visitor/ip_ranges.ts";
import { limitSubject } from "../visitor/visitor_ip.ts";
import { createConnectionTable } from "./connection_table.ts";
import { descriptorLimit, maxConnections } from "./max_connections.ts";
import { CONNECTION_LIMITS, type Listener, type ListenOptions } from "./listener.ts";
import { malformedResponse, respondToMalformed } from "./malformed.ts";
import { watchListener } from "./watch_listener.ts";

const REPORT_EVERY_MS = 60_000;

/** Replaces a missing or invalid Host in a request's URL, so that the request is handled like any other. */
const NO_HOST = "unknown.invalid";

const NO_STORE = { "Cache-Control": "no-store" };

/** One connection: its peer, its latest request, and how many of its requests have no response yet. */
interface Connection {
  peer: string;
  requests: number;
  latest?: IncomingMessage;
}

/**
 * Listens through `node:http`, because `Deno.serve` has no limits: half-open connections stay open forever, and the
 * process exits when file descriptors run out. It is slower than `Deno.serve`, but still serves many times as many
 * requests per second as the database accepts signups: compare form tokens and signups in docs/performance.md.
 *
 * @throws {Deno.errors.AddrInUse | AddrNotAvailable | PermissionDenied | NotCapable} if it can't listen on the port
 */
export async function listenNode(options: ListenOptions): Promise<Listener> {
  const { hostname, handle, log, isShared } = options;
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const total = maxConnections(limits.total, await descriptorLimit());
  const table = createConnectionTable<Socket>({ total, perIp: limits.perIp });
  const connections = new Map<Socket, Connection>();
  let accepted = 0;
  let capped = 0;
  let closing = false;

  const peerOf = (socket: Socket) => connections.get(socket)?.peer;
  const reply = getRequestListener(
    async (request, { incoming }) =>
      withFastHeaders(await handle(request, peerOf((incoming as IncomingMessage).socket))),
    {
      overrideGlobalObjects: false,
      hostname: NO_HOST,
      // Otherwise the adapter responds itself, without JSON and no-store.
      errorHandler(error) {
        if (error instanceof RequestError) return malformedResponse();
        log.error("request.failed", { error });
        const { status, message } = ERRORS.rejected;
        return Response.json({ success: false, code: "rejected", message }, { status, headers: NO_STORE });
      },
    },
  );
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
  });
  server.timeout = limits.stalledMs;
  // A client may end its side after the request and still wait for the response. Node's types lack this setting.
  Object.assign(server, { httpAllowHalfOpen: true });

  server.on("connection", (socket) => {
    accepted += 1;
    const peer = normalizeIp(socket.remoteAddress ?? "");
    // The client has disconnected already.
    if (peer === undefined) return void socket.destroy();
    const connection: Connection = { peer, requests: 0 };
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      table.remove(socket);
      // The rest of the body will not arrive.
      connection.latest?.destroy(new Error("The client closed the connection"));
    });
    // Nothing can follow. Whoever has sent a whole request may still wait for its response.
    socket.once("end", () => {
      if (connection.requests === 0 || !connection.latest?.complete) socket.destroySoon();
    });
    const full = table.add(socket, isShared(peer) ? undefined : limitSubject(peer));
    if (!full) return;
    capped += 1;
    full.destroy();
  });

  server.on("clientError", respondToMalformed);
  // cfbe is no proxy. Without a listener, `node:http` closes the connection without a response.
  server.on("connect", (_, socket) => respondToMalformed(new Error("CONNECT"), socket as Socket));
  // An expectation may be ignored (RFC 9110). Otherwise `node:http` responds with 417 itself, without JSON and no-store.
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));

  server.on("request", (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket);
    if (!connection) return void socket.destroy();
    connection.requests += 1;
    connection.latest = incoming;
    if (!isHost(incoming.headers.host)) delete incoming.headers.host;
    if (hasBody(incoming)) incoming.once("end", () => table.serve(socket));
    else table.serve(socket);
    outgoing.once("close", () => {
      connection.requests -= 1;
      if (connection.requests > 0) return;
      if (closing || socket.readableEnded) socket.destroySoon();
      else table.wait(socket);
    });
    void reply(incoming, outgoing as ServerResponse);
  });

  const { port } = await opened(server, options);
  server.on("error", (error) => log.error("listener.failed", { error }));
  const watch = watchListener({ server, hostname, port, everyMs: limits.watchMs, log, takeAccepted });
  const report = setInterval(
    () => reportCapped(log, { total, perIp: limits.perIp }, takeCapped()),
    REPORT_EVERY_MS,
  );

  function takeAccepted() {
    const count = accepted;
    accepted = 0;
    return count;
  }
  function takeCapped() {
    const count = capped;
    capped = 0;
    return count;
  }

  return {
    port,
    async shutdown() {
      closing = true;
      clearInterval(report);
      await watch.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const [socket, { requests }] of connections) if (requests === 0) socket.destroy();
      await closed;
    },
  };
}

function isHost(host: string | undefined): boolean {
  return /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/i.test(host ?? "") && URL.canParse(`http://${host}/`);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function reportCapped(log: Log, caps: { total: number; perIp: number }, closed: number) {
  if (closed > 0) log.warn("connection.limit_reached", { closed, ...caps });
}

/**
 * Makes the headers of a response cheaper to iterate. The iterator of Deno 2.9.6 sorts all of them again for each
 * entry, which for a form token took a quarter of the memory that the request allocates.
 */
function withFastHeaders(response: Response): Response {
  const { headers } = response;
  headers[Symbol.iterator] = () => {
    const entries: [string, string][] = [];
    headers.forEach((value, name) => entries.push([name, value]));
    return entries.values();
  };
  return response;
}

/** Opens the server's port. */
async function opened(
  server: ReturnType<typeof createServer>,
  { port, hostname }: ListenOptions,
): Promise<AddressInfo> {
  // If the port is not available, this throws Deno's error; `node:net` may throw its own where no handler catches it.
  Deno.listen({ port, hostname }).close();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: hostname }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}
