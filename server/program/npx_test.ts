import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { freePort } from "../../dev/free_port.ts";
import { endOfNpx, type Process } from "./npx.ts";
import { inFolder } from "../../dev/testing/failed_start.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** The command of README.md. */
const COMMAND = /^(npx -y deno@\S+ task start)\b/m.exec(await Deno.readTextFile(`${ROOT}README.md`))![1]!;

const HAS_NPX = (Deno.env.get("PATH") ?? "").split(":").some((folder) => existsSync(`${folder}/npx`));
/** It ends within 5.5 seconds; more on a busy machine. */
const END_MS = 30_000;

Deno.test({
  name: "SIGTERM to the command of README.md ends the server",
  ignore: !HAS_NPX,
  fn: () =>
    inFolder(async (folder) => {
      const port = freePort();
      const [program, ...args] = COMMAND.split(" ");
      const npx = new Deno.Command(program!, {
        args,
        cwd: ROOT,
        env: { PORT: `${port}`, CFBE_KV: `${folder}/cfbe.kv` },
        stdout: "null",
        stderr: "piped",
        // In a group of its own, so that the test can end all of its processes.
        detached: true,
      }).spawn();
      const killAll = () =>
        new Deno.Command("kill", { args: ["-KILL", "--", `-${npx.pid}`], stderr: "null" }).output();
      const late = setTimeout(killAll, END_MS);
      let log = "";
      // Ends with the last process that writes to it.
      for await (const text of npx.stderr.pipeThrough(new TextDecoderStream())) {
        if (!log.includes("server.listening") && (log + text).includes("server.listening")) {
          npx.kill("SIGTERM");
        }
        log += text;
      }
      clearTimeout(late);
      await npx.status;
      assert.match(log, /"event":"server\.stopped"/);
    }),
});

/** Follows a tree of processes: npm, its shell, `deno task` and the server. */
function follow(env: Record<string, string>, more: Record<number, Process> = {}) {
  const processes: Record<number, Process> = {
    1: { name: "init", parent: 0 },
    10: { name: "npm exec deno t", parent: 1 },
    11: { name: "sh", parent: 10 },
    12: { name: "deno", parent: 11 },
    13: { name: "deno", parent: 12 },
    ...more,
  };
  const stop = new AbortController();
  const clock = new ManualClock();
  const end = endOfNpx({ env, pid: 13, clock, stop: stop.signal, read: (pid) => processes[pid] });
  return { processes, stop, clock, end };
}

Deno.test("the server ends within a second after npx or its shell has ended", async () => {
  for (const [orphan, dead] of [[12, 11], [11, 10]] as const) {
    const { processes, clock, end } = follow({ npm_command: "exec" });
    await clock.advance(5_000);
    delete processes[dead];
    processes[orphan]!.parent = 1;
    await clock.advance(1_000);
    assert.equal(await end, "ended");
  }
});

Deno.test("a server that npx has not started, or a process manager that outlives npx, does not end with it", async () => {
  assert.equal(await follow({}).end, "none");
  assert.equal(await follow({ npm_command: "exec" }, { 12: { name: "manager", parent: 1 } }).end, "none");
  const { stop, end } = follow({ npm_command: "exec" });
  stop.abort();
  assert.equal(await end, "none");
});
