import type { SaltSource } from "../../server/operations/keys/key_versions.ts";
import type { Salts } from "../../server/platform/keys/salt_file.ts";

/** Returns salts that are in no file, so that keys can only be changed by hand. */
export function fixedSalts(accepted: Salts["accepted"]): SaltSource {
  return {
    current: () => ({ accepted }),
    hasMoved: () => false,
    stored: () => Promise.resolve(undefined),
    write: () => Promise.reject(new Error("the salt of tests is in no file")),
  };
}
