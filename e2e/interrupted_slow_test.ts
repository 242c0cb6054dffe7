/** Ctrl-C and SIGTERM during the commands that take long: what they say and leave, and that the next try finishes. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openKv } from "../server/platform/kv/open.ts";
import { insertSampleSignups } from "../server/subscribers/testing/insert_signups.ts";
import { API_TOKEN, runProgram, waitUntil } from "./program.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SALT = "a salt for tests, long enough to be one";
const SOON_MS = 30_000;
/** Enough that no command is over before it is interrupted. */
const SIGNUPS = 500;
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

function command(env: Record<string, string>, ...args: string[]) {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--node-modules-dir=manual", "server/cli/main.ts", ...args],
    cwd: ROOT,
    env: { CFBE_SALT: SALT, CFBE_API_TOKEN: API_TOKEN, NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  });
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

/** Returns when a file or, if it is a database, its log was last written. */
async function writtenAt(path: string): Promise<number> {
  const times = [path, `${path}-wal`].map((each) =>
    Deno.stat(each).then(({ mtime }) => Number(mtime), () => 0)
  );
  return Math.max(...await Promise.all(times));
}

/** Runs a command, ends it with both signals while it writes a file, and then runs it to its end. */
async function interrupt(
  { env, args, file, message, left, ended = () => true }: {
    env: Record<string, string>;
    args: string[];
    /** Is written while the command is at work. */
    file: string;
    message: RegExp;
    /** Whether the file stays. */
    left: boolean;
    /** Returns whether the service has noticed as many interruptions. */
    ended?: (interruptions: number) => boolean;
  },
): Promise<string> {
  for (const [index, signal] of (["SIGINT", "SIGTERM"] as const).entries()) {
    const before = await writtenAt(file);
    const child = command(env, ...args).spawn();
    const output = child.output();
    await waitUntil(`${file} is written`, SOON_MS, async () => await writtenAt(file) > before);
    child.kill(signal);
    const { code, stdout, stderr } = await output;
    assert.equal(code, CODES[signal], textOf(stderr));
    assert.equal(textOf(stdout), "");
    assert.match(textOf(stderr), message, `${signal}: ${textOf(stderr)}`);
    assert.equal(existsSync(file), left);
    await waitUntil("the service has noticed it", SOON_MS, () => ended(index + 1));
  }
  const { code, stdout, stderr } = await command(env, ...args).output();
  assert.equal(code, 0, textOf(stderr));
  return textOf(stdout);
}

Deno.test("a backup, a restore and a move of the database that are interrupted say how to go on, leave nothing half done, and finish when they are run again (runs nine commands)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-interrupted-" });
  try {
    const [kv, backup, restored, moved] = ["cfbe.kv", "a.backup", "restored.kv", "moved.kv"]
      .map((name) => `${folder}/${name}`) as [string, string, string, string];
    const filled = await openKv(kv);
    await insertSampleSignups(filled.kv, { count: SIGNUPS, days: 100, end: Date.now() });
    filled.close();
    await using program = await runProgram({ CFBE_SALT: SALT, CFBE_KV: kv });
    const running = { PORT: new URL(program.baseUrl).port, CFBE_KV: kv };
    await interrupt({
      env: running,
      args: ["backup", backup],
      file: `${backup}.partial`,
      message: /^Interrupted: no backup was written\. Run the command again\.$/,
      left: false,
    });
    const rows = await interrupt({
      env: { PORT: "1", CFBE_KV: restored },
      args: ["restore", backup],
      file: `${restored}.restoring`,
      message: /^Interrupted: the backup is not restored.* Run the command again/,
      left: true,
    });
    assert.match(rows, /rows restored/);
    const done = await interrupt({
      env: running,
      args: ["database", "move", "--yes", "--to", moved],
      file: moved,
      message: /^Interrupted: signups go on\. Run the command again to go on/,
      left: true,
      ended: (count) => program.log().split("database.move_interrupted").length > count,
    });
    assert.match(done, /rows moved to .*moved\.kv/);
    assert.doesNotMatch(program.log(), /"level":"error"/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
