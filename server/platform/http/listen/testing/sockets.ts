import assert from "node:assert/strict";
import { memoryLog } from "../../../../../dev/testing/memory_log.ts";
import type { ConnectionLimits, ListenOptions } from "../listener.ts";
import { listenNode } from "../node_listener.ts";

/** Deadlines short enough for a test with real sockets and real time. */
export const SHORT: Partial<ConnectionLimits> = {
  headersMs: 200,
  requestMs: 400,
  idleMs: 300,
  stalledMs: 600,
  checkMs: 50,
};
/** How long to wait for a connection that must end. */
export const TIMEOUT_MS = 20_000;
/** A request without the empty line that ends its headers. */
export const HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\n";

/** Runs `test` with a listener, and shuts it down. */
export async function withListener(
  options: Partial<ListenOptions>,
  test: (port: number, shutdown: () => Promise<void>) => Promise<void>,
) {
  const listener = await listenNode({
    port: 0,
    hostname: "127.0.0.1",
    handle: () => new Response("hello"),
    log: memoryLog(),
    isShared: () => false,
    ...options,
  });
  let ended = false;
  const shutdown = async () => {
    if (!ended) await listener.shutdown();
    ended = true;
  };
  try {
    await test(listener.port, shutdown);
  } finally {
    await shutdown();
    // After a response without the whole request, @hono/node-server runs one timer after another.
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Connects and sends text. */
export async function send(port: number, text: string): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Returns everything that arrives until the other side closes the connection. */
export async function untilClosed(connection: Deno.TcpConn): Promise<string> {
  const late = setTimeout(() => connection.close(), TIMEOUT_MS);
  const buffer = new Uint8Array(65_536);
  let text = "";
  try {
    for (let read; (read = await connection.read(buffer)) !== null;) {
      text += new TextDecoder().decode(buffer.subarray(0, read));
    }
  } catch (error) {
    assert.ok(error instanceof Deno.errors.ConnectionReset, `still open after ${TIMEOUT_MS} ms: ${error}`);
  } finally {
    clearTimeout(late);
    try {
      connection.close();
    } catch { /* already closed */ }
  }
  return text;
}

/** Returns the response's body. */
export const get = async (port: number) => await (await fetch(`http://127.0.0.1:${port}/`)).text();
