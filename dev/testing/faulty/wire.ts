import { Buffer } from "node:buffer";

/** HTTP/1.1 at byte level, as far as a test double of a remote system needs it. */

/** A request whose head has arrived. */
export interface Seen {
  method: string;
  /** Path and query. */
  target: string;
  headers: Headers;
  /** `Content-Length`; 0 if it is missing. */
  bodyBytes: number;
}

export const BLANK_LINE = "\r\n\r\n";

/** Parses the head of a request: request line and headers, without the blank line at the end. */
export function readHead(head: string): Seen {
  const [line = "", ...rest] = head.split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = new Headers(rest.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon), header.slice(colon + 1).trim()];
  }));
  if (headers.has("transfer-encoding")) throw new Error("this test double cannot read chunked requests");
  return { method, target, headers, bodyBytes: Number(headers.get("content-length") ?? 0) };
}

/** A complete response of the remote system. */
export interface Whole {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/** Headers that the test double sets itself, or that no longer apply because the body was decoded. */
const FRAMING = ["content-length", "transfer-encoding", "content-encoding", "connection"];

export async function wholeOf(response: Response): Promise<Whole> {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !FRAMING.includes(name)),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/**
 * Returns the head of a response.
 *
 * @param framing the header that determines where the body ends
 */
export function headBytes({ status, headers }: Whole, framing: string): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`HTTP/1.1 ${status} X`, ...lines, framing].join("\r\n") + BLANK_LINE);
}

/** Returns the correct bytes of a response. */
export function sound(whole: Whole): Buffer {
  return Buffer.concat([headBytes(whole, `content-length: ${whole.body.length}`), whole.body]);
}

export function html(status: number): Buffer {
  const body = Buffer.from("<!doctype html><h1>Welcome to our hotel's network</h1>");
  return sound({ status, headers: [["content-type", "text/html"]], body });
}

/** Returns a redirect to a URL where nothing listens. */
export function redirect(status: 303 | 307): Whole {
  return { status, headers: [["location", "http://127.0.0.1:9/elsewhere"]], body: Buffer.alloc(0) };
}
