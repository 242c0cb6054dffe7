import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { systemClock } from "../../../server/platform/deps.ts";
import { eventually } from "../eventually.ts";
import { type Fault, FAULTS } from "./faults.ts";
import {
  BLANK_LINE,
  headBytes,
  html,
  readHead,
  redirect,
  type Seen,
  sound,
  type Whole,
  wholeOf,
} from "./wire.ts";

/** Delay between two bytes of a slow response: 100 bytes take ten seconds. */
const BYTE_MS = 100;
/** A path that this server answers itself, without counting the request. */
const KEEP_OPEN = "/keep-open";

/** A remote system that simulates faults, on real sockets with keep-alive connections. */
export interface Faulty extends AsyncDisposable {
  url: string;
  /**
   * Simulates a fault from now on, for the requests that `which` selects.
   *
   * @returns a promise that resolves as soon as the first of them has it
   */
  fail(fault: Fault, which?: (request: Seen) => boolean): Promise<void>;
  /** Stops simulating faults. */
  recover(): void;
  /** Gives the runtime's `fetch` a connection to reuse. Only on a reused connection does it send a request twice. */
  keepOpen(): Promise<void>;
  /** Requests whose head arrived, including repeated ones. */
  readonly received: Seen[];
  /** Requests that the remote system executed. */
  readonly stored: Seen[];
  /** Number of connections opened since the start, and of those open now. */
  readonly connections: { opened: number; open: number };
  /** Resolves when at most `count` connections are open. */
  drained(count: number): Promise<void>;
}

/**
 * Starts a faulty remote system.
 *
 * @param remote executes a request: the handler of a test double, or `forwardTo`
 */
export async function startFaulty(
  remote: (request: Request) => Response | Promise<Response>,
): Promise<Faulty> {
  const received: Seen[] = [];
  const stored: Seen[] = [];
  const sockets = new Set<Socket>();
  const connections = { opened: 0, open: 0 };
  let wanted: { fault: Fault; which: (request: Seen) => boolean; begins: () => void } | undefined;

  const store = async (seen: Seen, body: Buffer): Promise<Whole> => {
    stored.push(seen);
    const { method, headers } = seen;
    const hasBody = body.length > 0 ? { body: new Uint8Array(body) } : {};
    return await wholeOf(await remote(new Request(url + seen.target, { method, headers, ...hasBody })));
  };

  async function serve(socket: Socket): Promise<void> {
    let buffer = Buffer.alloc(0);
    let closesNext = false;
    const arrived = socket[Symbol.asyncIterator]();
    /** Waits for more bytes. Returns false at the end of the connection. */
    const more = async () => {
      const { done, value } = await arrived.next();
      if (!done) buffer = Buffer.concat([buffer, value]);
      return !done;
    };
    for (;;) {
      while (!buffer.includes(BLANK_LINE)) {
        if (!await more()) return;
        if (closesNext) return void socket.resetAndDestroy();
      }
      const end = buffer.indexOf(BLANK_LINE) + BLANK_LINE.length;
      const seen = readHead(buffer.subarray(0, end - BLANK_LINE.length).toString());
      buffer = buffer.subarray(end);
      if (seen.target === KEEP_OPEN) {
        socket.write(sound({ status: 200, headers: [], body: Buffer.alloc(0) }));
        continue;
      }
      received.push(seen);
      const failing = wanted?.which(seen) ? wanted : undefined;
      const fault = failing?.fault;
      if (fault === "resets before storing") return void socket.resetAndDestroy();
      const half = Math.ceil(seen.bodyBytes / 2);
      while (buffer.length < (fault === "resets while storing" ? half : seen.bodyBytes)) {
        if (!await more()) return;
      }
      if (fault === "resets while storing") return void socket.resetAndDestroy();
      const body = buffer.subarray(0, seen.bodyBytes);
      buffer = buffer.subarray(seen.bodyBytes);
      if (fault === undefined) {
        socket.write(sound(await store(seen, body)));
        continue;
      }
      const whole = FAULTS[fault].stores ? await store(seen, body) : undefined;
      failing?.begins();
      if (await misbehave(socket, fault, whole) === "ends") return;
      closesNext = fault === "closes as the next request comes";
    }
  }

  const server = createServer((socket) => {
    connections.opened++;
    connections.open++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      connections.open--;
      sockets.delete(socket);
    });
    // A connection that the caller closed ends its loop.
    serve(socket).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    fail(fault, which = () => true) {
      const { promise, resolve: begins } = Promise.withResolvers<void>();
      wanted = { fault, which, begins };
      return promise;
    },
    recover: () => void (wanted = undefined),
    async keepOpen() {
      await (await fetch(url + KEEP_OPEN)).body?.cancel();
    },
    received,
    stored,
    connections,
    drained: (count) =>
      eventually(
        `at most ${count} of ${connections.open} connections are open`,
        () => connections.open <= count,
      ),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Simulates a fault. Returns whether the connection is unusable afterward. */
async function misbehave(
  socket: Socket,
  fault: Fault,
  whole: Whole = {
    status: 307,
    headers: [["location", "http://127.0.0.1:9/elsewhere"]],
    body: Buffer.alloc(0),
  },
): Promise<"ends" | "goes on"> {
  const { body } = whole;
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const announced = `content-length: ${body.length}`;
  switch (fault) {
    case "resets before storing":
    case "resets while storing":
    case "resets after storing":
      socket.resetAndDestroy();
      return "ends";
    case "resets during the response":
      socket.write(Buffer.concat([headBytes(whole, announced), half]), () => socket.resetAndDestroy());
      return "ends";
    case "hangs before storing":
    case "hangs after storing":
      await once(socket, "close");
      return "ends";
    case "closes the idle connection":
      socket.end(sound(whole));
      return "ends";
    case "cuts the response off":
      socket.end(Buffer.concat([headBytes(whole, announced), half]));
      return "ends";
    case "never ends its chunks":
      socket.write(headBytes(whole, "transfer-encoding: chunked"));
      socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
      return "goes on";
    case "announces too few bytes":
      socket.write(Buffer.concat([headBytes(whole, `content-length: ${half.length}`), body]));
      return "goes on";
    case "responds with HTML and 200":
    case "responds with HTML and 502":
      socket.write(html(fault.endsWith("200") ? 200 : 502));
      return "goes on";
    case "responds twice":
      socket.write(Buffer.concat([sound(whole), sound(whole)]));
      return "goes on";
    case "sends its head byte by byte":
      await trickle(socket, sound(whole));
      return "goes on";
    case "sends its body byte by byte":
      socket.write(headBytes(whole, announced));
      await trickle(socket, body);
      return "goes on";
    case "closes as the next request comes":
    case "redirects":
      socket.write(sound(whole));
      return "goes on";
    case "redirects after storing":
      socket.write(sound(redirect(303)));
      return "goes on";
  }
}

/** Sends one byte at a time, until the other side closes the connection. */
async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  for (const byte of bytes) {
    if (gone.signal.aborted) return;
    socket.write(Buffer.of(byte));
    await systemClock.sleep(BYTE_MS, gone.signal);
  }
}

/** Returns a handler that forwards requests, with path and headers, to a test double at `origin`. */
export function forwardTo(origin: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = new Headers(request.headers);
    headers.delete("host");
    headers.delete("content-length");
    const body = method === "GET" || method === "HEAD" ? {} : { body: await request.arrayBuffer() };
    return await fetch(origin + pathname + search, { method, headers, redirect: "manual", ...body });
  };
}
