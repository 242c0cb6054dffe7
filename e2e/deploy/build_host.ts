/** What Deno Deploy does before it serves: the commands of deno.json's `deploy` block, on its Deno, in a checkout. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoOfDeploy } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Copies what is checked in, as it is now: nothing installed or built comes along. */
async function checkout(folder: string): Promise<void> {
  const { stdout } = await new Deno.Command("git", { args: ["ls-files", "-z"], cwd: ROOT }).output();
  for (const file of new TextDecoder().decode(stdout).split("\0").filter(Boolean)) {
    await Deno.mkdir(dirname(join(folder, file)), { recursive: true });
    await Deno.copyFile(join(ROOT, file), join(folder, file));
  }
}

Deno.test("the commands that Deno Deploy runs install and build the widget on its Deno", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-deploy-" });
  try {
    await checkout(folder);
    const { deploy } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
    for (const command of [deploy.install, deploy.build]) {
      const [program, ...args] = command.split(" ");
      assert.equal(program, "deno");
      const { success, stderr } = await new Deno.Command(denoOfDeploy, {
        args,
        cwd: folder,
        // The runtime on the path is Deploy's own, for tasks that call `deno`.
        env: { PATH: `${dirname(denoOfDeploy)}:${Deno.env.get("PATH")}`, CI: "1" },
      }).output();
      assert.ok(success, `${command}\n${new TextDecoder().decode(stderr)}`);
    }
    assert.ok((await Deno.stat(join(folder, "widget/dist/cfbe.js"))).size > 0);
    await Deno.stat(join(folder, deploy.runtime.entrypoint));
    assert.equal(JSON.parse(await Deno.readTextFile(join(folder, "deno.json"))).workspace, undefined);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
