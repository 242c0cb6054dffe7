import assert from "node:assert/strict";
import { cfbe, runningService, withFolder } from "../testing/cli.ts";

Deno.test("a command that finds a service but not its token leaves no salt and no token, which would look like a lost database", () =>
  withFolder(async (env, folder) => {
    const { code, err } = await (async () => {
      await using program = await runningService({ run: false });
      return await cfbe(
        { env: { ...env, ...program.shell, CFBE_SALT: "", CFBE_API_TOKEN: "" } },
        "settings",
        "get",
      );
    })();
    assert.equal(code, 1);
    assert.match(err, /did not prove that it knows the API token.* Set CFBE_API_TOKEN/);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));
