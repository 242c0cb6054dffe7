import type { Keyring } from "../../platform/keys/keyring.ts";
import { keyOf } from "../../platform/keys/seal.ts";
import type { PurposeOf } from "../../platform/keys/purposes.ts";
import { gateOf } from "../../platform/kv/gate.ts";
import { listReadable } from "../../platform/kv/bad_rows.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { sealedSettings } from "../../settings/store/sealed_settings.ts";
import { ORDERS } from "./reseal_orders_job.ts";
import type { OwnerRow } from "../../shops/orders/ledger.ts";
import { bulkRunKey } from "../../subscribers/bulk/run.ts";
import { migrationKey } from "../../subscribers/migration/run.ts";

interface Deps {
  kv: Kv;
  keyring: Keyring;
  providers?: ProviderTable | undefined;
}

/** An encrypted value that is stored. */
interface Sealed {
  /** What it is, for people: those of the same name are counted together. */
  what: string;
  purpose: PurposeOf<"sealing">;
  sealed: string;
}

/** Yields everything that is stored encrypted. */
async function* allSealed({ kv, providers }: Deps): AsyncGenerator<Sealed> {
  for (const { path, sealed } of await sealedSettings(kv, providers)) {
    yield { what: `the setting ${path}`, purpose: "cfbe/seal", sealed };
  }
  const bulk = await readRow(kv, bulkRunKey);
  if (bulk?.work) yield { what: "the running bulk action", purpose: "cfbe/bulk", sealed: bulk.work };
  const migration = await readRow(kv, migrationKey);
  for (const sealed of [migration?.position, migration?.importing]) {
    if (sealed) yield { what: "the running move to another provider", purpose: "cfbe/migration", sealed };
  }
  const { row: move } = gateOf(await kv.get(keys.move()));
  if (move) yield { what: "the move of the database", purpose: "cfbe/seal", sealed: move.sealed };
  for await (const { value } of listReadable<OwnerRow>(kv, { prefix: keys.family("order_owner") })) {
    if (value) yield { what: ORDERS, purpose: "cfbe/seal", sealed: value.sealed };
  }
}

/** Encrypted values of one kind. */
export interface Need {
  what: string;
  count: number;
}

/** Returns what each accepted salt decrypts, in the order of `keyring.fingerprints()`, newest first. */
export async function decryptedBy(deps: Deps): Promise<Need[][]> {
  const found = deps.keyring.fingerprints().map(() => new Map<string, number>());
  for await (const { what, purpose, sealed } of allSealed(deps)) {
    const needs = found[await keyOf(deps.keyring, purpose, sealed) ?? -1];
    needs?.set(what, (needs.get(what) ?? 0) + 1);
  }
  return found.map((needs) => [...needs].map(([what, count]) => ({ what, count })));
}
