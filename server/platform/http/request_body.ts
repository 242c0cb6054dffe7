import type { Clock } from "../deps.ts";

/** A body that takes longer has stalled, or is meant to keep the connection open. */
const TIMEOUT_MS = 10_000;

/**
 * Reads a request's body and counts its bytes as they arrive, whatever `Content-Length` says (contract 4.2).
 *
 * @param max maximum number of bytes
 * @returns the bytes, or undefined as soon as there are more than `max`; the rest is not read. If the body breaks off or
 * is incomplete after 10 seconds, returns the part that arrived, and parsing it then fails.
 */
export async function readBody(
  request: Request,
  max: number,
  clock: Clock,
): Promise<Uint8Array | undefined> {
  // The server passes on at most as many bytes as declared, so a short body needs no counting stream, which costs more
  // than everything else about a request.
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= max) return await readWhole(request, max, clock);
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const complete = new AbortController();
  const late = clock.sleep(TIMEOUT_MS, complete.signal).then(() =>
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
    // The client closed the connection before the body was complete.
  } finally {
    // The default reason would be an exception with a stack trace, which is slow to create for each request.
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

/** Reads a body whose declared length is within the limit. */
async function readWhole(request: Request, max: number, clock: Clock): Promise<Uint8Array | undefined> {
  const complete = new AbortController();
  const whole = request.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => new Uint8Array());
  const late = clock.sleep(TIMEOUT_MS, complete.signal).then(() => new Uint8Array());
  const bytes = await Promise.race([whole, late]);
  complete.abort("complete");
  return bytes.byteLength > max ? undefined : bytes;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns the JSON value, or undefined if the bytes are not valid JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the value if it is an object, or undefined for anything else, including arrays. */
export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}
