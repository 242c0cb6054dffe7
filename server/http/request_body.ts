import type { Clock } from "../deps.ts";

/** A body that takes longer has stopped arriving, or is made to hold a connection open. */
const SLOWEST_MS = 10_000;

/**
 * Read a request's body, counting bytes as they arrive, whatever Content-Length claims (contract 4.2).
 *
 * @param max most bytes to accept
 * @returns the bytes, or undefined as soon as there are too many; the rest is not read. A body that breaks off, or
 * is not complete within 10 s, counts as what had arrived of it: the parser behind will say what is wrong with it.
 */
export async function readBody(
  request: Request,
  max: number,
  clock: Clock,
): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const complete = new AbortController();
  const late = clock.sleep(SLOWEST_MS, complete.signal).then(() =>
    ({ done: true, value: undefined }) as const
  );
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (true) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) break;
      length += value.byteLength;
      if (length > max) return undefined;
      chunks.push(value);
    }
  } catch {
    // The visitor went away mid-sentence.
  } finally {
    // With a reason of its own: the standard one is an exception with a stack, made for every request.
    complete.abort("complete");
    reader.cancel().catch(() => {});
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * @returns the JSON value, or undefined if the bytes are not one in UTF-8 (which JSON itself can't express)
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** @returns the value as an object with string keys, or undefined for anything else, arrays included */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}
