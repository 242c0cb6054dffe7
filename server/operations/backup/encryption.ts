/** Encrypted backups: files in the age format (https://age-encryption.org/v1), which the `age` command can read too. */

/** Loaded only where backups are encrypted. */
const age = () => import("age-encryption");

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

const MAGIC = new TextEncoder().encode("age-encryption.org/");

/** A key pair: whoever has the recipient can encrypt, and only whoever has the identity can decrypt. */
export interface BackupKey {
  /** The secret key, `AGE-SECRET-KEY-…`. */
  identity: string;
  /** The public key, `age1…`. */
  recipient: string;
}

/** The file is encrypted, and none of the identities can decrypt it, or it was changed. */
export class NotDecrypted extends Error {
  override readonly name = "NotDecrypted";
}

/** Returns a new key pair. */
export async function newBackupKey(): Promise<BackupKey> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Returns whether a text is a public key that `encrypted` takes. */
export async function isRecipient(text: string): Promise<boolean> {
  const { Encrypter } = await age();
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the bytes, encrypted for each of the recipients: one identity of any of them is enough to decrypt. */
export async function encrypted(
  bytes: ReadableStream<Uint8Array>,
  recipients: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return await encrypter.encrypt(bytes);
}

/** How a backup is written, and how the same process reads it back. */
export interface Sealing {
  seal(bytes: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  /** @throws {NotDecrypted} */
  open(file: Bytes): Promise<Bytes>;
}

/**
 * Returns how to write a backup for recipients; without any, it is not encrypted. Their secret keys are elsewhere, so an
 * encrypted one is read back with a key of its own, which nobody keeps.
 */
export async function sealingFor(recipients: readonly string[]): Promise<Sealing> {
  if (recipients.length === 0) {
    return { seal: (bytes) => Promise.resolve(bytes), open: (file) => decrypted(file, []) };
  }
  const own = await newBackupKey();
  return {
    seal: (bytes) => encrypted(bytes, [...recipients, own.recipient]),
    open: (file) => decrypted(file, [own.identity]),
  };
}

/**
 * Returns the content of a backup file, decrypted if it is encrypted. A wrong or changed byte fails when it is read.
 *
 * @param identities secret keys to try
 * @throws {NotDecrypted} if it is encrypted, and for none of them
 */
export async function decrypted(file: Bytes, identities: readonly string[]): Promise<Bytes> {
  const { isEncrypted, bytes } = await peek(file);
  if (!isEncrypted) return bytes;
  try {
    const { Decrypter } = await age();
    const decrypter = new Decrypter();
    for (const identity of identities) decrypter.addIdentity(identity);
    return await decrypter.decrypt(bytes) as unknown as Bytes;
  } catch (cause) {
    await bytes.cancel().catch(() => {});
    throw new NotDecrypted(
      identities.length === 0 ? "it is encrypted" : "it is encrypted for another key, or damaged",
      { cause },
    );
  }
}

/** Returns whether a file is encrypted, and the same bytes. */
async function peek(file: Bytes): Promise<{ isEncrypted: boolean; bytes: Bytes }> {
  const reader = file.getReader();
  const read: Uint8Array<ArrayBuffer>[] = [];
  let start = new Uint8Array();
  while (start.length < MAGIC.length) {
    const { done, value } = await reader.read();
    if (done) break;
    read.push(value);
    start = new Uint8Array([...start, ...value.subarray(0, MAGIC.length)]);
  }
  return {
    isEncrypted: MAGIC.every((byte, at) => start[at] === byte),
    bytes: new ReadableStream({
      async pull(controller) {
        const next = read.shift();
        if (next) return controller.enqueue(next);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }),
  };
}
