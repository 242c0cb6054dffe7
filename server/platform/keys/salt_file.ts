import { dirname } from "node:path";
import { z } from "zod";
import { ConfigError } from "../config/config.ts";
import { syncFolder } from "../kv/sync_folder.ts";

/** The salts of an installation. */
export interface Salts {
  /** The salt that signs and encrypts, then earlier ones whose signatures and encrypted values are still accepted. */
  accepted: readonly [string, ...string[]];
  /** A revoked salt that only names what outlives a record (`Keyring.identify`); undefined while it is accepted. */
  identity?: string | undefined;
}

/** Returns all salts. The first one signs and encrypts. */
export function allSalts({ accepted, identity }: Salts): [string, ...string[]] {
  return [...accepted, ...(identity === undefined || accepted.includes(identity) ? [] : [identity])];
}

/** Shorter salts could be guessed. */
const MIN_CHARACTERS = 32;

const Stored = z.object({
  v: z.literal(1),
  salts: z.tuple([z.string().min(MIN_CHARACTERS)], z.string().min(MIN_CHARACTERS)),
  identity: z.string().min(MIN_CHARACTERS).optional(),
});

/**
 * Parses the text of a salt file: one salt as it is, or after a rotation `{"v":1,"salts":[newest, …],"identity"}`.
 *
 * @throws {ConfigError} if it is neither
 */
export function parseSalts(text: string): Salts {
  if (!text.startsWith('{"v":')) return { accepted: [text] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Invalid, as reported below.
  }
  const { success, data } = Stored.safeParse(json);
  if (!success) {
    throw new ConfigError(["the salt file next to the database is damaged: restore it from your copy"]);
  }
  return { accepted: data.salts, identity: data.identity };
}

function formatSalts({ accepted, identity }: Salts): string {
  return JSON.stringify({ v: 1, salts: accepted, identity });
}

/** Replaces a salt file. A crash leaves the file before or the one after, on the disk too. */
export async function writeSalts(path: string, salts: Salts): Promise<void> {
  const draft = await Deno.makeTempFile({ dir: dirname(path), prefix: ".salt-" });
  try {
    const file = await Deno.open(draft, { write: true });
    try {
      await Deno.chmod(draft, 0o600);
      const bytes = new TextEncoder().encode(formatSalts(salts));
      for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      await file.sync();
    } finally {
      file.close();
    }
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}
