import assert from "node:assert/strict";
import fc from "fast-check";
import { systemRandom } from "../deps.ts";
import { createKeyring } from "./keyring.ts";
import { seal, unseal } from "./seal.ts";

const SALT = "a salt for tests, long enough to be one";
const OLD = "another salt that was in use until today";
const ring = createKeyring([SALT]);

Deno.test("what was sealed is read again, and is never the same twice nor readable by itself", async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (secret) => {
    const [one, two] = [await seal(ring, systemRandom, secret), await seal(ring, systemRandom, secret)];
    assert.notEqual(one, two);
    if (secret.length > 4) assert.ok(!one.includes(secret));
    assert.equal(await unseal(ring, one), secret);
  }));
});

Deno.test("a changed salt opens what the listed one sealed; an unlisted one opens nothing", async () => {
  const sealed = await seal(createKeyring([OLD]), systemRandom, "the key");
  assert.equal(await unseal(createKeyring([SALT, OLD]), sealed), "the key");
  assert.equal(await unseal(ring, sealed), undefined);
});

Deno.test("a row that was tampered with is not opened, and nothing throws", async () => {
  const sealed = await seal(ring, systemRandom, "the key");
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === "A" ? "B" : "A";
    const read = await unseal(ring, sealed.slice(0, at) + other + sealed.slice(at + 1));
    // The last character carries spare bits that decode to the same bytes.
    assert.ok(read === undefined || at === sealed.length - 1);
  }
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
    assert.equal(await unseal(ring, text), undefined);
    assert.equal(await unseal(ring, `sealed:1:${text}`), undefined);
  }));
});
