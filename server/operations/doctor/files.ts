import { dirname } from "node:path";
import { secretPath } from "../../platform/keys/secrets_file.ts";
import { isRemote } from "../../platform/kv/address.ts";
import type { Config } from "../../platform/config/config.ts";
import { type Check, type Finding, finding, type Skipped } from "./finding.ts";

/** Any permission for the file's group or for others. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In a sticky folder, such as `/tmp`, only the owner of a file can replace it. */
const STICKY = 0o1000;

/** Checks that no other user of this machine can read or replace the service's files. */
export const filesCheck: Check = {
  name: "the database, salt and token files are private",
  run: ({ config }) => checkFiles(config),
};

async function checkFiles({ kv }: Config): Promise<Finding[] | Skipped> {
  if (kv === undefined || kv === ":memory:") {
    return { skipped: "No files: the database is in memory or the host's own. To use a file, set CFBE_KV." };
  }
  const remote = isRemote(kv);
  const found = [
    await readable(
      "secrets.salt_mode",
      secretPath(kv, "salt"),
      "Anyone who can read the salt can forge form tokens and signed forms, and decrypt saved secrets.",
    ),
    await readable(
      "secrets.token_mode",
      secretPath(kv, "token"),
      "Anyone who can read the token can use the API.",
    ),
  ];
  if (!remote) {
    const why = "It contains the addresses of all subscribers.";
    for (const end of ["", "-wal", "-shm"]) found.push(await readable("database.mode", `${kv}${end}`, why));
    found.push(await replaceable(dirname(kv)));
  }
  return found.flat();
}

async function readable(id: string, path: string, why: string): Promise<Finding[]> {
  const mode = await modeOf(path);
  if ((mode & OTHERS) === 0) return [];
  const what = `${path} is readable by other users: its mode is ${(mode & 0o777).toString(8)}.`;
  return [finding("error", id, { what, why, todo: `Run: chmod 600 ${path}` })];
}

async function replaceable(folder: string): Promise<Finding[]> {
  const mode = await modeOf(folder);
  if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return [];
  return [finding("error", "database.folder_mode", {
    what: `The folder ${folder} is writable by other users: its mode is ${(mode & 0o777).toString(8)}.`,
    why: "They can replace your database or salt.",
    todo: `Run: chmod 700 ${folder}`,
  })];
}

/** Returns the file's mode, or 0 if there is no such file or no modes on this system. */
async function modeOf(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => null))?.mode ?? 0;
}
