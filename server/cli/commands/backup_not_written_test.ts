import assert from "node:assert/strict";
import { backupNotWritten } from "./backup_not_written.ts";

Deno.test("a backup into a folder that the user may not write says where it can go", () => {
  const error = new Deno.errors.PermissionDenied(
    "Permission denied (os error 13): open '/root/x.backup.partial'",
  );
  const { message } = backupNotWritten("/root/x.backup", error);
  assert.match(message, /^\/root\/x\.backup cannot be written: the user .* may not write to \/root\. /);
  assert.match(message, /such as \/var\/lib\/cfbe, .*cfbe backup - > \/root\/x\.backup`\.$/);
  assert.doesNotMatch(message, /os error|partial/);
});
