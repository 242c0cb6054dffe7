import { dirname } from "node:path";
import { secretPath } from "../../platform/keys/secrets_file.ts";
import { isRemote } from "../../platform/kv/address.ts";
import type { FileMode, Skipped } from "./values.ts";

/** Returns the modes of the files with secrets and data, and of the folder of the database. */
export async function fileModes(kv: string | undefined): Promise<FileMode[] | Skipped> {
  if (kv === undefined || kv === ":memory:") {
    return { skipped: "No files: the database is in memory or the host's own. To use a file, set CFBE_KV." };
  }
  const paths: Omit<FileMode, "mode">[] = [
    { of: "salt", path: secretPath(kv, "salt") },
    { of: "token", path: secretPath(kv, "token") },
    ...(isRemote(kv) ? [] : [
      ...["", "-wal", "-shm"].map((end) => ({ of: "database" as const, path: `${kv}${end}` })),
      { of: "folder" as const, path: dirname(kv) },
    ]),
  ];
  // No such file, or no modes on this system.
  const modeOf = async (path: string) => (await Deno.stat(path).catch(() => null))?.mode ?? 0;
  return await Promise.all(paths.map(async (file) => ({ ...file, mode: await modeOf(file.path) })));
}
