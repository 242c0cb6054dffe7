import { createHash } from "node:crypto";
import { parse, stringify } from "devalue";
import { z } from "zod";
import { createKeyring, type Keyring } from "../../platform/keys/keyring.ts";
import { allSalts, type Salts } from "../../platform/keys/salt_file.ts";
import { type KvKey, KvU64 } from "../../platform/kv/port.ts";

/**
 * A backup is a gzip file of lines: a header, one line per row, and a footer.
 *
 *     {"format":"cfbe-backup","v":1,"at":…,"salt":"…","marks":"…"}
 *     [[["s","main","signup","ann@example.com","65f0…"],{…}]] …      as `devalue` writes it
 *     {"rows":2,"sha256":"…"}                                        of every byte before this line
 */
const Header = z.object({
  format: z.literal("cfbe-backup"),
  v: z.number(),
  /** When the backup was started, in Unix milliseconds. */
  at: z.number(),
  /** `at`, signed: shows whether secrets in the backup can be decrypted. */
  salt: z.string(),
  /** `at`, identified: shows whether its once-only markers can be found. */
  marks: z.string(),
});
export type BackupHeader = z.output<typeof Header>;
const Footer = z.object({ rows: z.number(), sha256: z.string() });

export interface BackupRow {
  key: KvKey;
  value: unknown;
}

/** Thrown for an invalid backup. The message is a clause about the file, such as "it is truncated". */
export class BadBackup extends Error {
  override readonly name = "BadBackup";
}

const VERSION = 1;
const CHUNK_CHARACTERS = 64 * 1024;
/** A value has at most 64 KiB, which `devalue` writes in at most a few times as many characters. */
const LINE_CHARACTERS = 2 * 1024 * 1024;

// The one type that neither JSON nor `devalue` supports. `devalue` handles dates, bytes and bigints.
const reducers = { u64: (value: unknown) => value instanceof KvU64 && value.value };
const revivers = { u64: (value: bigint) => new KvU64(value) };

/** Returns the header of a backup started at a time (Unix milliseconds). */
export function newHeader(keyring: Keyring, at: number): BackupHeader {
  const time = String(at);
  const proof = {
    salt: keyring.sign("cfbe/backup", time),
    marks: keyring.identify("cfbe/backup-marks", time),
  };
  return { format: "cfbe-backup", v: VERSION, at, ...proof };
}

/** Returns whether a keyring can decrypt the secrets of a backup (`current`) and find its once-only markers (`first`). */
export function saltsFor(
  keyring: Keyring,
  { at, salt, marks }: BackupHeader,
): { current: boolean; first: boolean } {
  const time = String(at);
  return {
    current: keyring.verify("cfbe/backup", time, salt),
    first: keyring.identify("cfbe/backup-marks", time) === marks,
  };
}

/** Returns the keyring that finds the once-only markers of a backup if one of the salts does, in whatever order they are listed. */
export function keyringFor(salts: Salts, header: BackupHeader): Keyring {
  const first = allSalts(salts).find((salt) => saltsFor(createKeyring([salt]), header).first);
  return createKeyring(salts.accepted, first ?? salts.identity);
}

/** Returns the bytes of a backup. Rows are read only as fast as the stream is consumed. */
export function writeBackup(
  header: BackupHeader,
  rows: AsyncIterable<BackupRow>,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks(header, rows)).pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

async function* chunks(header: BackupHeader, rows: AsyncIterable<BackupRow>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let chunk = JSON.stringify(header) + "\n";
  let count = 0;
  for await (const { key, value } of rows) {
    chunk += stringify([key, value], reducers) + "\n";
    count++;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    hash.update(chunk);
    yield chunk;
    chunk = "";
  }
  hash.update(chunk);
  yield chunk + JSON.stringify({ rows: count, sha256: hash.digest("hex") }) + "\n";
}

/**
 * Reads a backup to its end and verifies its checksum.
 *
 * @param each is called with every row and its size in the file in characters, before the file is known to be complete;
 *   so read the file once without writing anything
 * @returns the header and the number of rows
 * @throws {BadBackup} for a file that is not a backup, has another version, is truncated or was changed
 */
export async function readBackup(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  each: (row: BackupRow, size: number) => Promise<void> | void = () => {},
): Promise<BackupHeader & { rows: number }> {
  const hash = createHash("sha256");
  let header: BackupHeader | undefined;
  let footer: z.output<typeof Footer> | undefined;
  let rows = 0;
  for await (const line of lines(bytes)) {
    if (footer) throw new BadBackup("it has data after its last line");
    if (!header) header = headerOf(line);
    else if (line.startsWith("{")) {
      footer = parsed(Footer, line);
      if (!footer) throw new BadBackup("it contains an invalid line");
      continue;
    } else {
      await each(rowOf(line), line.length);
      rows++;
    }
    hash.update(line).update("\n");
  }
  if (!header || !footer) throw new BadBackup("it is truncated: its last line is missing");
  if (footer.rows !== rows || footer.sha256 !== hash.digest("hex")) {
    throw new BadBackup("its checksum does not match: it was changed or damaged");
  }
  return { ...header, rows };
}

function headerOf(line: string): BackupHeader {
  const header = parsed(Header, line);
  if (!header) throw new BadBackup("it is not a cfbe backup");
  if (header.v !== VERSION) {
    throw new BadBackup(
      `it has format version ${header.v}, but this version of cfbe reads format version ${VERSION}`,
    );
  }
  return header;
}

function rowOf(line: string): BackupRow {
  try {
    const [key, value] = parse(line, revivers) as [KvKey, unknown];
    if (Array.isArray(key) && key[0] === "s" && key.length > 2) return { key, value };
  } catch {
    // Invalid, as thrown below.
  }
  throw new BadBackup("it contains an invalid line");
}

function parsed<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

async function* lines(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const text = bytes.pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream());
  let rest = "";
  const reader = text.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw new BadBackup("it is not a gzip file, or it is truncated");
      });
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop()!;
      yield* parts;
      if (rest.length > LINE_CHARACTERS) throw new BadBackup("it contains a line that is too long");
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (rest !== "") throw new BadBackup("it is truncated in the middle of a line");
}
