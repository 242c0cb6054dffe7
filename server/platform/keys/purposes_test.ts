import assert from "node:assert/strict";
import { systemRandom } from "../deps.ts";
import { createKeyring } from "./keyring.ts";
import { KINDS, type Purpose, PURPOSES, purposesOf } from "./purposes.ts";
import { decrypt, encrypt } from "./seal.ts";

const [FIRST, SECOND, THIRD] = ["first", "second", "third"].map((name) =>
  `the ${name} salt, which is long enough to be one`
) as [string, string, string];

const before = createKeyring([FIRST]);
const rotated = createKeyring([SECOND, FIRST]);
const revoked = createKeyring([SECOND], FIRST);

Deno.test("every purpose is of one kind, and has a key of its own", () => {
  const counted = Object.keys(KINDS).flatMap((kind) => purposesOf(kind as keyof typeof KINDS));
  assert.deepEqual(counted.toSorted(), Object.keys(PURPOSES).toSorted());
  const infos = Object.entries(PURPOSES).map(([purpose, { kind, ...declared }]) =>
    `${kind} ${"info" in declared ? declared.info : purpose}`
  );
  assert.equal(new Set(infos).size, infos.length);
  const keys = purposesOf("sealing").map((purpose) => String(before.keysFor(purpose)[0]));
  const hashes = [
    ...purposesOf("signing").map((purpose) => before.sign(purpose, "x")),
    // Derived like the signature of a backup, as backups of earlier versions are.
    ...purposesOf("identity").filter((purpose) => purpose !== "cfbe/backup-marks")
      .map((purpose) => before.identify(purpose, "x")),
  ];
  assert.ok(purposesOf("sealing").every((purpose) => before.keysFor(purpose)[0]!.length === 32));
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(hashes).size, hashes.length);
});

for (const purpose of purposesOf("signing")) {
  Deno.test(`${purpose} signs with the newest salt, and verifies an earlier one until it is revoked`, () => {
    const old = before.sign(purpose, "x");
    const fresh = rotated.sign(purpose, "x");
    assert.notEqual(fresh, old);
    assert.ok(rotated.verify(purpose, "x", old) && rotated.verify(purpose, "x", fresh));
    assert.ok(revoked.verify(purpose, "x", fresh));
    assert.ok(!revoked.verify(purpose, "x", old));
  });
}

for (const purpose of purposesOf("sealing")) {
  Deno.test(`${purpose} encrypts with the newest salt, and decrypts an earlier one until it is revoked`, async () => {
    const old = await encrypt(before, systemRandom, purpose, "x");
    const fresh = await encrypt(rotated, systemRandom, purpose, "x");
    assert.equal(await decrypt(rotated, purpose, old), "x");
    assert.equal(await decrypt(revoked, purpose, fresh), "x");
    assert.equal(await decrypt(before, purpose, fresh), undefined);
    assert.equal(await decrypt(revoked, purpose, old), undefined);
  });
}

for (const purpose of purposesOf("identity")) {
  Deno.test(`${purpose} names with the first salt, whatever is rotated and revoked`, () => {
    const name = before.identify(purpose, "x");
    const later = [
      rotated,
      revoked,
      createKeyring([THIRD, SECOND, FIRST]),
      createKeyring([THIRD, SECOND], FIRST),
    ];
    for (const keyring of later) assert.equal(keyring.identify(purpose, "x"), name);
    assert.notEqual(createKeyring([SECOND]).identify(purpose, "x"), name);
  });
}

Deno.test("the keys of each purpose are those of earlier versions", () => {
  const signed: Partial<Record<Purpose, string>> = {};
  for (const purpose of purposesOf("signing")) signed[purpose] = before.sign(purpose, "x").slice(0, 8);
  for (const purpose of purposesOf("identity")) signed[purpose] = before.identify(purpose, "x").slice(0, 8);
  assert.deepEqual(signed, EARLIER);
});

/** The beginnings of what the version before this table computed. */
const EARLIER: Partial<Record<Purpose, string>> = {
  "cfbe/form-token": "bbxKeq0N",
  "cfbe/challenge": "oWmUSGWh",
  "cfbe/wp_rest": "gpbhfEOI",
  "cfbe/form-config": "7PVuDqdf",
  "cfbe/cart-link": "d4vg5W4_",
  "cfbe/cart-stop": "S_zh7ScL",
  "cfbe/admin-nonce": "oayPTg5A",
  "cfbe/admin-device": "Ijm5z8Qt",
  "cfbe/admin-second-factor": "pq8gKmOQ",
  "cfbe/admin-sign-in": "6qq_CnOn",
  "cfbe/admin-passkey": "v7hDKNu9",
  "cfbe/admin-oidc": "i_9uNwNt",
  "cfbe/purge": "Nj6qtB1n",
  "cfbe/site": "RVDfs2uN",
  "cfbe/backup": "GfM1UIJb",
  "cfbe/mailbox": "nhMLh3aH",
  "cfbe/cart": "3fbRACNV",
  "cfbe/order": "DpeZQ7Ft",
  "cfbe/order-of-site": "FGkmyfYi",
  "cfbe/coupon": "MqMvxcZp",
  "cfbe/contact": "U_IaPM3Z",
  "cfbe/subject": "DwU8kHC6",
  "cfbe/audit": "IByHStQU",
  "cfbe/audit-chain": "KM0cjF7E",
  "cfbe/admin-credential": "Jh8s4HQI",
  "cfbe/fingerprint": "4zBlM0yL",
  "cfbe/backup-marks": "GfM1UIJb",
};
