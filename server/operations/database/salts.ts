import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { createKeyring, fingerprintOf, type Keyring } from "../../platform/keys/keyring.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import {
  deleteUnreadableSecrets,
  resealSettings,
  unreadableSecrets,
} from "../../settings/store/sealed_settings.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { StartError } from "../../platform/config/start_error.ts";

/** Thrown when the configured salts are not those of the database. The message says which to set. */
export class WrongSalt extends StartError {
  override readonly name = "WrongSalt";
}

/** The salts that a database is used with, as fingerprints (`fingerprintOf`). */
export interface SaltsRow {
  v: 1;
  /** The salt of identifiers that outlive their record (`Keyring.identify`). Never changes. */
  identity: string;
  /** The salt that the last start used for signing and encrypting. */
  current: string;
}

const saltsKey = (): Key<SaltsRow> => typed(keys.salts());

type Salts = readonly [string, ...string[]];

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  /** The current salt, then the earlier ones that are still accepted. */
  salts: Salts;
  /** Defaults to the providers included in cfbe. */
  providers?: ProviderTable;
  /** Called with the paths of the saved secrets that were encrypted again, if there are any. */
  onReseal?: (paths: string[]) => void;
}

/**
 * Opens the keyring of a database. The first start stores the fingerprint of its salt; later starts must be given that
 * salt and the one of the previous start. Secrets that only an earlier salt decrypts are encrypted with the current one.
 *
 * @throws {WrongSalt} when a salt is missing, or no salt decrypts a saved secret
 */
export async function openKeyring(deps: Deps): Promise<Keyring> {
  const fingerprints = deps.salts.map(fingerprintOf);
  const found = await readRow(deps.kv, saltsKey());
  identityIndex(fingerprints, found);
  const [lost] = await unreadableSecrets({ ...deps, keyring: createKeyring(deps.salts) });
  if (lost !== undefined) {
    throw wrongSalt(`The saved secret ${lost} was encrypted with a salt that is not set.`);
  }
  const identity = await cas(deps.kv, { salts: saltsKey() }, ({ salts: { key, value } }) => {
    // Checked again: another process may have started first, with another salt.
    const identity = identityIndex(fingerprints, value);
    const row: SaltsRow = { v: 1, identity: fingerprints[identity]!, current: fingerprints[0]! };
    const known = value?.identity === row.identity && value.current === row.current;
    return { value: identity, write: known ? undefined : (tx) => void tx.set(key, row) };
  }, deps);
  const keyring = createKeyring(deps.salts, deps.salts[identity]);
  const resealed = await resealSettings({ ...deps, keyring });
  if (resealed.length > 0) deps.onReseal?.(resealed);
  return keyring;
}

/** A keyring of a database that may be replaced by a backup under another salt. */
export interface ReopenableKeyring {
  keyring: Keyring;
  /**
   * Opens the keyring again, for the database as it is now.
   *
   * @throws {WrongSalt} like `openKeyring`; the keyring then stays as it is
   */
  reopen(): Promise<void>;
}

/** Returns the keyring that `open` returns now, and after each `reopen`. */
export async function reopenable(open: () => Promise<Keyring>): Promise<ReopenableKeyring> {
  let current = await open();
  return {
    keyring: {
      sign: (...args) => current.sign(...args),
      verify: (...args) => current.verify(...args),
      identify: (...args) => current.identify(...args),
      keysFor: (...args) => current.keysFor(...args),
      fingerprints: () => current.fingerprints(),
    },
    async reopen() {
      current = await open();
    },
  };
}

/** Returns whether a database was created with this salt (`first`), and whether it was last used with it (`current`). */
export async function usesOf(kv: Kv, salt: string): Promise<{ first: boolean; current: boolean }> {
  const found = await readRow(kv, saltsKey());
  const fingerprint = fingerprintOf(salt);
  return { first: found?.identity === fingerprint, current: found?.current === fingerprint };
}

/**
 * Makes a database usable with the given salts although it was used with others. Everything keyed by the others is lost.
 *
 * @returns the paths of saved secrets that were deleted because no given salt decrypts them
 */
export async function adoptSalts(deps: Deps): Promise<string[]> {
  const fingerprints = deps.salts.map(fingerprintOf);
  const keyring = createKeyring(deps.salts);
  const lost = await deleteUnreadableSecrets({ ...deps, keyring });
  const row: SaltsRow = { v: 1, identity: fingerprints.at(-1)!, current: fingerprints[0]! };
  await deps.kv.set(saltsKey(), row);
  await resealSettings({ ...deps, keyring });
  return lost;
}

/** Returns the index of the salt for identifiers; without a row, that of the oldest salt. */
function identityIndex(fingerprints: readonly string[], row: SaltsRow | null): number {
  if (!row) return fingerprints.length - 1;
  const identity = fingerprints.indexOf(row.identity);
  if (identity < 0) throw wrongSalt("The salt that this database was created with is not set.");
  if (!fingerprints.includes(row.current)) {
    throw wrongSalt("The salt that this database was last used with is not set.");
  }
  return identity;
}

function wrongSalt(what: string): WrongSalt {
  return new WrongSalt(
    `${what} Set CFBE_SALT to it, list it in CFBE_SALT_PREVIOUS (with a comma between two salts) if you have a new ` +
      `one, or restore the salt file next to the database. If the salt is lost, \`${cfbeCommand()} salt adopt\` shows the consequences.`,
  );
}
