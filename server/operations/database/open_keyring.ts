import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { saltsInFile, secretPath } from "../../platform/keys/secrets_file.ts";
import { isRemote } from "../../platform/kv/address.ts";
import { readRow } from "../../platform/kv/key.ts";
import { isMissing } from "../../platform/kv/missing_file.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { openKeyring, saltsKey, usesOf, WrongSalt } from "./salts.ts";

/**
 * Checks, before a start creates a salt, that the database has none yet.
 *
 * @throws {WrongSalt} if it has, so that its salt is lost or on another machine
 */
export async function requireSalt({ kv: address, salt }: Config, kv: Kv): Promise<void> {
  if (salt !== undefined || address === undefined || address === ":memory:") return;
  const path = secretPath(address, "salt");
  if (!await isMissing(path) || !await readRow(kv, saltsKey())) return;
  throw new WrongSalt(
    `The salt that this database was created with is not set, and ${path} does not exist. Put the file back, or set ` +
      `CFBE_SALT to the salt. If it is lost, \`${cfbeCommand()} salt adopt\` shows the consequences.`,
  );
}

/**
 * Opens the keyring of a database like `openKeyring`, with a clearer error if a missing salt is in the file next to the
 * database, or in `CFBE_SALT_PREVIOUS` but not separated by commas.
 *
 * @throws {WrongSalt} when a salt is missing, or no salt decrypts a saved secret
 */
export async function openKeyringOf(
  config: Config,
  deps: Parameters<typeof openKeyring>[0],
): Promise<Keyring> {
  try {
    return await openKeyring(deps);
  } catch (error) {
    if (!(error instanceof WrongSalt)) throw error;
    const message = await separatorAdvice(config, deps.kv) ?? await saltFileAdvice(config, deps.kv);
    throw message === undefined ? error : new WrongSalt(message);
  }
}

/** A salt may contain spaces, so only commas separate salts. */
async function separatorAdvice({ previousSalts }: Config, kv: Kv): Promise<string | undefined> {
  const words = previousSalts.filter((salt) => /\s/.test(salt)).flatMap((salt) => salt.split(/\s+/));
  for (const word of words) {
    const { first, current } = await usesOf(kv, word);
    if (first || current) {
      return "CFBE_SALT_PREVIOUS contains salts without a comma between them. Add the comma.";
    }
  }
  return undefined;
}

async function saltFileAdvice(config: Config, kv: Kv): Promise<string | undefined> {
  const file = await saltsInFile(config.kv);
  if (!file) return undefined;
  if (config.salt === undefined) {
    const { first, current } = await usesOf(kv, ...file.salts.accepted);
    // The salt of a database on a server may be on another machine.
    if (first || current || isRemote(config.kv)) return undefined;
    return `The database ${config.kv} and the salt beside it, ${file.path}, are of different installations: one of ` +
      "them was replaced. Put back the one that belongs to the other. If the database is lost, move its file and those " +
      `that end in -wal and -shm to another folder, and run \`${cfbeCommand()} restore <file>\`. If the salt is lost, ` +
      `\`${cfbeCommand()} salt adopt\` shows the consequences.`;
  }
  // Not timing-sensitive: both salts are the operator's own.
  if ([config.salt, ...config.previousSalts].includes(file.salts.accepted[0])) return undefined;
  const { first, current } = await usesOf(kv, ...file.salts.accepted);
  if (first && current) {
    return `CFBE_SALT differs from the salt of this database, which is in ${file.path}. Remove CFBE_SALT to use that one. ` +
      "To switch to the salt in CFBE_SALT, list the one in the file in CFBE_SALT_PREVIOUS.";
  }
  if (!first && !current) return undefined;
  return `A salt of this database is not set: the one in ${file.path}. Add it to CFBE_SALT_PREVIOUS, with a comma ` +
    "between two salts.";
}
