import { Buffer } from "node:buffer";

/** HTTP/1.1 as bytes: as much of it as a double of a remote system needs. */

/** A request whose head has arrived. */
export interface Seen {
  method: string;
  /** Path and query. */
  target: string;
  headers: Headers;
  /** Announced by `Content-Length`; 0 without it. */
  bodyBytes: number;
}

export const BLANK_LINE = "\r\n\r\n";

/** @param head request line and headers, without the blank line at its end */
export function readHead(head: string): Seen {
  const [line = "", ...rest] = head.split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = new Headers(rest.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon), header.slice(colon + 1).trim()];
  }));
  if (headers.has("transfer-encoding")) throw new Error("this double reads no chunked requests");
  return { method, target, headers, bodyBytes: Number(headers.get("content-length") ?? 0) };
}

/** An answer as the remote system gave it, whole. */
export interface Whole {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/** Written by this double itself, or true of a body that has been decoded since. */
const FRAMING = ["content-length", "transfer-encoding", "content-encoding", "connection"];

export async function wholeOf(response: Response): Promise<Whole> {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !FRAMING.includes(name)),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** @param framing the header that says where the body ends */
export function headBytes({ status, headers }: Whole, framing: string): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`HTTP/1.1 ${status} X`, ...lines, framing].join("\r\n") + BLANK_LINE);
}

/** The answer as it should be sent. */
export function sound(whole: Whole): Buffer {
  return Buffer.concat([headBytes(whole, `content-length: ${whole.body.length}`), whole.body]);
}

export function html(status: number): Buffer {
  const body = Buffer.from("<!doctype html><h1>Welcome to our hotel's network</h1>");
  return sound({ status, headers: [["content-type", "text/html"]], body });
}

/** An answer that sends the caller to where nobody listens. */
export function redirect(status: 303 | 307): Whole {
  return { status, headers: [["location", "http://127.0.0.1:9/elsewhere"]], body: Buffer.alloc(0) };
}
