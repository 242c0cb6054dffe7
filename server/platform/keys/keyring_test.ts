import assert from "node:assert/strict";
import fc from "fast-check";
import { createKeyring, secretsEqual } from "./keyring.ts";

const SALT = "a salt for tests, long enough to be one";
const OLD = "another salt that was in use until today";
const ring = createKeyring([SALT]);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constant("\ud800"));

/** Computes the signature of decision 8 independently, with Web Crypto. */
async function independent(salt: string, info: string, message: string): Promise<string> {
  const utf8 = (value: string) => new TextEncoder().encode(value);
  const ikm = await crypto.subtle.importKey("raw", utf8(salt), "HKDF", false, ["deriveBits"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(info) };
  const raw = await crypto.subtle.deriveBits(derivation, ikm, 256);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(message)));
  return btoa(String.fromCharCode(...signature)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

Deno.test("an independent implementation of decision 8 computes the same signature", async () => {
  for (const info of ["cfbe/form-token", "cfbe/form-config", "cfbe/wp_rest"] as const) {
    for (const message of ["1735732800000", "", "eyJsaXN0IjoiYSJ9", "ünïcödé 😀"]) {
      assert.equal(ring.sign(info, message), await independent(SALT, info, message));
    }
  }
});

Deno.test("a fixed test vector pins the signature scheme", () => {
  assert.equal(ring.sign("cfbe/form-token", "1735732800000"), "VWzHg4kWrXt4BaMZcUdnw0YD4x_dDeAG8uNjY2P5hbE");
});

Deno.test("a signature verifies only for its own text, purpose, salt and encoding", () => {
  fc.assert(fc.property(text, text, (message, other) => {
    const signature = ring.sign("cfbe/form-token", message);
    assert.ok(ring.verify("cfbe/form-token", message, signature));
    assert.ok(!ring.verify("cfbe/form-config", message, signature));
    assert.ok(!createKeyring([OLD]).verify("cfbe/form-token", message, signature));
    assert.ok(!ring.verify("cfbe/form-token", message, signature + "="));
    if (other.toWellFormed() !== message.toWellFormed()) {
      assert.ok(!ring.verify("cfbe/form-token", other, signature));
    }
  }));
});

Deno.test("of all encodings that decode to the same signature, only one verifies", () => {
  const signature = ring.sign("cfbe/form-token", "1");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=";
  const accepted = [...alphabet].filter((last) =>
    ring.verify("cfbe/form-token", "1", signature.slice(0, -1) + last)
  );
  assert.deepEqual(accepted, [signature.at(-1)]);
});

Deno.test("verifying never throws, whatever the signature", () => {
  fc.assert(fc.property(text, text, (message, signature) => {
    assert.equal(ring.verify("cfbe/form-token", message, signature), false);
  }));
});

Deno.test("after a change of salt, old signatures stay valid while the old salt is listed, and new ones use the new salt", () => {
  const before = createKeyring([OLD]);
  const after = createKeyring([SALT, OLD]);
  const [old, fresh] = [before.sign("cfbe/form-token", "1"), after.sign("cfbe/form-token", "1")];
  assert.ok(after.verify("cfbe/form-token", "1", old));
  assert.ok(after.verify("cfbe/form-token", "1", fresh));
  assert.equal(fresh, ring.sign("cfbe/form-token", "1"));
  assert.ok(!ring.verify("cfbe/form-token", "1", old));
});

Deno.test("a mailbox keeps its keyed hash after a change of salt", () => {
  const name = (...salts: [string, ...string[]]) =>
    createKeyring(salts).identify("cfbe/mailbox", "ada@example.com");
  assert.equal(name(SALT, OLD), name(OLD));
  assert.notEqual(name(SALT), name(OLD));
});

Deno.test("two secrets are equal if they are the same and not empty", () => {
  fc.assert(fc.property(text, text, (a, b) => {
    assert.equal(secretsEqual(a, a), a !== "");
    assert.equal(secretsEqual(a, b), a !== "" && a.toWellFormed() === b.toWellFormed());
  }));
  for (const unset of [undefined, ""]) {
    for (const given of [undefined, "", "x", "undefined"]) assert.equal(secretsEqual(given, unset), false);
  }
  assert.equal(secretsEqual(undefined, "x"), false);
});
