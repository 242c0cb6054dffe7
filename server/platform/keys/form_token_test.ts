import assert from "node:assert/strict";
import fc from "fast-check";
import { issueToken, tokenFault } from "./form_token.ts";
import { createKeyring, type Keyring } from "./keyring.ts";

const NOW = Date.UTC(2025, 0, 1, 12);
const ring = createKeyring(["a salt for tests, long enough to be one"]);
const fault = (ageMs: number) => tokenFault(ring, issueToken(ring, NOW - ageMs), NOW);

Deno.test("a token is `<time>.<signature>`, with the time in Unix milliseconds", () => {
  assert.match(issueToken(ring, NOW + 0.7), new RegExp(`^${NOW}\\.[A-Za-z0-9_-]{43}$`));
});

const ages: [ageMs: number, expected: string | undefined][] = [
  [2_999, "token_young"],
  [3_000, undefined],
  [7_200_000, undefined],
  [7_200_001, "token_old"],
  [0, "token_young"],
  [-60_000, "token_young"],
  [-60_001, "token_wrong"],
];
for (const [ageMs, expected] of ages) {
  Deno.test(`a token ${ageMs} ms old is ${expected ?? "good"}`, () => assert.equal(fault(ageMs), expected));
}

Deno.test("a missing, a malformed and a wrongly signed token each have their own fault", () => {
  for (const none of [undefined, null, ""]) assert.equal(tokenFault(ring, none, NOW), "token_missing");
  const token = issueToken(ring, NOW - 10_000);
  const [time, signature] = token.split(".") as [string, string];
  for (
    const malformed of [
      1,
      true,
      {},
      [token],
      time,
      `${time}.`,
      `.${signature}`,
      `${token}.`,
      ` ${token}`,
      `-${token}`,
    ]
      .concat(`${time}.${signature.slice(1)}`, `1e3.${signature}`, `${"9".repeat(16)}.${signature}`)
  ) assert.equal(tokenFault(ring, malformed, NOW), "token_malformed", Deno.inspect(malformed));
  assert.equal(tokenFault(ring, `${Number(time) + 1}.${signature}`, NOW), "token_wrong");
  assert.equal(tokenFault(ring, `0${token}`, NOW), "token_wrong");
});

Deno.test("a repeated token is verified once, and one that is not genuine each time", () => {
  let verifications = 0;
  const counting: Keyring = {
    ...ring,
    generation: {},
    verify(...signed) {
      verifications++;
      return ring.verify(...signed);
    },
  };
  const token = issueToken(ring, NOW - 10_000);
  const forged = `${NOW - 20_000}.${token.split(".")[1]}`;
  for (let i = 0; i < 3; i++) assert.equal(tokenFault(counting, token, NOW), undefined);
  assert.equal(tokenFault(counting, token, NOW + 7_200_000), "token_old");
  assert.equal(verifications, 1);
  for (let i = 0; i < 3; i++) assert.equal(tokenFault(counting, forged, NOW), "token_wrong");
  assert.equal(verifications, 4);
});

Deno.test("a token that one keyring accepts is verified again by another", () => {
  const token = issueToken(ring, NOW - 10_000);
  assert.equal(tokenFault(ring, token, NOW), undefined);
  assert.equal(
    tokenFault(createKeyring(["another salt, of the same kind of length"]), token, NOW),
    "token_wrong",
  );
});

Deno.test("checking a token never throws, whatever the value", () => {
  const near = fc.tuple(fc.string(), fc.string()).map((parts) => parts.join("."));
  fc.assert(fc.property(fc.oneof(fc.anything(), near, fc.string({ unit: "binary" })), (value) => {
    assert.ok(tokenFault(ring, value, NOW));
  }));
});
