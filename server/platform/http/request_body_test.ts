import assert from "node:assert/strict";
import { systemClock } from "../deps.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { asObject, parseJson, readBody } from "./request_body.ts";

function request(chunks: number[], headers: Record<string, string> = {}) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = chunks[read++];
      if (size === undefined) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(32));
    },
  }, { highWaterMark: 0 });
  return { request: new Request("http://x/", { method: "POST", body, headers }), read: () => read };
}

Deno.test("a body of exactly the maximum size is read, and one byte more is rejected", async () => {
  assert.equal(
    (await readBody(request([4000, 96]).request, 4096, systemClock))?.length,
    4096,
  );
  assert.equal(await readBody(request([4000, 97]).request, 4096, systemClock), undefined);
});

Deno.test("bytes are counted, whatever Content-Length says", async () => {
  assert.equal(
    await readBody(request([5000], { "content-length": "10" }).request, 4096, systemClock),
    undefined,
  );
  assert.equal(
    (await readBody(request([10], { "content-length": "999999" }).request, 4096, systemClock))?.length,
    10,
  );
});

Deno.test("a body whose declared length is right is read up to the maximum size too, and none is empty", async () => {
  const ofLength = (bytes: number) =>
    readBody(request([bytes], { "content-length": `${bytes}` }).request, 4096, systemClock);
  assert.equal((await ofLength(4096))?.length, 4096);
  assert.equal(await ofLength(4097), undefined);
  assert.equal((await readBody(new Request("http://x/", { method: "POST" }), 4096, systemClock))?.length, 0);
});

Deno.test("reading stops at the limit: an endless body costs no memory", async () => {
  const endless = request(Array(1_000_000).fill(1024));
  assert.equal(await readBody(endless.request, 4096, systemClock), undefined);
  assert.ok(endless.read() <= 6, `read ${endless.read()} chunks`);
});

Deno.test("bytes that are not UTF-8 are not JSON", () => {
  assert.equal(parseJson(new Uint8Array([0x22, 0xff, 0x22])), undefined);
  assert.deepEqual(parseJson(new TextEncoder().encode('{"a":1}')), { a: 1 });
});

Deno.test("reading a body that stalls ends after 10 seconds", async () => {
  const clock = new ManualClock();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a"')),
  });
  const read = readBody(new Request("http://x/", { method: "POST", body }), 4096, clock);
  await clock.advance(10_000);
  assert.equal(new TextDecoder().decode(await read), '{"a"');
});

Deno.test("a body with a declared length that stalls counts as empty after 10 seconds", async () => {
  const clock = new ManualClock();
  const headers = { "content-length": "20" };
  const read = readBody(
    new Request("http://x/", { method: "POST", body: new ReadableStream(), headers }),
    4096,
    clock,
  );
  await clock.advance(10_000);
  assert.equal((await read)?.length, 0);
});

Deno.test("null, a list and a text are not objects", () => {
  assert.deepEqual([null, [], "{}", 1, undefined].map(asObject), Array(5).fill(undefined));
  assert.deepEqual(asObject({ a: 1 }), { a: 1 });
});
