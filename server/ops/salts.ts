import { createHmac } from "node:crypto";
import type { Clock, Random } from "../deps.ts";
import { createKeyring, type Keyring } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { type Key, readRow, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { deleteUnreadableSecrets, resealSettings, unreadableSecrets } from "../settings/sealed_settings.ts";
import type { ProviderTable } from "../provider/module.ts";
import { StartError } from "../start_error.ts";

/** The salts given are not those of the database; the message says which to set. */
export class WrongSalt extends StartError {
  override readonly name = "WrongSalt";
}

/**
 * Which salts a database is used under, as fingerprints: HMACs under a key of their own, which neither reveal a salt nor
 * sign anything.
 */
export interface SaltsRow {
  v: 1;
  /** Of the salt that the names of what outlives its record are made under (`Keyring.identify`); stays. */
  identity: string;
  /** Of the salt that the last start signed and sealed with. */
  current: string;
}

const saltsKey = (): Key<SaltsRow> => typed(keys.salts());

type Salts = readonly [string, ...string[]];

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  /** The salt, then the earlier ones that are accepted. */
  salts: Salts;
  /** Those that come with cfbe unless given. */
  providers?: ProviderTable;
}

/**
 * Opens the keyring that belongs to a database. The first start writes the fingerprint of its salt down; a later one
 * must accept that salt, and the one of the start before. Whatever only an earlier salt opens is sealed anew.
 *
 * @throws {WrongSalt} when a salt is missing, or a saved secret opens with none
 */
export async function openKeyring(deps: Deps): Promise<Keyring> {
  const prints = deps.salts.map(fingerprintOf);
  const found = await readRow(deps.kv, saltsKey());
  identityAmong(prints, found);
  const [lost] = await unreadableSecrets({ ...deps, keyring: createKeyring(deps.salts) });
  if (lost !== undefined) {
    throw wrongSalt(`The saved secret ${lost} was sealed under another salt than those given.`);
  }
  const identity = await cas(deps.kv, { salts: saltsKey() }, ({ salts: { key, value } }) => {
    // Asked again: another process may have started first, under another salt.
    const identity = identityAmong(prints, value);
    const row: SaltsRow = { v: 1, identity: prints[identity]!, current: prints[0]! };
    const known = value?.identity === row.identity && value.current === row.current;
    return { value: identity, write: known ? undefined : (tx) => void tx.set(key, row) };
  }, deps);
  const keyring = createKeyring(deps.salts, identity);
  await resealSettings({ ...deps, keyring });
  return keyring;
}

/**
 * Gives a database over to the salts at hand, although it was used under others. What was keyed by those is lost.
 *
 * @returns the paths of saved secrets that were deleted, for no salt at hand opens them
 */
export async function adoptSalts(deps: Deps): Promise<string[]> {
  const prints = deps.salts.map(fingerprintOf);
  const keyring = createKeyring(deps.salts);
  const lost = await deleteUnreadableSecrets({ ...deps, keyring });
  const row: SaltsRow = { v: 1, identity: prints.at(-1)!, current: prints[0]! };
  await deps.kv.set(saltsKey(), row);
  await resealSettings({ ...deps, keyring });
  return lost;
}

/** Returns the index of the salt that names are made under; without a row, the oldest. */
function identityAmong(prints: readonly string[], row: SaltsRow | null): number {
  if (!row) return prints.length - 1;
  const identity = prints.indexOf(row.identity);
  if (identity < 0) throw wrongSalt("The salt that this database was made under is not among those given.");
  if (!prints.includes(row.current)) {
    throw wrongSalt("The salt that this database was last used under is not among those given.");
  }
  return identity;
}

function wrongSalt(what: string): WrongSalt {
  return new WrongSalt(
    `${what} Set CFBE_SALT to it, or list it in CFBE_SALT_PREVIOUS if you have a new one, or put the file with it ` +
      "back beside the database. If it is lost, `deno task cfbe salt adopt` says what is lost with it.",
  );
}

function fingerprintOf(salt: string): string {
  const key = createKeyring([salt]).keysFor("cfbe/fingerprint")[0]!;
  return createHmac("sha256", key).update("salt").digest("base64url");
}
