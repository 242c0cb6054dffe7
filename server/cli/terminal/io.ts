import { ClientError, EXIT } from "../client/error.ts";

/** What to do when Ctrl-C or SIGTERM ends a command. */
export interface Interruption {
  /** Says what the interruption has left, and how to go on. */
  message: string;
  /** Removes what must not stay behind. */
  undo?(): Promise<unknown>;
}

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
  /** Runs work that can be interrupted. */
  interruptible<T>(work: () => Promise<T>, interruption: Interruption): Promise<T>;
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
const decoder = new TextDecoder();

/** The terminal at which a question is asked. Tests pass their own. */
interface Terminal {
  input: { isTerminal(): boolean; readSync(bytes: Uint8Array): number | null };
  /** Where the question is shown: not standard output, which may be a file. */
  output: { writeSync(bytes: Uint8Array): number };
}

/** Asks a question at a terminal. Returns whether the answer is yes, or undefined if the input is not a terminal. */
export function ask(
  question: string,
  { input, output }: Terminal = { input: Deno.stdin, output: Deno.stderr },
): boolean | undefined {
  if (!input.isTerminal()) return undefined;
  output.writeSync(encoder.encode(`${question} [y/N] `));
  return /^y(es)?$/i.test(readLine(input).trim());
}

/** Returns the next line, without what follows it. */
function readLine(input: Terminal["input"]): string {
  const line: number[] = [];
  const byte = new Uint8Array(1);
  while (input.readSync(byte) && byte[0] !== 0x0a) line.push(byte[0]!);
  return decoder.decode(Uint8Array.from(line));
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs work. The first signal to end the process calls `ending`, and then ends it, so that a shell sees which one it was.
 * Task runners forward a signal twice.
 */
async function endedBySignals<T>(work: () => Promise<T>, ending: () => Promise<void>): Promise<T> {
  let ended: Promise<void> | undefined;
  const listeners = SIGNALS.map((signal) => {
    const end = () =>
      void (ended ??= ending().finally(() => {
        remove();
        Deno.kill(Deno.pid, signal);
      }));
    Deno.addSignalListener(signal, end);
    return () => Deno.removeSignalListener(signal, end);
  });
  const remove = () => listeners.splice(0).forEach((each) => each());
  return await work().finally(remove);
}

export function systemIo(): Io {
  const isTerminal = Deno.stderr.isTerminal();
  return {
    env: Deno.env.toObject(),
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    progress(text) {
      if (isTerminal) Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
    },
    confirm: (question) => ask(question),
    interruptible: (work, { message, undo }) =>
      endedBySignals(work, async () => {
        await undo?.().catch(() => {});
        console.error(`${isTerminal ? "\r\x1b[K" : ""}${message}`);
      }),
    input: async () => (await new Response(Deno.stdin.readable).text()).replace(/\r?\n$/, ""),
    write: (bytes) => bytes.pipeTo(Deno.stdout.writable, { preventClose: true }),
  };
}
