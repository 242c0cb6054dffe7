import assert from "node:assert/strict";
import { cfbe, withFolder } from "../testing/cli.ts";
import { backupNotRead } from "./backup_not_read.ts";

Deno.test("a backup that the user may not read is named with what to do, instead of a stack trace", () => {
  const error = new Deno.errors.PermissionDenied("Permission denied (os error 13): open '/root/x.backup'");
  const { message } = backupNotRead("/root/x.backup", error);
  assert.match(
    message,
    /^\/root\/x\.backup cannot be read: the user that runs this command may not read it\. /,
  );
  assert.match(message, /Copy it to a folder .* such as \/var\/lib\/cfbe, /);
  assert.doesNotMatch(message, /os error/);
});

Deno.test("a backup that can't be opened is an error of one line, for a restore and for a check", () =>
  withFolder(async (env, folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const path = `${folder}/file/x.backup`;
    for (const command of [["backup", "verify"], ["restore"]]) {
      const { code, err } = await cfbe({ env }, ...command, path);
      assert.deepEqual([code, err.split("\n").length], [1, 1], err);
      assert.ok(err.startsWith(`${path} cannot be read: `), err);
    }
  }));
