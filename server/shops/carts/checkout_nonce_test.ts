import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { issueNonce, newSession, sessionOf } from "./checkout_nonce.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";

const NOW = Date.UTC(2025, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1000;
const keyring = createKeyring(["a salt that is long enough for this"]);
const session = newSession(seededRandom(1));
const nonce = issueNonce(keyring, session, NOW);

Deno.test("a nonce is valid for exactly 24 hours", () => {
  assert.match(session, /^[A-Za-z0-9_-]{22}$/);
  assert.equal(sessionOf(keyring, nonce, NOW), session);
  assert.equal(sessionOf(keyring, nonce, NOW + DAY_MS), session);
  assert.equal(sessionOf(keyring, nonce, NOW + DAY_MS + 1), undefined);
});

Deno.test("a nonce from a clock that is up to a minute ahead is valid", () => {
  assert.equal(sessionOf(keyring, nonce, NOW - 60_000), session);
  assert.equal(sessionOf(keyring, nonce, NOW - 60_001), undefined);
});

Deno.test("a nonce signed with a previous salt is valid while that salt is listed", () => {
  const rotated = createKeyring(["another salt, long enough as well", "a salt that is long enough for this"]);
  assert.equal(sessionOf(rotated, nonce, NOW), session);
  assert.equal(sessionOf(createKeyring(["another salt, long enough as well"]), nonce, NOW), undefined);
});

Deno.test("any other input is invalid and never throws", () => {
  const other = newSession(seededRandom(2));
  const [, time, signature] = nonce.split(".");
  const forged = [
    undefined,
    "",
    `${other}.${time}.${signature}`,
    `${session}.${NOW + 1}.${signature}`,
    `${session}.0${time}.${signature}`,
    `${nonce}=`,
    ` ${nonce}`,
    // A form token is signed for another purpose.
    `${session}.${time}.${keyring.sign("cfbe/form-token", `${session}.${time}`)}`,
  ];
  for (const wrong of forged) assert.equal(sessionOf(keyring, wrong, NOW), undefined, wrong);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.equal(sessionOf(keyring, text, NOW), undefined);
  }));
});
