import { Buffer } from "node:buffer";
import type { Random } from "../../../platform/deps.ts";
import type { Keyring } from "../../../platform/keys/keyring.ts";

/** How long somebody has to create or use a passkey. */
export const CHALLENGE_MS = 5 * 60_000;

/** What a passkey is created or used for. An answer for one purpose is never one for another. */
export type ChallengeAbout =
  | { kind: "sign-in" }
  /** To create one, or to confirm an action. `session` is the ID of the session. */
  | { kind: "add" | "confirm"; session: string };

const NONCE_BYTES = 16;
const TIME_BYTES = 6;

/**
 * Returns what an authenticator signs: random bytes, the time, and a signature, so that asking for one writes nothing. The
 * answer to it works once; see `store.ts`.
 */
export function newChallenge(keyring: Keyring, random: Random, about: ChallengeAbout, now: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(now, 0, TIME_BYTES);
  const start = Buffer.concat([random.bytes(NONCE_BYTES), time]);
  const signature = keyring.sign("cfbe/admin-passkey", signed(start, about));
  return Buffer.concat([start, Buffer.from(signature, "base64url")]).toString("base64url");
}

/** Returns whether a challenge is ours, for this purpose, and less than five minutes old. */
export function isOwnChallenge(
  keyring: Keyring,
  challenge: string,
  about: ChallengeAbout,
  now: number,
): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  const start = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  // Decoding is lenient, and each challenge must have one text, because it is used up under its text.
  if (start.length < NONCE_BYTES + TIME_BYTES || bytes.toString("base64url") !== challenge) return false;
  if (Math.abs(now - start.readUIntBE(NONCE_BYTES, TIME_BYTES)) >= CHALLENGE_MS) return false;
  const signature = bytes.subarray(start.length).toString("base64url");
  return keyring.verify("cfbe/admin-passkey", signed(start, about), signature);
}

function signed(start: Buffer, about: ChallengeAbout): string {
  return [start.toString("base64url"), about.kind, ...("session" in about ? [about.session] : [])].join(" ");
}
