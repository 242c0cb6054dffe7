import { Buffer } from "node:buffer";
import type { Socket } from "node:net";

const STATUS: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const MALFORMED = ["400 Bad Request", "The request is not valid HTTP."] as const;
const HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store", "Connection": "close" };

/**
 * Responds to a malformed request and closes the connection. Handles the `clientError` event of `node:http`, whose
 * default response has no JSON and no `Cache-Control: no-store`, which every response must have (contract 1.2).
 */
export function respondToMalformed(error: Error & { code?: string }, socket: Socket): void {
  // The client is gone, or has received part of another response, which this one would corrupt.
  if (!socket.writable || error.code === "ECONNRESET" || socket.bytesWritten > 0) {
    return void socket.destroy();
  }
  const [status, message] = STATUS[error.code ?? ""] ?? MALFORMED;
  const body = bodyOf(message);
  const headers = Object.entries({ ...HEADERS, "Content-Length": Buffer.byteLength(body) });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`);
  socket.destroySoon();
}

/** Returns the same response for a request that was parsed, but whose target is not a path. */
export function malformedResponse(): Response {
  const [status, message] = MALFORMED;
  return new Response(bodyOf(message), { status: Number.parseInt(status), headers: HEADERS });
}

const bodyOf = (message: string) => JSON.stringify({ success: false, code: "invalid", message });
