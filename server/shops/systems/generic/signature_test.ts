import assert from "node:assert/strict";
import fc from "fast-check";
import { isSigned, SIGNATURE_HEADER, signOrder, TIME_HEADER } from "./signature.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const NOW = 1_735_732_800_000;

Deno.test("the signature equals openssl's HMAC of timestamp, dot and raw body", () => {
  // printf '%s' '1735732800.{"id":"1"}' | openssl dgst -sha256 -hmac 'the shop secret'
  assert.equal(
    signOrder("the shop secret", "1735732800", bytes('{"id":"1"}')),
    "sha256=470279424cc349ef6c765b240d3d57fe85ee6a40c87fa408572b6010e41a638c",
  );
});

Deno.test("a signature is valid only for its body, time and secret, and no header throws", () => {
  const body = bytes('{"id":"1"}');
  const time = String(NOW / 1000);
  const headers = (signature: string, at = time) => {
    const made = new Headers();
    try {
      made.set(SIGNATURE_HEADER, signature);
      made.set(TIME_HEADER, at);
    } catch {
      // Such a header cannot be sent.
    }
    return made;
  };
  const good = signOrder("s", time, body);
  assert.ok(isSigned(headers(good), body, { secret: "s", now: NOW }));
  assert.ok(!isSigned(headers(good), bytes('{"id":"2"}'), { secret: "s", now: NOW }));
  assert.ok(!isSigned(headers(good), body, { secret: "t", now: NOW }));
  assert.ok(!isSigned(headers(good, `${NOW / 1000 + 1}`), body, { secret: "s", now: NOW }));
  assert.ok(!isSigned(new Headers(), body, { secret: "s", now: NOW }));
  // The boundary between time and body can't be moved.
  const moved = signOrder("s", "1", bytes("1.x"));
  assert.ok(!isSigned(headers(moved, "1.1"), bytes("x"), { secret: "s", now: 1000 }));
  fc.assert(fc.property(fc.string(), fc.string(), (signature, at) => {
    assert.ok(!isSigned(headers(signature, at), body, { secret: "s", now: NOW }));
  }));
});

Deno.test("a signature is valid for five minutes before and after its time, and no longer", () => {
  const body = bytes('{"id":"1"}');
  const isValidAfter = (seconds: number) => {
    const time = String(NOW / 1000 - seconds);
    const headers = new Headers({ [SIGNATURE_HEADER]: signOrder("s", time, body), [TIME_HEADER]: time });
    return isSigned(headers, body, { secret: "s", now: NOW });
  };
  assert.deepEqual([-301, -300, 300, 301].map(isValidAfter), [false, true, true, false]);
});

Deno.test("with an empty secret, not even a signature made with it is valid", () => {
  const body = bytes('{"id":"1"}');
  const time = String(NOW / 1000);
  const headers = new Headers({ [SIGNATURE_HEADER]: signOrder("", time, body), [TIME_HEADER]: time });
  assert.ok(!isSigned(headers, body, { secret: "", now: NOW }));
});
