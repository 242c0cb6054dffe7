import type { Config } from "../config.ts";
import type { Keyring } from "../keys/keyring.ts";
import { saltInFile } from "../keys/secrets_file.ts";
import { belongsTo, openKeyring, WrongSalt } from "./salts.ts";

/**
 * Opens the keyring of a database like `openKeyring`, with a clearer error if `CFBE_SALT` hides the right salt, which is in
 * the file next to the database.
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
    if (!(error instanceof WrongSalt) || config.salt === undefined) throw error;
    const file = await saltInFile(config.kv);
    if (!file || !await belongsTo(deps.kv, file.salt)) throw error;
    throw new WrongSalt(
      `CFBE_SALT differs from the salt of this database, which is in ${file.path}. Remove CFBE_SALT to use that one. ` +
        "To switch to the salt in CFBE_SALT, set CFBE_SALT_PREVIOUS to the one in the file.",
    );
  }
}
