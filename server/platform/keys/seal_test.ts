import assert from "node:assert/strict";
import fc from "fast-check";
import { systemRandom } from "../deps.ts";
import { createKeyring } from "./keyring.ts";
import { z } from "zod";
import { encrypt, keyOf, reseal, seal, sealedJson, unseal } from "./seal.ts";

const SALT = "a salt for tests, long enough to be one";
const PREVIOUS_SALT = "another salt that was in use until today";
const ring = createKeyring([SALT]);

Deno.test("a sealed secret can be decrypted, differs each time and does not contain the secret", async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (secret) => {
    const [one, two] = [await seal(ring, systemRandom, secret), await seal(ring, systemRandom, secret)];
    assert.notEqual(one, two);
    if (secret.length > 4) assert.ok(!one.includes(secret));
    assert.equal(await unseal(ring, one), secret);
  }));
});

Deno.test("after a change of salt, secrets sealed under a listed salt can be decrypted, and no others", async () => {
  const sealed = await seal(createKeyring([PREVIOUS_SALT]), systemRandom, "the key");
  assert.equal(await unseal(createKeyring([SALT, PREVIOUS_SALT]), sealed), "the key");
  assert.equal(await unseal(ring, sealed), undefined);
});

Deno.test("a changed sealed secret is not decrypted, and nothing throws", async () => {
  const sealed = await seal(ring, systemRandom, "the key");
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === "A" ? "B" : "A";
    const read = await unseal(ring, sealed.slice(0, at) + other + sealed.slice(at + 1));
    // The last character has unused bits that decode to the same bytes.
    assert.ok(read === undefined || at === sealed.length - 1);
  }
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
    assert.equal(await unseal(ring, text), undefined);
    assert.equal(await unseal(ring, `sealed:1:${text}`), undefined);
  }));
});

Deno.test("a sealed secret is sealed again only under a newer salt, and is known by the salt that opens it", async () => {
  const rotated = createKeyring([SALT, PREVIOUS_SALT]);
  const [old, fresh] = [
    await seal(createKeyring([PREVIOUS_SALT]), systemRandom, "the key"),
    await seal(ring, systemRandom, "the key"),
  ];
  assert.equal(await reseal(rotated, systemRandom, fresh), fresh);
  const again = (await reseal(rotated, systemRandom, old))!;
  assert.equal(await unseal(ring, again), "the key");
  assert.equal(await reseal(ring, systemRandom, old), undefined);
  const keys = [fresh, old, again, "sealed:1:x"].map((sealed) => keyOf(rotated, "cfbe/seal", sealed));
  assert.deepEqual(await Promise.all(keys), [0, 1, 0, undefined]);
  const unmarked = await encrypt(createKeyring([PREVIOUS_SALT]), systemRandom, "cfbe/seal", "the key");
  assert.equal(await keyOf(rotated, "cfbe/seal", unmarked), 1);
});

Deno.test("sealed data is opened in its shape, and nothing is opened of another salt, purpose or shape", async () => {
  const json = sealedJson("cfbe/seal", z.object({ a: z.number() }));
  const sealed = await json.seal({ keyring: ring, random: systemRandom }, { a: 1 });
  assert.deepEqual(await json.open({ keyring: ring }, sealed), { a: 1 });
  const other = sealedJson("cfbe/seal", z.object({ b: z.number() }));
  const another = sealedJson("cfbe/bulk", z.object({ a: z.number() }));
  const opened = [
    json.open({ keyring: ring }, undefined),
    json.open({ keyring: createKeyring([PREVIOUS_SALT]) }, sealed),
    other.open({ keyring: ring }, sealed),
    another.open({ keyring: ring }, sealed),
  ];
  assert.deepEqual(await Promise.all(opened), Array(4).fill(undefined));
});
