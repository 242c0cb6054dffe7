import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { createKeyring, fingerprintOf, type Keyring } from "../../platform/keys/keyring.ts";
import { allSalts, type Salts } from "../../platform/keys/salt_file.ts";
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
  /** Since when each was used for that, Unix milliseconds. Missing for those of earlier versions. */
  since?: Record<string, number>;
}

export const saltsKey = (): Key<SaltsRow> => typed(keys.salts());

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
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
  const { kv, clock, salts: { accepted } } = deps;
  const current = fingerprintOf(accepted[0]);
  identityOf(deps.salts, await readRow(kv, saltsKey()));
  const [lost] = await unreadableSecrets({ ...deps, keyring: createKeyring(accepted) });
  if (lost !== undefined) {
    throw wrongSalt(`The saved secret ${lost} was encrypted with a salt that is not set.`);
  }
  const identity = await cas(kv, { salts: saltsKey() }, ({ salts: { key, value } }) => {
    // Checked again: another process may have started first, with another salt.
    const identity = identityOf(deps.salts, value);
    const named = fingerprintOf(identity);
    if (value?.identity === named && value.current === current) return { value: identity };
    const row: SaltsRow = { v: 1, identity: named, current, since: sinceOf(value, current, clock.now()) };
    return { value: identity, write: (tx) => void tx.set(key, row) };
  }, deps);
  const keyring = createKeyring(accepted, identity);
  const resealed = await resealSettings({ ...deps, keyring });
  if (resealed.length > 0) deps.onReseal?.(resealed);
  return keyring;
}

/** Returns since when each salt was used. One that is used again keeps its time. */
function sinceOf(row: SaltsRow | null, current: string, now: number): Record<string, number> {
  return { [current]: now, ...row?.since };
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
  /** Uses another keyring of the same database until it is opened again. */
  use(keyring: Keyring): void;
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
      siteKeys: (...args) => current.siteKeys(...args),
      fingerprints: () => current.fingerprints(),
      get generation() {
        return current.generation;
      },
    },
    async reopen() {
      current = await open();
    },
    use(keyring) {
      current = keyring;
    },
  };
}

/** Returns whether a database was created with one of these salts (`first`), and was last used with one (`current`). */
export async function usesOf(kv: Kv, ...salts: string[]): Promise<{ first: boolean; current: boolean }> {
  const found = await readRow(kv, saltsKey());
  const has = (fingerprint?: string) => salts.some((salt) => fingerprintOf(salt) === fingerprint);
  return { first: has(found?.identity), current: has(found?.current) };
}

/**
 * Makes a database usable with the given salts although it was used with others. Everything keyed by the others is lost.
 *
 * @returns the paths of saved secrets that were deleted because no given salt decrypts them
 */
export async function adoptSalts(deps: Deps): Promise<string[]> {
  const { kv, clock, salts } = deps;
  const keyring = createKeyring(salts.accepted);
  const lost = await deleteUnreadableSecrets({ ...deps, keyring });
  const found = await readRow(kv, saltsKey());
  const named = allSalts(salts).map(fingerprintOf);
  // Names of a salt that is still there are kept.
  const identity = found && named.includes(found.identity) ? found.identity : fingerprintOf(firstOf(salts));
  const current = named[0]!;
  const row: SaltsRow = { v: 1, identity, current, since: sinceOf(found, current, clock.now()) };
  await kv.set(saltsKey(), row);
  await resealSettings({ ...deps, keyring });
  return lost;
}

/** Returns the salt of a new database's identifiers: the oldest. */
function firstOf({ accepted, identity }: Salts): string {
  return identity ?? accepted.at(-1)!;
}

/**
 * Returns the salt of a database's identifiers; without a row, the oldest salt.
 *
 * @throws {WrongSalt} if a salt of the database is missing
 */
function identityOf(salts: Salts, row: SaltsRow | null): string {
  if (!row) return firstOf(salts);
  const identity = allSalts(salts).find((salt) => fingerprintOf(salt) === row.identity);
  if (identity === undefined) throw wrongSalt("The salt that this database was created with is not set.");
  if (!salts.accepted.some((salt) => fingerprintOf(salt) === row.current)) {
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
