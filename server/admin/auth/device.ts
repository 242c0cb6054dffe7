import { Buffer } from "node:buffer";
import type { Random } from "../../deps.ts";
import type { Keyring } from "../../keys/keyring.ts";

/**
 * A browser in which a user has signed in before. What strangers try under a name counts for all of them together; a
 * browser that is known has attempts of its own, so that nobody can keep an admin out by guessing at their name. It
 * opens nothing: whoever steals it may guess as often as any stranger.
 */

const ID_BYTES = 16;

/** @returns what the browser is to keep: `<id>.<signature>`, good for this name alone */
export function newDevice(keyring: Keyring, random: Random, name: string): string {
  const id = Buffer.from(random.bytes(ID_BYTES)).toString("base64url");
  return `${id}.${keyring.sign("cfbe/admin-device", text(name, id))}`;
}

/** @returns the id of a browser that is known for this name, or undefined */
export function deviceOf(keyring: Keyring, name: string, kept: string | undefined): string | undefined {
  const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(kept ?? "") ?? [];
  if (id === undefined || signature === undefined) return undefined;
  return keyring.verify("cfbe/admin-device", text(name, id), signature) ? id : undefined;
}

const text = (name: string, id: string) => `${id} ${name}`;
