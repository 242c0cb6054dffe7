import { NONCE_MAX_AGE_MS, TOKEN_MAX_AGE_MS } from "../../../shared/limits.ts";

/** The kinds of keys (decision 7). What may happen to a key follows from its kind alone. */
export const KINDS = {
  /** Signs what comes back. A new salt signs from then on, and what an earlier one signed stays valid. */
  signing: { rotates: true },
  /** Encrypts what is stored. A new salt encrypts from then on, and what an earlier one encrypted can be decrypted. */
  sealing: { rotates: true },
  /** Names what outlives a record. It is that of the salt that the database was created with, permanently. */
  identity: { rotates: false },
} as const satisfies Record<string, { rotates: boolean }>;

export type Kind = keyof typeof KINDS;

interface Declaration {
  kind: Kind;
  /** What the key signs or encrypts and people keep, for them to read. */
  what?: string;
  /** After how many milliseconds a signature is refused because of its age; absent if never. */
  openMs?: number;
  /** From what the key is derived, with HKDF; the purpose itself by default. */
  info?: string;
}

/**
 * What each key is used for. There is one key per purpose, so that a signature for one is never valid for another
 * (decision 8).
 */
export const PURPOSES = {
  "cfbe/form-token": { kind: "signing", what: "form tokens", openMs: TOKEN_MAX_AGE_MS },
  "cfbe/challenge": { kind: "signing", what: "challenges of attack mode", openMs: TOKEN_MAX_AGE_MS },
  "cfbe/wp_rest": { kind: "signing", what: "checkout sessions", openMs: NONCE_MAX_AGE_MS },
  "cfbe/form-config": { kind: "signing", what: "signed forms in pages" },
  "cfbe/cart-link": { kind: "signing", what: "links in cart reminders" },
  "cfbe/cart-stop": { kind: "signing", what: "opt-out links in cart reminders" },
  "cfbe/admin-nonce": { kind: "signing", what: "open pages of the admin" },
  "cfbe/admin-device": { kind: "signing", what: "known browsers of users" },
  "cfbe/admin-sign-in": { kind: "signing", what: "sign-ins that wait for a code", openMs: 5 * 60_000 },
  "cfbe/admin-passkey": { kind: "signing", what: "challenges for passkeys", openMs: 5 * 60_000 },
  "cfbe/admin-oidc": { kind: "signing", what: "sign-ins at the identity provider", openMs: 10 * 60_000 },
  "cfbe/purge": { kind: "signing" },
  /** A connected site has a key of its own, from which one per purpose is derived; see `tokens/sites/site_keys.ts`. */
  "cfbe/site": { kind: "signing", what: "keys of connected sites" },
  "cfbe/backup": { kind: "signing", what: "backups" },

  "cfbe/seal": { kind: "sealing" },
  "cfbe/bulk": { kind: "sealing" },
  "cfbe/migration": { kind: "sealing" },
  "cfbe/admin-query": { kind: "sealing" },

  "cfbe/mailbox": { kind: "identity" },
  "cfbe/cart": { kind: "identity" },
  "cfbe/order": { kind: "identity" },
  "cfbe/order-of-site": { kind: "identity" },
  "cfbe/coupon": { kind: "identity" },
  "cfbe/contact": { kind: "identity" },
  "cfbe/subject": { kind: "identity" },
  "cfbe/audit": { kind: "identity" },
  "cfbe/audit-chain": { kind: "identity" },
  "cfbe/admin-credential": { kind: "identity" },
  "cfbe/admin-second-factor": { kind: "identity" },
  "cfbe/fingerprint": { kind: "identity" },
  /** Shows whether a salt finds the once-only markers of a backup. */
  "cfbe/backup-marks": { kind: "identity", info: "cfbe/backup" },
} as const satisfies Record<`cfbe/${string}`, Declaration>;

export type Purpose = keyof typeof PURPOSES;

/** The purposes of a kind. */
export type PurposeOf<K extends Kind> = {
  [P in Purpose]: typeof PURPOSES[P]["kind"] extends K ? P : never;
}[Purpose];

export function declarationOf(purpose: Purpose): Declaration {
  return PURPOSES[purpose];
}

/** Returns the purposes of a kind. */
export function purposesOf<K extends Kind>(kind: K): PurposeOf<K>[] {
  return (Object.keys(PURPOSES) as Purpose[]).filter((purpose): purpose is PurposeOf<K> =>
    PURPOSES[purpose].kind === kind
  );
}
