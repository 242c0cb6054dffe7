import { fileURLToPath } from "node:url";
import { eventually } from "../../../../dev/testing/eventually.ts";

const SCRIPT = fileURLToPath(new URL("./testing/overcommitted.ts", import.meta.url));
const DESCRIPTORS = 80;

/** Starts the script with few descriptors and without permission to read their number, so that its caps don't help. */
function start() {
  const child = new Deno.Command("sh", {
    args: [
      "-c",
      `ulimit -n ${DESCRIPTORS} && exec "$0" run --no-prompt --allow-net --allow-env --frozen "$1"`,
    ]
      .concat(Deno.execPath(), SCRIPT),
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) output += text;
  })();
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await reading;
    },
  };
}

async function responds(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(500) });
    return await response.text() === "hello";
  } catch {
    return false;
  }
}

/** More than the descriptors and the kernel's queue hold together, so that the listener's own connection hangs. */
const BURST = 700;

Deno.test("a process that ran out of file descriptors keeps running, and accepts connections again", async () => {
  await using program = start();
  await eventually("it listens", () => /port \d+/.test(program.output()));
  const port = Number(/port (\d+)/.exec(program.output())![1]);
  const half = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  const cleanUp = new AbortController();
  // One that arrives while the listener opens again is refused.
  const held = Promise.allSettled(Array.from({ length: BURST }, async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port, signal: cleanUp.signal });
    await connection.write(half).catch(() => {});
    return connection;
  }));
  try {
    await eventually(
      "it has opened its listener again",
      () => program.output().includes("listener.reopened"),
    );
    await eventually("it responds", () => responds(port));
  } finally {
    cleanUp.abort();
    for (const result of await held) {
      if (result.status === "fulfilled") result.value.close();
    }
  }
});
