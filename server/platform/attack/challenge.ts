import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import type { FormChallenge } from "../../../shared/contract.ts";
import { NO_SCRIPT_WAIT_MS, TOKEN_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { Random } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";

/**
 * Proofs that a browser has worked, or a visitor has waited, for a signup. Nothing is stored for a challenge: what was
 * given out is signed. A proof follows its form token after a dot, and belongs to this token.
 *
 * The challenges have the ALTCHA format (https://altcha.org/docs/v1/proof-of-work/): find the number of which the SHA-256
 * of salt and number is the challenge. The salt ends in `&`, so that no digit of the number can move to its parameters.
 */

/** Average number of hashes is half of it: a fifth of a second on a laptop, two seconds on a slow phone. */
const MAX_NUMBER = 300_000;
const ALGORITHM = "SHA-256";
const PURPOSE = "cfbe/challenge";
/** The payload of a solution is some 400 characters long. */
const MOST_CHARACTERS = 1_000;

/** Returns a new challenge for a token. @param now Unix milliseconds */
export function createChallenge(
  { keyring, random }: { keyring: Keyring; random: Pick<Random, "bytes"> },
  token: string,
  now: number,
): FormChallenge {
  const expires = Math.ceil((now + TOKEN_MAX_AGE_MS) / 1000);
  const salt = `${hex(random.bytes(12))}?expires=${expires}&token=${timeOf(token)}&`;
  const number = Buffer.from(random.bytes(4)).readUInt32BE() % (MAX_NUMBER + 1);
  const challenge = hashOf(salt, number);
  const signature = Buffer.from(keyring.sign(PURPOSE, challenge), "base64url").toString("hex");
  return { algorithm: ALGORITHM, challenge, maxnumber: MAX_NUMBER, salt, signature };
}

/** Returns the proof of a page that works without JavaScript: valid with its token, once that is old enough. */
export function createTicket(
  { keyring, random }: { keyring: Keyring; random: Pick<Random, "bytes"> },
  token: string,
): string {
  const id = hex(random.bytes(16));
  return `${id}${keyring.sign(PURPOSE, ticketOf(id, token))}`;
}

/** Splits what a request sends as its token. @param sent of any type */
export function splitToken(sent: unknown): { token: unknown; proof?: string } {
  const [, token, proof] = typeof sent === "string" ? /^([^.]*\.[^.]*)\.(.*)$/s.exec(sent) ?? [] : [];
  return proof === undefined ? { token: sent } : { token, proof };
}

/**
 * Checks a proof.
 *
 * @param token a valid token
 * @param now Unix milliseconds
 * @returns what identifies the proof, so that it is used once: hexadecimal; undefined if it is invalid
 */
export function proofId(keyring: Keyring, token: string, proof: string, now: number): string | undefined {
  const [, ticket, signature] = /^([0-9a-f]{32})([A-Za-z0-9_-]{43})$/.exec(proof) ?? [];
  if (ticket !== undefined) {
    const hasWaited = now - timeOf(token) >= NO_SCRIPT_WAIT_MS;
    return hasWaited && keyring.verify(PURPOSE, ticketOf(ticket, token), signature!) ? ticket : undefined;
  }
  const solution = solutionIn(proof);
  if (!solution) return undefined;
  const { algorithm, challenge, number, salt, signature: signed } = solution;
  const parameters = new URLSearchParams(salt.split("?")[1]);
  const isGenuine = algorithm === ALGORITHM && salt.endsWith("&") && hashOf(salt, number) === challenge &&
    keyring.verify(PURPOSE, challenge, Buffer.from(signed, "hex").toString("base64url"));
  return isGenuine && parameters.get("token") === String(timeOf(token)) &&
      Number(parameters.get("expires")) * 1000 > now
    ? challenge
    : undefined;
}

interface Solution {
  algorithm: string;
  challenge: string;
  number: number;
  salt: string;
  signature: string;
}

/** Reads a solution: Base64 of JSON. Other members, such as the time that it took, are ignored. */
function solutionIn(proof: string): Solution | undefined {
  if (proof.length > MOST_CHARACTERS) return undefined;
  try {
    const read = JSON.parse(Buffer.from(proof, "base64").toString()) as Partial<Solution> | null;
    const texts = [read?.algorithm, read?.challenge, read?.salt, read?.signature];
    return texts.every((text) => typeof text === "string") && Number.isSafeInteger(read?.number)
      ? read as Solution
      : undefined;
  } catch {
    return undefined;
  }
}

const hashOf = (salt: string, number: number) =>
  createHash("sha256").update(`${salt}${number}`).digest("hex");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
/** A challenge is hexadecimal, so no ticket can be taken for one. */
const ticketOf = (id: string, token: string) => `wait ${id} ${token}`;
const timeOf = (token: string) => parseInt(token);
