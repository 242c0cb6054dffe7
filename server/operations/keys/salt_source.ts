import type { Config } from "../../platform/config/config.ts";
import type { Random } from "../../platform/deps.ts";
import { createKeyring, type Keyring } from "../../platform/keys/keyring.ts";
import { type Salts, writeSalts } from "../../platform/keys/salt_file.ts";
import { loadSecrets, saltsInFile } from "../../platform/keys/secrets_file.ts";
import { isRemote } from "../../platform/kv/address.ts";
import type { ReopenableKeyring } from "../database/salts.ts";
import type { SaltSource } from "./key_versions.ts";

/**
 * Returns where the salts of a process come from.
 *
 * @param salts those that the process was started with
 * @param opened opens the keyring with the current ones
 * @param hasMoved whether the process uses another database than `config.kv`
 */
export function createSaltSource({ config, random, salts, opened, hasMoved }: {
  config: Config;
  random: Random;
  salts: Salts;
  opened: () => ReopenableKeyring;
  hasMoved: () => boolean;
}): SaltSource {
  let current = salts;
  const fromFile = () => config.salt === undefined && !isRemote(config.kv);

  /** Accepts all salts before and after a change, until the keyring of the new ones is open. */
  function both(next: Salts): Keyring {
    const { keyring } = opened();
    const accepted = [...new Set([...current.accepted, ...next.accepted])] as [string, ...string[]];
    const all = [...accepted, ...[current.identity, next.identity].filter((salt) => salt !== undefined)];
    const name = keyring.identify("cfbe/fingerprint", "salt");
    const identity = all.find((salt) => createKeyring([salt]).identify("cfbe/fingerprint", "salt") === name);
    return createKeyring(accepted, identity);
  }

  return {
    current: () => current,
    hasMoved,
    stored: async () => fromFile() ? (await saltsInFile(config.kv))?.salts : undefined,
    async write(salts) {
      const file = await saltsInFile(config.kv);
      if (!file) throw new Error("there is no salt file");
      await writeSalts(file.path, salts);
      const { salts: next } = await loadSecrets(config, random);
      const before = current;
      // If the database fails now, secrets that are encrypted with either salt can still be decrypted.
      opened().use(both(next));
      current = next;
      await opened().reopen().catch((error) => {
        current = before;
        throw error;
      });
    },
  };
}
