import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a test makes an authenticator do that a real one does not. */
export interface Lies {
  origin?: string;
  /** The host in its data. */
  site?: string;
  challenge?: string;
  type?: string;
  /** Whether it has verified its user. */
  verified?: boolean;
  synced?: boolean;
  counter?: number;
  handle?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  /** The ID that it gives the passkey. */
  id?: string;
  /** Attestation format, and the CBOR of its statement. */
  attestation?: [format: string, statement: Buffer];
  /** The key that signs. */
  signedBy?: Authenticator;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
}

const FLAGS = { present: 1, verified: 4, canBeCopied: 8, isCopied: 16, hasKey: 64 };
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest();

/** An authenticator with one passkey in the memory of a test, which answers as a browser passes it on. */
export class Authenticator {
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  readonly #synced: boolean;
  #id = randomBytes(16);
  #handle = "";

  constructor(origin: string, { synced = true }: { synced?: boolean } = {}) {
    this.#origin = origin;
    this.#synced = synced;
  }

  /** Creates the passkey. @param options `PublicKeyCredentialCreationOptionsJSON` */
  create(options: CreationOptions, lies: Lies = {}): string {
    if (lies.id) this.#id = Buffer.from(lies.id, "base64url");
    this.#handle = options.user.id;
    const length = Buffer.from([this.#id.length >> 8, this.#id.length & 255]);
    const key = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#publicKey()]);
    const data = Buffer.concat([this.#data(lies.site ?? options.rp.id, FLAGS.hasKey, lies), key]);
    const [format, statement] = lies.attestation ?? ["none", Buffer.from([0xa0])];
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[cborText("fmt"), cborText(format), cborText("attStmt"), statement],
      ...[cborText("authData"), cborBytes(data)],
    ]);
    return this.#answer({
      clientDataJSON: base64url(this.#client("webauthn.create", options.challenge, lies)),
      attestationObject: base64url(attestationObject),
      transports: ["internal"],
    });
  }

  /** Uses the passkey. @param options `PublicKeyCredentialRequestOptionsJSON` */
  get(options: RequestOptions, lies: Lies = {}): string {
    const client = this.#client("webauthn.get", options.challenge, lies);
    const data = this.#data(lies.site ?? options.rpId, 0, lies);
    const signer = lies.signedBy ?? this;
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), signer.#keys.privateKey)),
      userHandle: lies.handle ?? this.#handle,
    });
  }

  /** The ID of its passkey, as base64url. */
  get id(): string {
    return base64url(this.#id);
  }

  #answer(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: "public-key", response });
  }

  #client(type: string, challenge: string, lies: Lies): Buffer {
    const { crossOrigin = false, topOrigin } = lies;
    return Buffer.from(JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin,
      ...(topOrigin && { topOrigin }),
    }));
  }

  #data(site: string, more: number, { verified = true, synced = this.#synced, counter = 0 }: Lies): Buffer {
    const flags = FLAGS.present | (verified ? FLAGS.verified : 0) |
      (synced ? FLAGS.canBeCopied | FLAGS.isCopied : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(site), Buffer.from([flags]), count]);
  }

  /** The COSE key, for ES256. */
  #publicKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinate = (text: string | undefined) => cborBytes(Buffer.from(text!, "base64url"));
    const start = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
    return Buffer.concat([start, Buffer.from([0x21]), coordinate(x), Buffer.from([0x22]), coordinate(y)]);
  }
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

function cborBytes(bytes: Uint8Array): Buffer {
  const { length } = bytes;
  const start = length < 24
    ? [0x40 + length]
    : length < 256
    ? [0x58, length]
    : [0x59, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(start), bytes]);
}
