import { CliError, EXIT } from "../client/error.ts";

/** What a command reads and writes; a test hands in its own. */
export interface Io {
  env: Record<string, string | undefined>;
  /** What was asked for: for people, or with `--json` for scripts. */
  out(text: string): void;
  /** What went wrong, and what is worth a note beside the result. */
  err(text: string): void;
  /** How far long work is, each over the last; on a terminal alone. An empty text takes it away. */
  progress(text: string): void;
  /** Ask a person. @returns undefined where there is none */
  confirm(question: string): boolean | undefined;
  /** All of standard input, without its last line break. */
  input(): Promise<string>;
  /** Raw bytes to standard output. */
  write(bytes: ReadableStream<Uint8Array>): Promise<void>;
}

/**
 * Make sure of something that can't be taken back.
 *
 * @throws {CliError} when a person says no, and where nobody can be asked and `--yes` was not given
 */
export function makeSure(io: Io, { yes }: { yes?: boolean }, question: string): void {
  if (yes) return;
  const answer = io.confirm(question);
  if (answer === undefined) {
    throw new CliError(`${question} Add --yes to do it without being asked.`, EXIT.usage);
  }
  if (!answer) throw new CliError("Nothing was done.");
}

const encoder = new TextEncoder();

export function systemIo(): Io {
  const told = Deno.stderr.isTerminal();
  return {
    env: Deno.env.toObject(),
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    progress(text) {
      if (told) Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
    },
    confirm: (question) => Deno.stdin.isTerminal() ? confirm(question) : undefined,
    input: async () => (await new Response(Deno.stdin.readable).text()).replace(/\r?\n$/, ""),
    write: (bytes) => bytes.pipeTo(Deno.stdout.writable, { preventClose: true }),
  };
}
