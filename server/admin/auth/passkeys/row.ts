import { type Key, typed } from "../../../platform/kv/key.ts";
import { keys } from "../../../platform/kv/keys.ts";

/** A passkey as stored. */
export interface StoredPasskey {
  /** Names it on pages and on the command line: 8 hexadecimal digits. */
  id: string;
  /** The ID that the authenticator has given it, as base64url. It is no secret. */
  webauthnId: string;
  /** COSE key, as base64url. */
  publicKey: string;
  /** What its user calls it. */
  title: string;
  /** The host that it was created for. */
  site: string;
  /** How often the authenticator says that it was used; 0 if it does not count. */
  counter: number;
  transports: string[];
  /** Whether it can be copied to other devices, which never changes. */
  synced: boolean;
  /** Whether it has been copied. */
  backedUp: boolean;
  createdAt: number;
  lastUsedAt?: number;
}

/** The passkeys of a user. */
export interface PasskeysRow {
  v: 1;
  /** What authenticators store for the user: random, as base64url. */
  handle: string;
  /** Whether they are of the user that `CFBE_ADMIN_PASSWORD` creates, and not of a stored one of the same name. */
  fixed: boolean;
  passkeys: StoredPasskey[];
}

/** A row holds 64 KiB, and a passkey takes about 3 of them at most. */
export const MAX_PASSKEYS = 15;

export const passkeysKey = (name: string): Key<PasskeysRow> => typed(keys.adminPasskeys(name));
