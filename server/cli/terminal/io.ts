import { ClientError, EXIT } from "../client/error.ts";

/** Input and output of a command. Tests pass their own. */
export interface Io {
  env: Record<string, string | undefined>;
  /** Prints the result, for people or (with `--json`) for scripts. */
  out(text: string): void;
  /** Prints errors, and notes that are not part of the result. */
  err(text: string): void;
  /** Shows progress on one line of a terminal, replacing the previous text. An empty text clears it. */
  progress(text: string): void;
  /** Asks for confirmation. Returns undefined if there is no terminal. */
  confirm(question: string): boolean | undefined;
  /** Reads all of standard input, without the final line break. */
  input(): Promise<string>;
  /** Writes raw bytes to standard output. */
  write(bytes: ReadableStream<Uint8Array>): Promise<void>;
}

/**
 * Asks for confirmation of something that cannot be undone.
 *
 * @throws {ClientError} if the answer is no, or if there is no terminal and `--yes` is missing
 */
export function confirmed(io: Io, { yes }: { yes?: boolean }, question: string): void {
  if (yes) return;
  const answer = io.confirm(question);
  if (answer === undefined) {
    throw new ClientError(`${question} Run again with --yes to confirm.`, EXIT.usage);
  }
  if (!answer) throw new ClientError("Canceled. Nothing was changed.");
}

const encoder = new TextEncoder();

export function systemIo(): Io {
  const isTerminal = Deno.stderr.isTerminal();
  return {
    env: Deno.env.toObject(),
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    progress(text) {
      if (isTerminal) Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
    },
    confirm: (question) => Deno.stdin.isTerminal() ? confirm(question) : undefined,
    input: async () => (await new Response(Deno.stdin.readable).text()).replace(/\r?\n$/, ""),
    write: (bytes) => bytes.pipeTo(Deno.stdout.writable, { preventClose: true }),
  };
}
