/** Requests that `fetch` can't send, on a socket of their own. */
import assert from "node:assert/strict";
import { type Answer, checkAnswer } from "./service.ts";

/**
 * Sends a request, and reads the response until the service closes the connection.
 *
 * @param head the request line and headers, without `Host` and `Connection`
 */
export async function sendRaw(port: number, head: string[], body: string | Uint8Array = ""): Promise<Answer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = [head[0], `Host: localhost:${port}`, "Connection: close", ...head.slice(1), "", ""];
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  await write(connection, new TextEncoder().encode(lines.join("\r\n")));
  // The service may respond and close the connection before it has read everything.
  await write(connection, bytes).catch(() => {});
  const answer = parse(await readAll(connection));
  checkAnswer(answer, head[0]!);
  return answer;
}

/**
 * Sends the head of a request, and waits until the service asks for the body.
 *
 * @returns a function that sends the body and reads the response
 */
export async function beginRaw(port: number, head: string[]): Promise<(body: string) => Promise<Answer>> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = [head[0], `Host: localhost:${port}`, "Connection: close", "Expect: 100-continue"];
  await write(connection, new TextEncoder().encode([...lines, ...head.slice(1), "", ""].join("\r\n")));
  const buffer = new Uint8Array(1_000);
  const count = await connection.read(buffer);
  assert.match(new TextDecoder().decode(buffer.subarray(0, count ?? 0)), /^HTTP\/1\.1 100 /);
  return async (body) => {
    using open = connection;
    await write(open, new TextEncoder().encode(body));
    return parse(await readAll(open));
  };
}

async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

async function readAll(connection: Deno.Conn): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(16_384);
  while (true) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) return text;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}

function parse(response: string): Answer {
  const [head = "", ...rest] = response.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0);
  const headers = new Headers(
    lines.map((header) => header.split(/:\s*(.*)/s).slice(0, 2) as [string, string]),
  );
  const body = rest.join("\r\n\r\n");
  const text = headers.get("transfer-encoding") === "chunked" ? unchunk(body) : body;
  return { status, headers, text, json: text === "" ? undefined : JSON.parse(text) };
}

function unchunk(body: string): string {
  let text = "";
  for (let rest = body; rest !== "";) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (!(length > 0)) break;
    text += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
  return text;
}

/** Returns a text as the chunks of a body with `Transfer-Encoding: chunked`. */
export function chunked(text: string, chunkLength: number): string {
  let body = "";
  for (let at = 0; at < text.length; at += chunkLength) {
    const chunk = text.slice(at, at + chunkLength);
    body += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return `${body}0\r\n\r\n`;
}
