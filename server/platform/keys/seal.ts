import { Buffer } from "node:buffer";
import type { z } from "zod";
import type { Random } from "../deps.ts";
import type { Keyring } from "./keyring.ts";
import type { PurposeOf } from "./purposes.ts";

type Purpose = PurposeOf<"sealing">;

const IV_BYTES = 12;
const MARK = "sealed:1:";

/**
 * Encrypts a secret for the database, so that a leaked backup reveals nothing (contract 2.6).
 *
 * @returns `sealed:1:<base64url of iv and AES-256-GCM ciphertext>`
 */
export async function seal(keyring: Keyring, random: Random, secret: string): Promise<string> {
  return MARK + await encrypt(keyring, random, "cfbe/seal", secret);
}

/**
 * Decrypts what `seal` returned, under any accepted salt.
 *
 * @returns the secret, or undefined if no accepted salt decrypts it: the salt was lost, or the row was changed
 */
export async function unseal(keyring: Keyring, sealed: string): Promise<string | undefined> {
  return (await open(keyring, sealed))?.text;
}

/**
 * Encrypts a sealed secret under the newest salt, unless it already is.
 *
 * @returns the sealed secret, or undefined if no accepted salt decrypts it
 */
export async function reseal(
  keyring: Keyring,
  random: Random,
  sealed: string,
): Promise<string | undefined> {
  const opened = await open(keyring, sealed);
  if (!opened) return undefined;
  return opened.key === 0 ? sealed : await seal(keyring, random, opened.text);
}

/**
 * Returns which key decrypts a value, as an index in `keysFor`: 0 is the newest. Undefined if none does.
 *
 * @param sealed what `seal` returned, or `encrypt` for this purpose
 */
export async function keyOf(keyring: Keyring, purpose: Purpose, sealed: string): Promise<number | undefined> {
  const text = sealed.startsWith(MARK) ? sealed.slice(MARK.length) : sealed;
  return (await decryptWith(keyring, purpose, text))?.key;
}

function open(keyring: Keyring, sealed: string): Promise<Opened | undefined> {
  if (!sealed.startsWith(MARK)) return Promise.resolve(undefined);
  return decryptWith(keyring, "cfbe/seal", sealed.slice(MARK.length));
}

/** Returns iv and AES-256-GCM ciphertext under the purpose's newest key, as base64url without padding. */
export async function encrypt(
  keyring: Keyring,
  random: Random,
  purpose: Purpose,
  text: string,
): Promise<string> {
  const iv = random.bytes(IV_BYTES);
  const key = await importKey(keyring.keysFor(purpose)[0]!, "encrypt");
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url");
}

/**
 * Returns the text that was encrypted for this purpose, or undefined if no accepted salt decrypts it. Never
 * throws.
 */
export async function decrypt(
  keyring: Keyring,
  purpose: Purpose,
  encrypted: string,
): Promise<string | undefined> {
  return (await decryptWith(keyring, purpose, encrypted))?.text;
}

/** Returns what encrypts data of this shape as JSON for one purpose, and what decrypts it. */
export function sealedJson<Data>(purpose: Purpose, schema: z.ZodType<Data>) {
  return {
    seal: ({ keyring, random }: { keyring: Keyring; random: Random }, data: Data): Promise<string> =>
      encrypt(keyring, random, purpose, JSON.stringify(data)),
    /** Returns the decrypted data, or undefined if there is none or its salt is no longer listed. */
    async open({ keyring }: { keyring: Keyring }, sealed: string | undefined): Promise<Data | undefined> {
      const text = sealed && await decrypt(keyring, purpose, sealed);
      return text ? schema.safeParse(JSON.parse(text)).data : undefined;
    },
  };
}

interface Opened {
  text: string;
  /** Index of the key that decrypted it; 0 is the newest. */
  key: number;
}

async function decryptWith(
  keyring: Keyring,
  purpose: Purpose,
  encrypted: string,
): Promise<Opened | undefined> {
  const bytes = new Uint8Array(Buffer.from(encrypted, "base64url"));
  const iv = bytes.subarray(0, IV_BYTES);
  for (const [index, raw] of keyring.keysFor(purpose).entries()) {
    try {
      const key = await importKey(raw, "decrypt");
      const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes.subarray(IV_BYTES));
      return { text: new TextDecoder().decode(plain), key: index };
    } catch {
      // Encrypted under another salt: try the next one.
    }
  }
  return undefined;
}

function importKey(raw: Uint8Array<ArrayBuffer>, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, [use]);
}
