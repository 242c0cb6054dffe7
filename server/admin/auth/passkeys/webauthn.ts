import { Buffer } from "node:buffer";
import { z } from "zod";
import { loadOnce } from "../../../platform/load_once.ts";
import { asObject, parseJson } from "../../../platform/http/request_body.ts";
import { CHALLENGE_MS } from "./challenge.ts";
import type { RelyingParty } from "./relying_party.ts";
import type { StoredPasskey } from "./row.ts";

/** Creating and using passkeys (WebAuthn level 3), as far as the server takes part. */

/** Longer answers are invalid. One with a post-quantum key has about 6 KB. */
export const LONGEST_ANSWER = 12_000;

const Base64Url = z.string().regex(/^[\w-]+$/).max(LONGEST_ANSWER);
const Answer = z.object({
  id: Base64Url.max(1400),
  rawId: Base64Url.max(1400),
  type: z.literal("public-key"),
});
const Created = Answer.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(20)).max(10).catch([]),
  }),
});
const Used = Answer.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.nullish(),
  }),
});

/** The answer of an authenticator that has created a passkey. */
export type CreatedAnswer = z.output<typeof Created>;
/** The answer of an authenticator that has used one. */
export type UsedAnswer = z.output<typeof Used>;

const library = loadOnce(() => import("@simplewebauthn/server"));
const helpers = loadOnce(() => import("@simplewebauthn/server/helpers"));

/** Returns what a browser needs to create a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export async function creationOptions(
  site: RelyingParty,
  user: { name: string; handle: string; existing: readonly StoredPasskey[] },
  challenge: string,
): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return await generateRegistrationOptions({
    rpName: `${site.id} (cfbe)`,
    rpID: site.id,
    userName: user.name,
    userDisplayName: user.name,
    userID: bytesOf(user.handle),
    challenge: bytesOf(challenge),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: user.existing.map(descriptor),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Returns what a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON`.
 *
 * @param allowed those that may be used; the authenticator finds one if there are none, so that the options for signing in
 * are the same for everybody
 */
export function requestOptions(
  site: RelyingParty,
  allowed: readonly StoredPasskey[],
  challenge: string,
): object {
  return {
    challenge,
    rpId: site.id,
    timeout: CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: allowed.map((each) => ({ ...descriptor(each), type: "public-key" })),
  };
}

/** Returns the answer in a form's field; undefined if it is none. */
export const createdAnswer = (text: string): CreatedAnswer | undefined => parsed(Created, text);
export const usedAnswer = (text: string): UsedAnswer | undefined => parsed(Used, text);

/** Returns the challenge that an answer is for, unverified, or an empty text. */
export function challengeOf({ response }: CreatedAnswer | UsedAnswer): string {
  const { challenge } = clientData(response.clientDataJSON);
  return typeof challenge === "string" ? challenge : "";
}

/** Returns the new passkey, unless the answer is not for this site and challenge, or nobody was verified. */
export async function verifyCreated(
  site: RelyingParty,
  answer: CreatedAnswer,
  challenge: string,
): Promise<Omit<StoredPasskey, "id" | "title" | "createdAt"> | undefined> {
  const { response } = answer;
  if (isFramed(response.clientDataJSON) || await hasCertificates(response.attestationObject)) {
    return undefined;
  }
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: { ...answer, response: response as never, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return {
    webauthnId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    site: site.id,
    counter: credential.counter,
    transports: response.transports,
    synced: credentialDeviceType === "multiDevice",
    backedUp: credentialBackedUp,
  };
}

/** What has changed about a passkey that was used. */
export type Use = Pick<StoredPasskey, "counter" | "backedUp">;

/** Returns what has changed, unless the answer is not of this passkey, for this site and challenge, with verification. */
export async function verifyUsed(
  site: RelyingParty,
  passkey: StoredPasskey,
  answer: UsedAnswer,
  challenge: string,
): Promise<Use | undefined> {
  if (isFramed(answer.response.clientDataJSON)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: { ...answer, response: answer.response as never, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    // The counter is compared in the commit that stores the new one.
    credential: { id: passkey.webauthnId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { newCounter, credentialDeviceType, credentialBackedUp } = result.authenticationInfo;
  if ((credentialDeviceType === "multiDevice") !== passkey.synced) return undefined;
  return { counter: newCounter, backedUp: credentialBackedUp };
}

/**
 * Returns whether an answer has certificates of the authenticator's maker, which no browser sends unless asked: checking
 * them may load lists from URLs in them.
 */
async function hasCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers();
  try {
    const decoded = decodeAttestationObject(bytesOf(attestationObject));
    const format = decoded.get("fmt");
    return format !== "none" && (format !== "packed" || decoded.get("attStmt").get("x5c") !== undefined);
  } catch {
    return true;
  }
}

const isFramed = (clientDataJSON: string) => {
  const { crossOrigin, topOrigin } = clientData(clientDataJSON);
  return Boolean(crossOrigin) || topOrigin !== undefined;
};

const clientData = (text: string): Record<string, unknown> =>
  asObject(parseJson(Buffer.from(text, "base64url"))) ?? {};

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  if (text.length > LONGEST_ANSWER) return undefined;
  return schema.safeParse(parseJson(new TextEncoder().encode(text))).data;
}

const descriptor = ({ webauthnId, transports }: StoredPasskey) => ({ id: webauthnId, transports });

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
