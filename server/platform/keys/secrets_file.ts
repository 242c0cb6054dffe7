import { exists, isMissing } from "../kv/missing_file.ts";
import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import type { Random } from "../deps.ts";
import { isRemote } from "../kv/address.ts";
import { causeOf, databaseText } from "../kv/trouble.ts";
import { StartError } from "../config/start_error.ts";
import { parseSalts, type Salts } from "./salt_file.ts";

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;
type Secret = "salt" | "token";
/** What to do about a truncated file. What is in a database needs its salt. */
const TRUNCATED = {
  salt:
    "restore it from your copy. If there is none, move the file to another folder and start cfbe: a new database gets " +
    "a new salt, and for any other, the message says how to go on",
  token: "restore it, or delete it to create a new one",
} satisfies Record<Secret, string>;
const VARIABLES = { salt: "CFBE_SALT", token: "CFBE_API_TOKEN" } as const;

/**
 * Returns the salts and the API token from the environment, or from files next to the database that the first
 * start creates.
 */
export async function loadSecrets(
  config: Config,
  random: Random,
): Promise<{ salts: Salts; apiToken: string }> {
  return {
    salts: saltsFrom(config, config.salt ?? await storedSecret(config.kv, "salt", random)),
    apiToken: config.apiToken ?? await storedSecret(config.kv, "token", random),
  };
}

/** Returns the salts in the file next to the database, with the file's path; undefined if there is none to read. */
export async function saltsInFile(
  kv: string | undefined,
): Promise<{ path: string; salts: Salts } | undefined> {
  if (kv === undefined || kv === ":memory:") return undefined;
  const path = secretPath(kv, "salt");
  const text = (await Deno.readTextFile(path).catch(() => "")).trim();
  return text === "" ? undefined : { path, salts: parseSalts(text) };
}

/** Returns the salts of an installation; undefined if it has none yet. Creates no file. */
export async function existingSalts(config: Config): Promise<Salts | undefined> {
  if (config.salt !== undefined) return saltsFrom(config, config.salt);
  const file = await saltsInFile(config.kv);
  return file && merged(config, file.salts);
}

/** Returns the API token of an installation; undefined if it has none yet. Creates no file. */
export async function existingToken({ apiToken, kv }: Config, random: Random): Promise<string | undefined> {
  if (apiToken !== undefined) return apiToken;
  if (kv === undefined || kv === ":memory:" || await isMissing(secretPath(kv, "token"))) return undefined;
  return await storedSecret(kv, "token", random);
}

/** @param text the value of `CFBE_SALT`, or the text of the file */
function saltsFrom(config: Config, text: string): Salts {
  return merged(config, config.salt === undefined ? parseSalts(text) : { accepted: [text] });
}

/** Adds the earlier salts that variables list. */
function merged({ previousSalts, identitySalt }: Config, { accepted, identity }: Salts): Salts {
  const [first, ...others] = new Set([...accepted, ...previousSalts]);
  return { accepted: [first!, ...others], identity: identitySalt ?? identity };
}

/**
 * Returns the path of a secret's file. It is next to the database and never inside, so that a leaked backup cannot be
 * used to forge signatures. For a database on a server it is in the data folder of this machine.
 */
export function secretPath(kv: string, name: Secret): string {
  return `${isRemote(kv) ? "data/remote" : kv}.${name}`;
}

/**
 * Copies secrets that are in files next to a database to where another database needs them.
 *
 * @returns the paths of the copies
 * @throws {StartError} if another secret is there
 */
export async function copySecrets(from: string, to: string, names: readonly Secret[]): Promise<string[]> {
  const copied: string[] = [];
  for (const name of names) {
    const [source, path] = [secretPath(from, name), secretPath(to, name)];
    if (source === path || !await exists(source)) continue;
    const secret = (await Deno.readTextFile(source)).trim();
    // Not timing-sensitive: both are in files of this machine.
    if (await readOrCreate(path, name, () => secret) !== secret) {
      throw new StartError(
        `${path} contains another secret than ${source}. Move it to another folder, or set ${
          VARIABLES[name]
        }.`,
      );
    }
    copied.push(path);
  }
  return copied;
}

async function storedSecret(kv: string | undefined, name: Secret, random: Random): Promise<string> {
  const generate = () => Buffer.from(random.bytes(SECRET_BYTES)).toString("base64url");
  // Without a database file there is no folder, so the secret lasts as long as this process.
  if (kv === undefined || kv === ":memory:") return generate();
  const path = secretPath(kv, name);
  try {
    return await readOrCreate(path, name, generate);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const cause = causeOf(error);
    const advice = cause === "full" || cause === "read_only"
      ? databaseText({ cause, reason: why }, path, { ended: true }).todo
      : `Make the user that runs cfbe its owner, or set ${VARIABLES[name]}.`;
    throw new StartError(`The file ${path} can't be read or created: ${why}. ${advice}`);
  }
}

async function readOrCreate(path: string, name: Secret, generate: () => string): Promise<string> {
  // A disk that is full or read-only must not keep anyone from using the secret that is there.
  if (!await exists(path)) await create(path, generate);
  // A copy or a restore may have made it readable for others. If another user owns it, `doctor` reports that.
  await Deno.chmod(path, OWNER_ONLY).catch(() => {});
  const secret = (await Deno.readTextFile(path)).trim();
  // A truncated file would make every signature guessable.
  if (secret.length < SECRET_BYTES) {
    throw new ConfigError([`${path} has fewer than ${SECRET_BYTES} characters: ${TRUNCATED[name]}`]);
  }
  return secret;
}

async function create(path: string, generate: () => string): Promise<void> {
  await Deno.mkdir(dirname(path), {
    recursive: true,
    mode: 0o700,
  });
  // The complete file is linked into place, so that a crash leaves no partial secret.
  const draft = await Deno.makeTempFile({ dir: dirname(path), prefix: `.${name}-` });
  try {
    await Deno.writeTextFile(draft, generate(), { mode: OWNER_ONLY });
    await Deno.link(draft, path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  } finally {
    await Deno.remove(draft);
  }
}
