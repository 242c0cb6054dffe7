/**
 * Many half-open connections to the real server, which has few file descriptors. It keeps running and serves visitors.
 *
 * - `CFBE_TEST_FLOOD_CONNECTIONS`: how many connections are opened; 600 by default, 10,000 with `deno task test:flood`.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connect } from "node:net";
import { NAMESPACE } from "../../shared/contract.ts";
import { freePort } from "../../dev/free_port.ts";
import { waitUntil } from "../program.ts";
import { testSize } from "../../dev/testing/test_size.ts";

const CONNECTIONS = testSize("CFBE_TEST_FLOOD_CONNECTIONS", 600);
/** Limit of file descriptors of the server, lower than the number of connections. */
const DESCRIPTORS = 200;
/** Limit of connections that the test holds open at once, because of its own file descriptors. */
const OPEN_AT_ONCE = 1_000;
const BATCH = 50;
const START_MS = 20_000;
const VISIT_MS = 5_000;
const MAIN = fileURLToPath(new URL("../../server/main.ts", import.meta.url));

async function startWithFewDescriptors() {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-flood-" });
  const port = freePort();
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${DESCRIPTORS} && exec "$0" run -A "$1"`, Deno.execPath(), MAIN],
    env: { PORT: `${port}`, CFBE_KV: `${folder}/cfbe.kv` },
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  child.status.then(() => ended = true);
  return {
    port,
    ended: () => ended,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Opens a connection that never completes its headers, from one of 200 loopback addresses. */
function openHalf(port: number, i: number) {
  const socket = connect({ host: "127.0.0.1", port, localAddress: `127.0.0.${2 + i % 200}` });
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  return socket;
}

/** Requests a form token over a new connection. Returns the duration in milliseconds, or undefined if it failed. */
async function visit(port: number): Promise<number | undefined> {
  const start = performance.now();
  try {
    const response = await fetch(`http://127.0.0.1:${port}${NAMESPACE}/form-token`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(VISIT_MS),
    });
    const { token } = await response.json();
    return typeof token === "string" ? performance.now() - start : undefined;
  } catch {
    return undefined;
  }
}

Deno.test(`with ${CONNECTIONS} half-open connections and ${DESCRIPTORS} file descriptors, the server keeps running and serves every visitor`, async () => {
  await using program = await startWithFewDescriptors();
  await waitUntil("the server responds", START_MS, async () => await visit(program.port) !== undefined);

  const held: ReturnType<typeof openHalf>[] = [];
  const times: (number | undefined)[] = [];
  for (let opened = 0; opened < CONNECTIONS; opened += BATCH) {
    for (let i = opened; i < opened + BATCH; i += 1) held.push(openHalf(program.port, i));
    for (const old of held.splice(0, Math.max(0, held.length - OPEN_AT_ONCE))) old.destroy();
    times.push(await visit(program.port));
  }
  const served = times.filter((time) => time !== undefined).toSorted((a, b) => a - b);
  const p99 = served[Math.ceil(served.length * 0.99) - 1];
  console.log(`  ${served.length} of ${times.length} visitors served; p99 ${p99?.toFixed(0)} ms`);
  for (const socket of held) socket.destroy();

  assert.equal(program.ended(), false);
  assert.equal(served.length, times.length);
});
