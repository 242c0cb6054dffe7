import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { freePort } from "../e2e/program.ts";

/** The real process by itself: what it does at its start, and whenever its cron fires. */

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

Deno.test("recurring work runs at the start of the program, and by its only cron, once a minute", async () => {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", `--preload=${path("./testing/cron_on_signal.ts")}`, path("./main.ts")],
    env: { PORT: `${freePort()}`, CFBE_KV: ":memory:", CFBE_SALT: "a salt for tests, long enough to be one" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const lines = process.stderr.pipeThrough(new TextDecoderStream()).values();
  const seen: Record<string, unknown>[] = [];
  let rest = "";
  /** Reads on until the log has so many lines of an event; the runner of the tests ends a wait in vain. */
  const until = async (event: string, count: number) => {
    while (seen.filter((line) => line["event"] === event).length < count) {
      const { done, value } = await lines.next();
      assert.ok(!done, `the program ended before "${event}": ${JSON.stringify(seen)}`);
      const parts = (rest + value).split("\n");
      rest = parts.pop()!;
      seen.push(...parts.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)));
    }
  };
  try {
    await until("poll", 1);
    await until("listening", 1);
    const crons = seen.filter(({ event }) => event === "cron");
    assert.deepEqual(crons, [{ event: "cron", name: "cfbe sweep", schedule: "* * * * *" }]);
    process.kill("SIGUSR2");
    await until("poll", 2);
  } finally {
    // Unless it has ended by itself.
    try {
      process.kill("SIGTERM");
    } catch { /* It has. */ }
    await lines.return?.();
    await process.status;
  }
});
