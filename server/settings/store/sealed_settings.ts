import type { Clock, Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { reseal } from "../../platform/keys/seal.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { secretFields } from "../schema/schema.ts";
import { tabKey } from "./tab_rows.ts";

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  /** The built-in providers by default. */
  providers?: ProviderTable | undefined;
}

/** A secret that an admin saved, as stored in the database. */
interface SealedSecret {
  tab: string;
  field: string;
  path: string;
  sealed: string;
  /** Encrypted under the newest salt; undefined if no accepted salt decrypts it. */
  renewed: string | undefined;
}

/** Returns the saved secrets that no accepted salt decrypts, as paths such as `general.apiKey`. */
export async function unreadableSecrets(deps: Deps): Promise<string[]> {
  return (await secretsOf(deps)).filter(({ renewed }) => renewed === undefined).map(({ path }) => path);
}

/** Encrypts every saved secret under the newest salt that only an earlier one decrypts, and returns their paths. */
export async function resealSettings(deps: Deps): Promise<string[]> {
  const old = (await secretsOf(deps)).filter(({ sealed, renewed }) =>
    renewed !== undefined && renewed !== sealed
  );
  for (const secret of old) await replace(deps, secret);
  return old.map(({ path }) => path);
}

/** Deletes the saved secrets that no accepted salt decrypts, and returns their paths. */
export async function deleteUnreadableSecrets(deps: Deps): Promise<string[]> {
  const lost = (await secretsOf(deps)).filter(({ renewed }) => renewed === undefined);
  for (const secret of lost) await replace(deps, secret);
  return lost.map(({ path }) => path);
}

/** Returns the secrets that an admin saved, as stored. `path`: such as `general.apiKey`. */
export async function sealedSettings(
  kv: Kv,
  providers?: ProviderTable,
): Promise<Omit<SealedSecret, "renewed">[]> {
  const found: Omit<SealedSecret, "renewed">[] = [];
  for (const [tab, field] of secretFields(providers)) {
    const sealed = (await readRow(kv, tabKey(tab)))?.fields[field];
    if (typeof sealed === "string" && sealed !== "") {
      found.push({ tab, field, path: `${tab}.${field}`, sealed });
    }
  }
  return found;
}

async function secretsOf({ kv, keyring, random, providers }: Deps): Promise<SealedSecret[]> {
  const found: SealedSecret[] = [];
  for (const secret of await sealedSettings(kv, providers)) {
    found.push({ ...secret, renewed: await reseal(keyring, random, secret.sealed) });
  }
  return found;
}

/** Writes or deletes the secret, unless it was saved again meanwhile. */
async function replace(deps: Deps, { tab, field, sealed, renewed }: SealedSecret): Promise<void> {
  await cas(deps.kv, { saved: tabKey(tab) }, ({ saved: { key, value: row } }) => {
    if (row?.fields[field] !== sealed) return { value: undefined };
    const { [field]: _, ...others } = row.fields;
    const fields = renewed === undefined ? others : { ...others, [field]: renewed };
    return { value: undefined, write: (tx) => void tx.set(key, { ...row, fields }) };
  }, deps);
}
