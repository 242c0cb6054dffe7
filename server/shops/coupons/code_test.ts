import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { createKeyring } from "../../platform/keys/keyring.ts";
import { createMarkers } from "../mail/markers.ts";
import { ALPHABET, codeFor } from "./code.ts";
import { lastDay } from "./row.ts";

const markers = createMarkers(createKeyring(["a salt that is long enough for this"]));
const codeOf = (email: string, prefix = "") => codeFor(prefix, markers.couponCode(email));

Deno.test("a code depends only on the mailbox and the salt", () => {
  assert.equal(codeOf("ann@gmail.com"), codeOf("A.n.n+x@googlemail.com"));
  assert.notEqual(codeOf("ann@gmail.com"), codeOf("bob@gmail.com"));
  const other = createMarkers(createKeyring(["another salt that is long enough"]));
  assert.notEqual(codeOf("ann@gmail.com"), codeFor("", other.couponCode("ann@gmail.com")));
});

Deno.test("a code has over 60 bits after its prefix, and no characters that look alike", () => {
  const code = codeOf("ann@example.com", "hi");
  const [prefix, ...groups] = code.split("-");
  assert.equal(prefix, "HI");
  assert.ok(groups.join("").length * Math.log2(ALPHABET.length) > 60);
  assert.equal(new Set(ALPHABET).size, ALPHABET.length);
  assert.ok(!/[01258ABEILOSUYZ]/.test(ALPHABET));
  assert.match(codeOf("ann@example.com"), /^[A-Z3479]{5}-/);
});

Deno.test("every letter is equally likely", () => {
  const counts = new Map<string, number>();
  const rounds = 4000;
  for (let i = 0; i < rounds; i++) {
    for (const letter of codeOf(`${i}@example.com`).replaceAll("-", "")) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
  }
  const expected = (rounds * 15) / ALPHABET.length;
  for (const letter of ALPHABET) {
    assert.ok(Math.abs(counts.get(letter)! - expected) < 6 * Math.sqrt(expected), letter);
  }
});

Deno.test("a coupon is valid until its last day ends in every time zone, and never for less than its days", () => {
  fc.assert(fc.property(fc.nat(4e12), fc.integer({ min: 1, max: 3650 }), (now, validDays) => {
    const { day, endsAt } = lastDay(now, validDays);
    assert.ok(endsAt >= now + validDays * 86_400_000);
    // 23:59 of that day at UTC-12 is 11:59 of the next one at UTC.
    assert.equal(endsAt, Date.parse(`${day}T24:00:00-12:00`));
  }));
});

Deno.test("bytes that would make some letters more likely are skipped, and further ones asked for", () => {
  const rounds = [[255, 240, 239, 0, 1], Array.from({ length: 20 }, (_, at) => at + 2)];
  const asked: string[] = [];
  const code = codeFor("hi", (text) => {
    asked.push(text);
    return Buffer.from(rounds[Number(text)]!).toString("base64url");
  });
  assert.deepEqual([code, asked], ["HI-9CDFG-HJKMN-PQRTV", ["0", "1"]]);
});
