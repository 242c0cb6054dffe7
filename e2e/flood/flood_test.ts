/**
 * Half-open connections in front of the real program, with few descriptors: it lives, and visitors beside them are
 * served. `deno task test:flood` sends more of them and prints what visitors had to wait.
 *
 * - `CFBE_TEST_FLOOD_CONNECTIONS`: how many are opened; 600 unless set.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connect } from "node:net";
import { NAMESPACE } from "../../shared/contract.ts";
import { eventually, freePort } from "../program.ts";

const CONNECTIONS = Number(Deno.env.get("CFBE_TEST_FLOOD_CONNECTIONS") ?? 600);
/** Of the program: fewer than the attackers have. */
const DESCRIPTORS = 200;
/** Attackers' connections that are open at once: no more than a test may hold itself. */
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

/** Opens a connection that never ends its headers, from one of 200 addresses of this machine. */
function openHalf(port: number, i: number) {
  const socket = connect({ host: "127.0.0.1", port, localAddress: `127.0.0.${2 + i % 200}` });
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  return socket;
}

/** One visitor's request over a connection of its own; returns how long it took in milliseconds. */
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

Deno.test(`${CONNECTIONS} half-open connections, and ${DESCRIPTORS} descriptors: the program lives and serves visitors`, async () => {
  await using program = await startWithFewDescriptors();
  await eventually("it answers", START_MS, async () => await visit(program.port) !== undefined);

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
