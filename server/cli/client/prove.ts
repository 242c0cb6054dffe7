import { Buffer } from "node:buffer";
import { systemRandom } from "../../platform/deps.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import { proofOf, sharedOf } from "../../operations/remote/proof.ts";

const NONCE_BYTES = 16;
const PROVE_MS = 5_000;

/** Returns whether the service at this URL proves that it knows the token, which is not sent. Never throws. */
export async function knowsToken(address: string, token: string): Promise<boolean> {
  const { id, shared } = sharedOf(token);
  const challenge = {
    ...(id !== undefined && { id }),
    nonce: Buffer.from(systemRandom.bytes(NONCE_BYTES)).toString("base64url"),
    at: address,
  };
  try {
    const response = await transport(`${address}/ops/proof`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...challenge, proof: proofOf("caller", shared, challenge) }),
      signal: AbortSignal.timeout(PROVE_MS),
    });
    const { proof } = await response.json();
    return typeof proof === "string" && secretsEqual(proof, proofOf("service", shared, challenge));
  } catch {
    return false;
  }
}
