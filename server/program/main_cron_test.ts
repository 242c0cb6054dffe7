import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort } from "../../dev/free_port.ts";
import { waitUntil } from "../../e2e/program.ts";

/** Tests the real process: what it does at start, and whenever its cron fires. */

const WAIT_MS = 60_000;
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

Deno.test("recurring work runs at the start of the program, and once a minute by its only cron", async () => {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--frozen",
      `--preload=${path("../../dev/testing/cron_on_signal.ts")}`,
      path("../main.ts"),
    ],
    env: {
      PORT: `${freePort()}`,
      CFBE_KV: ":memory:",
      CFBE_SALT: "a salt for tests, long enough to be one",
    },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let ended = false;
  process.status.then(() => ended = true);
  let log = "";
  const reading = (async () => {
    for await (const text of process.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  const logged = (event: string) =>
    log.split("\n").slice(0, -1).filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
      .filter((line) => line.event === event);
  const polled = (times: number) =>
    waitUntil(`poll ${times}`, WAIT_MS, () => logged("poll.done").length === times);
  try {
    await polled(1);
    await waitUntil("it listens", WAIT_MS, () => logged("server.listening").length === 1);
    assert.deepEqual(logged("cron"), [{ event: "cron", name: "cfbe sweep", schedule: "* * * * *" }]);
    process.kill("SIGUSR2");
    await polled(2);
  } finally {
    if (!ended) process.kill("SIGKILL");
    await process.status;
    await reading;
  }
});
