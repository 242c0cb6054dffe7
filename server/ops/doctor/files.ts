import { dirname } from "node:path";
import { secretPath } from "../../keys/secrets_file.ts";
import { isRemote } from "../../kv/address.ts";
import type { Config } from "../../config.ts";
import { type Check, type Finding, finding } from "./finding.ts";

/** Any right of the file's group or of others. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In such a folder, as `/tmp` is one, files can be replaced by their owner alone. */
const STICKY = 0o1000;

/** Whether anybody else on this machine can read or replace what the service keeps. */
export const filesCheck: Check = {
  name: "the database, its salt and its token are for this user alone",
  look: ({ config }) => look(config),
};

async function look({ kv }: Config): Promise<Finding[] | "skipped"> {
  if (kv === undefined || kv === ":memory:") return "skipped";
  const remote = isRemote(kv);
  const found = [
    await readable(
      "secrets.salt_mode",
      secretPath(kv, "salt"),
      "Whoever reads the salt can forge form tokens and signed forms, and open the sealed secrets.",
    ),
    await readable(
      "secrets.token_mode",
      secretPath(kv, "token"),
      "Whoever reads the token can do everything that the command line can.",
    ),
  ];
  if (!remote) {
    const why = "It holds the addresses of everybody who signed up.";
    for (const end of ["", "-wal", "-shm"]) found.push(await readable("database.mode", `${kv}${end}`, why));
    found.push(await replaceable(dirname(kv)));
  }
  return found.flat();
}

async function readable(id: string, path: string, why: string): Promise<Finding[]> {
  const mode = await modeOf(path);
  if ((mode & OTHERS) === 0) return [];
  const what = `${path} can be read by others: its mode is ${(mode & 0o777).toString(8)}.`;
  return [finding("error", id, { what, why, todo: `Run: chmod 600 ${path}` })];
}

async function replaceable(folder: string): Promise<Finding[]> {
  const mode = await modeOf(folder);
  if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return [];
  return [finding("error", "database.folder_mode", {
    what: `Others can write to the folder ${folder}: its mode is ${(mode & 0o777).toString(8)}.`,
    why: "They can put another database or another salt in the place of yours.",
    todo: `Run: chmod 700 ${folder}`,
  })];
}

/** Returns 0 for what is not there, and on a system without modes. */
async function modeOf(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => null))?.mode ?? 0;
}
