import { createHash } from "node:crypto";
import { parse, stringify } from "devalue";
import { z } from "zod";
import type { Keyring } from "../../keys/keyring.ts";

/**
 * A backup is gzip of lines: a header, one line a row, a footer.
 *
 *     {"format":"cfbe-backup","v":1,"at":…,"salt":"…","marks":"…"}
 *     [[["s","main","signup","ann@example.com","65f0…"],{…}]] …      as `devalue` writes it
 *     {"rows":2,"sha256":"…"}                                        of every byte before this line
 */
const Header = z.object({
  format: z.literal("cfbe-backup"),
  v: z.number(),
  /** When it was begun; Unix milliseconds. */
  at: z.number(),
  /** `at`, signed and identified: whether the salt that secrets were sealed with is known, and the one of marks. */
  salt: z.string(),
  marks: z.string(),
});
export type BackupHeader = z.output<typeof Header>;
const Footer = z.object({ rows: z.number(), sha256: z.string() });

export interface BackupRow {
  key: Deno.KvKey;
  value: unknown;
}

/** What is wrong with a file, in a sentence for whoever has it. */
export class BadBackup extends Error {
  override readonly name = "BadBackup";
}

const VERSION = 1;
const CHUNK_CHARACTERS = 64 * 1024;
/** A value has 64 KiB at most, and its spelling here not many times that. */
const LINE_CHARACTERS = 2 * 1024 * 1024;

// What JSON can't say and `devalue` does not know; dates, bytes and bigints it knows by itself.
const reducers = { u64: (value: unknown) => value instanceof Deno.KvU64 && value.value };
const revivers = { u64: (value: bigint) => new Deno.KvU64(value) };

export function newHeader(keyring: Keyring, at: number): BackupHeader {
  const time = String(at);
  const proof = { salt: keyring.sign("cfbe/backup", time), marks: keyring.identify("cfbe/backup", time) };
  return { format: "cfbe-backup", v: VERSION, at, ...proof };
}

/** Whether the secrets in a backup can be read here, and its marks be found. */
export function matchesSalt(keyring: Keyring, { at, salt, marks }: BackupHeader): boolean {
  const time = String(at);
  return keyring.verify("cfbe/backup", time, salt) && keyring.identify("cfbe/backup", time) === marks;
}

/** The bytes of a backup; the rows are asked for as fast as somebody reads. */
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
 * Read a backup through to its end.
 *
 * @param each is given every row and its size in the file, before it is known whether the file is whole: read it once without writing
 * @returns the header and the number of rows
 * @throws {BadBackup} for what is no backup, is of a later version, was cut off or changed
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
    if (footer) throw new BadBackup("something stands behind the backup's last line");
    if (!header) header = headerOf(line);
    else if (line.startsWith("{")) {
      footer = parsed(Footer, line);
      if (!footer) throw new BadBackup("a line of it makes no sense");
      continue;
    } else {
      await each(rowOf(line), line.length);
      rows++;
    }
    hash.update(line).update("\n");
  }
  if (!header || !footer) throw new BadBackup("it was cut off: its last line is missing");
  if (footer.rows !== rows || footer.sha256 !== hash.digest("hex")) {
    throw new BadBackup("its checksum is wrong: it was changed or damaged");
  }
  return { ...header, rows };
}

function headerOf(line: string): BackupHeader {
  const header = parsed(Header, line);
  if (!header) throw new BadBackup("it is no backup of cfbe");
  if (header.v !== VERSION) {
    throw new BadBackup(`it has version ${header.v}, and this program reads version ${VERSION}`);
  }
  return header;
}

function rowOf(line: string): BackupRow {
  try {
    const [key, value] = parse(line, revivers) as [Deno.KvKey, unknown];
    if (Array.isArray(key) && key[0] === "s" && key.length > 2) return { key, value };
  } catch {
    // Told below.
  }
  throw new BadBackup("a line of it makes no sense");
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
        throw new BadBackup("it is no gzip file, or it was cut off");
      });
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop()!;
      yield* parts;
      if (rest.length > LINE_CHARACTERS) throw new BadBackup("a line of it is too long");
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (rest !== "") throw new BadBackup("it was cut off in the middle of a line");
}
