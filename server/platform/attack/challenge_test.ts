import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { solveChallenge } from "altcha-lib";
import fc from "fast-check";
import type { FormChallenge } from "../../../shared/contract.ts";
import { issueToken } from "../keys/form_token.ts";
import { createKeyring } from "../keys/keyring.ts";
import { createChallenge, createTicket, proofId, splitToken } from "./challenge.ts";

const keyring = createKeyring(["a salt for tests, long enough to be one"]);
/** Its numbers are small, so that they are found at once. */
const random = {
  bytes: (length: number) => length === 4 ? new Uint8Array([0, 0, 3, 233]) : new Uint8Array(length).fill(7),
};
const NOW = 1_764_222_800_000;
const HOUR = 3_600_000;
const token = issueToken(keyring, NOW);
const made = createChallenge({ keyring, random }, token, NOW);

const proofOf = (solution: Record<string, unknown>) => btoa(JSON.stringify(solution));
const { maxnumber: _, ...rest } = made;
const solved = { ...rest, number: 1_001 };
const idOf = (solution: Record<string, unknown>, of = token, now = NOW + 5_000) =>
  proofId(keyring, of, proofOf(solution), now);
const btoaOf = (text: string) => Buffer.from(text).toString("base64");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

Deno.test("a challenge has the ALTCHA format, and another implementation solves it", async () => {
  assert.deepEqual(Object.keys(made).toSorted(), [
    "algorithm",
    "challenge",
    "maxnumber",
    "salt",
    "signature",
  ]);
  const { promise } = solveChallenge(made.challenge, made.salt, made.algorithm, 2_000);
  const solution = await promise;
  assert.equal(solution?.number, 1_001);
  assert.equal(idOf({ ...rest, ...solution, took: 12 }), made.challenge);
});

Deno.test("a solution is valid as long as its token is, and then no more", () => {
  assert.ok(idOf(solved, token, NOW + 2 * HOUR - 1_000));
  assert.equal(idOf(solved, token, NOW + 2 * HOUR + 1_000), undefined);
});

Deno.test("a solution belongs to the token that it came with", () => {
  assert.equal(idOf(solved, issueToken(keyring, NOW + 1)), undefined);
});

Deno.test("after a change of salt, earlier solutions are valid as long as earlier tokens are", () => {
  const newer = createKeyring([
    "another salt for tests, long enough",
    "a salt for tests, long enough to be one",
  ]);
  assert.equal(proofId(newer, token, proofOf(solved), NOW), made.challenge);
  const other = createKeyring(["another salt for tests, long enough"]);
  assert.equal(proofId(other, token, proofOf(solved), NOW), undefined);
});

const forged: Record<string, Record<string, unknown>> = {
  "another number": { number: 1_002 },
  "a fraction": { number: 1_001.5 },
  "a number as text": { number: "1001" },
  "another algorithm": { algorithm: "SHA-1" },
  "an own challenge": { salt: "mine&", challenge: sha256("mine&5"), number: 5 },
  "no signature": { signature: "" },
  "a signature of another purpose": {
    signature: Buffer.from(keyring.sign("cfbe/form-token", made.challenge), "base64url").toString("hex"),
  },
  "digits moved from the number to the salt": { salt: `${made.salt}100`, number: 1 },
  "another expiry": { salt: made.salt.replace(/expires=\d+/, "expires=9999999999") },
  "a missing member": { salt: undefined },
};
for (const [what, change] of Object.entries(forged)) {
  Deno.test(`a solution with ${what} is invalid`, () =>
    assert.equal(idOf({ ...solved, ...change }), undefined));
}

Deno.test("whatever is sent as a proof, checking it neither fails nor accepts it", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json().map(btoaOf),
    fc.record({
      algorithm: fc.constantFrom("SHA-256", ""),
      challenge: fc.string(),
      number: fc.anything(),
      salt: fc.string(),
      signature: fc.string(),
    }, { requiredKeys: [] }).map((made) => btoaOf(JSON.stringify(made) ?? "")),
    fc.constant(proofOf(solved).repeat(10)),
  );
  fc.assert(fc.property(anything, (proof) => {
    assert.equal(proofId(keyring, token, proof, NOW), undefined);
  }));
});

Deno.test("a ticket is valid with its token, once that is ten seconds old", () => {
  const ticket = createTicket({ keyring, random }, token);
  assert.equal(proofId(keyring, token, ticket, NOW + 9_999), undefined);
  assert.match(proofId(keyring, token, ticket, NOW + 10_000)!, /^(07){16}$/);
  assert.equal(proofId(keyring, issueToken(keyring, NOW - 1), ticket, NOW + 10_000), undefined);
  assert.equal(proofId(keyring, token, `8${ticket.slice(1)}`, NOW + 10_000), undefined);
});

Deno.test("a token without a proof is sent as the contract says, and one with a proof is split after its signature", () => {
  for (const sent of [token, "", "x", "1.x", undefined, null, 5, {}]) {
    assert.deepEqual(splitToken(sent), { token: sent });
  }
  assert.deepEqual(splitToken(`${token}.a.b`), { token, proof: "a.b" });
  assert.deepEqual(splitToken(`${token}.`), { token, proof: "" });
});

Deno.test("two challenges of one token are not the same, so that two visitors of a millisecond have their own", () => {
  let next = 0;
  const differing = { bytes: (length: number) => new Uint8Array(length).fill(++next) };
  const make = (): FormChallenge => createChallenge({ keyring, random: differing }, token, NOW);
  assert.notEqual(make().challenge, make().challenge);
});
