import { connect, type Connection, type HttpRequest, type HttpResponse } from "./connection.ts";

/**
 * Runs the callers concurrently for `ms`, each one call after the other.
 *
 * @returns completed calls per second
 */
export async function closedLoop(ms: number, callers: readonly (() => Promise<void>)[]): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  await Promise.all(callers.map(async (call) => {
    while (performance.now() < end) {
      await call();
      if (performance.now() < end) done++;
    }
  }));
  return done * 1000 / ms;
}

/** Several keep-alive connections to one server. */
export interface Connections extends Disposable {
  /** Returns a caller for each connection, which sends the next request and checks the status of its response. */
  callers(next: () => HttpRequest, status: number): (() => Promise<void>)[];
}

export async function openConnections(url: string, count: number): Promise<Connections> {
  const open = await Promise.all(Array.from({ length: count }, () => connect(url)));
  return {
    callers: (next, status) => open.map((connection) => () => sendExpecting(connection, next(), status)),
    [Symbol.dispose]: () => open.forEach((connection) => connection.close()),
  };
}

async function sendExpecting(connection: Connection, request: HttpRequest, status: number): Promise<void> {
  const response: HttpResponse = await connection.send(request);
  if (response.status !== status) {
    throw new Error(`Expected ${status} from ${request.path}, got ${response.status}: ${response.body}`);
  }
}

/** Shorter than the shortest time after which a server closes an unused connection. */
const MOST_IDLE_MS = 1_000;

/** One request of an open loop. Times are Unix milliseconds. */
export interface Sent {
  dueAt: number;
  respondedAt: number;
}

/**
 * Sends requests at a fixed rate, whether or not earlier ones have got their response, as visitors would. Times count from
 * the moment a request was due, so that a server that falls behind can't hide it by slowing down the load.
 */
export async function openLoop(
  { url, perSecond, count, next }: {
    url: string;
    perSecond: number;
    count: number;
    next: () => HttpRequest;
  },
): Promise<Sent[]> {
  const idle: { connection: Connection; since: number }[] = [];
  const start = Date.now();
  /** The server closes a connection that nobody uses, maybe just when it is used again. */
  function closeOld() {
    const old = idle.findIndex(({ since }) => since > Date.now() - MOST_IDLE_MS);
    for (const { connection } of idle.splice(0, old < 0 ? idle.length : old)) connection.close();
  }
  const send = async (dueAt: number): Promise<Sent> => {
    closeOld();
    const connection = idle.pop()?.connection ?? await connect(url);
    await sendExpecting(connection, next(), 200);
    const respondedAt = Date.now();
    idle.push({ connection, since: respondedAt });
    return { dueAt, respondedAt };
  };
  const sent: Promise<Sent>[] = [];
  while (sent.length < count) {
    const due = Math.min(count, Math.floor((Date.now() - start) * perSecond / 1000) + 1);
    while (sent.length < due) sent.push(send(start + sent.length * 1000 / perSecond));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  try {
    return await Promise.all(sent);
  } finally {
    for (const { connection } of idle) connection.close();
  }
}
