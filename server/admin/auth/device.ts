import { Buffer } from "node:buffer";
import type { Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";

/**
 * Known browsers: those in which a user has signed in before. Failed attempts from unknown browsers count together per
 * name, but a known browser has its own limit, so that guessing cannot lock an admin out. The cookie grants no access: a
 * thief gets only the same number of guesses.
 */

const ID_BYTES = 16;

/** Returns a cookie value for a known browser: `<id>.<signature>`, valid for this name only. */
export function newDevice(keyring: Keyring, random: Random, name: string): string {
  const id = Buffer.from(random.bytes(ID_BYTES)).toString("base64url");
  return `${id}.${keyring.sign("cfbe/admin-device", text(name, id))}`;
}

/** Returns the ID of a browser that is known for this name, or undefined. */
export function deviceOf(keyring: Keyring, name: string, cookie: string | undefined): string | undefined {
  const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (id === undefined || signature === undefined) return undefined;
  return keyring.verify("cfbe/admin-device", text(name, id), signature) ? id : undefined;
}

const text = (name: string, id: string) => `${id} ${name}`;
