import assert from "node:assert/strict";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";
import { NAMESPACE } from "../../../shared/contract.ts";

/** The limit of the body size, tested over raw TCP with any headers (contract 4.2). */

/** Sends `parts` unchanged and returns the response. */
async function sendRaw({ baseUrl }: TestProgram, parts: string[]): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(baseUrl).port) });
  let response = "";
  try {
    const encoder = new TextEncoder();
    const buffer = new Uint8Array(65_536);
    for (const part of parts) await connection.write(encoder.encode(part)).catch(() => {});
    while (!/\r\n\r\n[^]*\}$/.test(response)) {
      const read = await connection.read(buffer).catch(() => null);
      if (read === null) break;
      response += new TextDecoder().decode(buffer.subarray(0, read));
    }
  } finally {
    connection.close();
  }
  return response;
}
const headers = (...lines: string[]) =>
  [`POST ${NAMESPACE}/subscribe HTTP/1.1`, "Host: news.example", "Connection: close", ...lines, "", ""].join(
    "\r\n",
  );
const chunked = (body: string, size: number) => {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  return [...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`), "0\r\n\r\n"];
};
const bodyOfSize = (program: TestProgram, bytes: number) => {
  const body = { source: "popup", email: "ada@example.com", cfbe_token: program.token(), pad: "" };
  return JSON.stringify({ ...body, pad: "x".repeat(bytes - JSON.stringify(body).length) });
};

Deno.test("4096 bytes in chunks of any size are accepted, 4097 get 413 with no-store", async () => {
  await using program = await startProgram();
  for (const size of [1, 100, 4_096, 9_999]) {
    const send = (bytes: number) =>
      sendRaw(program, [
        headers("Transfer-Encoding: chunked"),
        chunked(bodyOfSize(program, bytes), size).join(""),
      ]);
    if (size > 1) assert.match(await send(4_096), /^HTTP\/1\.1 (200|429)/);
    const refused = await send(4_097);
    assert.match(refused, /^HTTP\/1\.1 413/);
    assert.match(refused, /cache-control: no-store/i);
    assert.match(refused, /"code":"invalid"/);
  }
});

Deno.test("a body with a Content-Length over 4096 gets 413 before all of it has arrived", async () => {
  await using program = await startProgram();
  const body = bodyOfSize(program, 1_000_000);
  const response = await sendRaw(program, [headers("Content-Length: 1000000"), body.slice(0, 5_000)]);
  assert.match(response, /^HTTP\/1\.1 413/);
});

Deno.test("a Content-Length below the real size cuts the body off, and the broken JSON gets 400", async () => {
  await using program = await startProgram();
  const response = await sendRaw(program, [headers("Content-Length: 10"), bodyOfSize(program, 5_000)]);
  assert.match(response, /^HTTP\/1\.1 400/);
});

Deno.test("a request that waits for the rest of its body delays no other request", async () => {
  await using program = await startProgram();
  const connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(program.baseUrl).port),
  });
  await connection.write(new TextEncoder().encode(headers("Content-Length: 4000") + '{"source":"popup"'));
  const response = await program.subscribe({ email: "ada@example.com" });
  assert.deepEqual([response.status, (await response.json()).code], [200, "pending"]);
  connection.close();
});

Deno.test("conflicting or invalid lengths get an error, never a signup", async () => {
  await using program = await startProgram();
  const body = bodyOfSize(program, 300);
  for (
    const lines of [
      ["Content-Length: 300", "Content-Length: 3"],
      ["Content-Length: -1"],
      ["Content-Length: many"],
      ["Content-Length: 99999999999999999999"],
      ["Transfer-Encoding: chunked, gzip"],
    ]
  ) assert.match(await sendRaw(program, [headers(...lines), body]), /^(HTTP\/1\.1 4|$)/, lines.join());
  assert.equal((await program.services.counters.totals())["accepted"], undefined);
});

Deno.test("a signup with an invalid Host header is accepted", async () => {
  await using program = await startProgram();
  for (const [i, host] of ["a b", "x:99999", "[::1", ""].entries()) {
    const body = bodyOfSize(program, 300).replace("ada@", `ada${i}@`);
    const request = headers(`Content-Length: ${body.length}`).replace("news.example", host) + body;
    assert.match(await sendRaw(program, [request]), /^HTTP\/1\.1 200/, host);
  }
  assert.equal((await program.services.counters.totals())["accepted"], 4);
});
