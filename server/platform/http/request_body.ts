import { Buffer } from "node:buffer";
import type { Clock } from "../deps.ts";
import { LATE, within } from "../time/within.ts";

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
  const chunks: Uint8Array[] = [];
  let length = 0;
  const readAll = async () => {
    while (length <= max) {
      const { done, value } = await reader.read();
      if (done) return;
      chunks.push(value);
      length += value.byteLength;
    }
  };
  try {
    await within(TIMEOUT_MS, clock, readAll());
  } catch {
    // The client closed the connection before the body was complete.
  } finally {
    reader.cancel().catch(() => {});
  }
  return length > max ? undefined : Buffer.concat(chunks);
}

/** Reads a body whose declared length is within the limit. */
async function readWhole(request: Request, max: number, clock: Clock): Promise<Uint8Array | undefined> {
  const buffer = await within(TIMEOUT_MS, clock, request.arrayBuffer())
    .catch((): typeof LATE => LATE);
  if (buffer === LATE) return new Uint8Array();
  return buffer.byteLength > max ? undefined : new Uint8Array(buffer);
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
