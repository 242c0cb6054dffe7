import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The system gives ports from 32768 up to outgoing connections and to `port: 0`. Browsers and `fetch` refuse some ports, of
 * which 10080 is the last: "bad port" in https://fetch.spec.whatwg.org/#port-blocking.
 */
export const FIRST = 10_081;
const END = 32_000;

/** Contains the port that is next, for all processes of a user. */
const FILE = join(tmpdir(), `cfbe-next-port-${Deno.uid() ?? "own"}`);

/**
 * Returns a port that is free now, for a process that is started later or more than once.
 *
 * It is one that the system gives to nobody else: a port of `port: 0` can belong to another program's connection
 * before the process listens. Neither does this function, in any process, until it has returned all others: of random
 * ports, two tests at the same time sometimes get the same one.
 *
 * @throws {Error} if a listener can't be opened for another reason than a port in use
 */
export function freePort(): number {
  using file = Deno.openSync(FILE, { read: true, write: true, create: true });
  file.lockSync(true);
  let port = nextIn(file);
  while (!isFree(port)) port = after(port);
  const text = new TextEncoder().encode(`${after(port)}`);
  file.seekSync(0, Deno.SeekMode.Start);
  file.writeSync(text);
  file.truncateSync(text.length);
  return port;
}

const after = (port: number) => port + 1 < END ? port + 1 : FIRST;

/** Returns the port that a file contains, or a random one if it is new or damaged. */
function nextIn(file: Deno.FsFile): number {
  const bytes = new Uint8Array(16);
  const length = file.readSync(bytes) ?? 0;
  const port = Number(new TextDecoder().decode(bytes.subarray(0, length)));
  const isInRange = Number.isInteger(port) && port >= FIRST && port < END;
  return isInRange ? port : FIRST + Math.floor(Math.random() * (END - FIRST));
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}
