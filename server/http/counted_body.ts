/**
 * Read a request's body, counting bytes as they arrive, whatever Content-Length claims (decisions §4.1).
 *
 * @param max most bytes to accept
 * @returns the bytes, or undefined as soon as there are too many; the rest is not read. A body that breaks off
 * counts as what had arrived of it: the parser behind will say what is wrong with it.
 */
export async function readCounted(request: Request, max: number): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > max) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The visitor went away mid-sentence.
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
