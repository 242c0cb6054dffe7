/** The build on Deno Deploy: the commands in deno.json's `deploy` block, with its Deno version, in a checkout. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoOfDeploy } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Copies the tracked files, including uncommitted changes, but nothing installed or built. */
async function checkout(folder: string): Promise<void> {
  const { stdout } = await new Deno.Command("git", { args: ["ls-files", "-z"], cwd: ROOT }).output();
  for (const file of new TextDecoder().decode(stdout).split("\0").filter(Boolean)) {
    await Deno.mkdir(dirname(join(folder, file)), { recursive: true });
    await Deno.copyFile(join(ROOT, file), join(folder, file));
  }
}

/** Returns the installed packages without their versions: `hono`, `@hono/node-server`. */
async function installed(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(folder, "node_modules/.deno")));
  const packages = entries.filter(({ name, isDirectory }) => isDirectory && name !== "node_modules");
  return packages.map(({ name }) => name.slice(0, name.indexOf("@", 1)).replace("+", "/"));
}

/** Returns the packages of a lock file, named the same way. */
async function locked(path: string): Promise<string[]> {
  const { npm } = JSON.parse(await Deno.readTextFile(path));
  return Object.keys(npm).map((name) => name.slice(0, name.indexOf("@", 1)));
}

Deno.test("Deno Deploy's commands build the widget on its Deno and leave only what production needs", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-deploy-" });
  try {
    await checkout(folder);
    const { deploy } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
    const run = async (command: string) => {
      const [program, ...args] = command.split(" ");
      assert.equal(program, "deno");
      const { success, stdout, stderr } = await new Deno.Command(denoOfDeploy, {
        args,
        cwd: folder,
        // The runtime on the path is Deploy's own, for tasks that call `deno`.
        env: {
          PATH: `${dirname(denoOfDeploy)}:${Deno.env.get("PATH")}`,
          CI: "1",
          // A registry behind a certificate authority of the machine's own.
          DENO_TLS_CA_STORE: "mozilla,system",
        },
      }).output();
      assert.ok(success, `${command}\n${new TextDecoder().decode(stderr)}`);
      return new TextDecoder().decode(stdout);
    };
    await run(deploy.install);
    await run(deploy.build);
    assert.ok((await Deno.stat(join(folder, "widget/dist/cfbe.js"))).size > 0);
    await Deno.stat(join(folder, deploy.runtime.entrypoint));
    assert.deepEqual(
      (await installed(folder)).sort(),
      (await locked(join(folder, "production.lock"))).sort(),
    );
    // A start finds every package in place, so that no instance installs anything.
    const version = await run("deno run -A --cached-only server/cli/main.ts --version");
    assert.match(version, /^\d+\.\d+\.\d+$/m);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(join(folder, "deno.json"))).workspace, ["./server"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
