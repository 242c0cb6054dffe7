import assert from "node:assert/strict";
import { systemClock, systemRandom } from "../../platform/deps.ts";
import { keys } from "../../platform/kv/keys.ts";
import { openSettings } from "../../settings/store/store.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { adoptSalts, openKeyring, type SaltsRow, WrongSalt } from "./salts.ts";

const [FIRST, SECOND, THIRD, OTHER] = ["first", "second", "third", "another"].map((name) =>
  `the ${name} salt, which is long enough to be one`
) as [string, string, string, string];

/** Opens an empty database with helpers that start on it with the given salts. */
async function database() {
  const temp = await tempKv();
  const { kv } = temp;
  const open = (...salts: [string, ...string[]]) =>
    openKeyring({ kv, salts: { accepted: salts }, clock: systemClock, random: systemRandom });
  return {
    kv,
    open,
    adopt: (...salts: [string, ...string[]]) =>
      adoptSalts({ kv, salts: { accepted: salts }, clock: systemClock, random: systemRandom }),
    async settings(...salts: [string, ...string[]]) {
      return await openSettings({
        kv,
        keyring: await open(...salts),
        random: systemRandom,
        fixed: [],
        fallback: {},
      });
    },
    row: async () => (await kv.get<SaltsRow>(keys.salts())).value,
    startError: (...salts: [string, ...string[]]) =>
      open(...salts).then(() => assert.fail("it started"), (error) => {
        assert.ok(error instanceof WrongSalt);
        return error.message;
      }),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

Deno.test("a database opens only with the salt it was created with, and contains no salt", async () => {
  await using db = await database();
  await db.open(FIRST);
  const row = await db.row();
  assert.ok(!JSON.stringify(row).includes(FIRST));
  assert.match(
    await db.startError(OTHER),
    /^The salt that this database was created with is not set\. Set/,
  );
  assert.deepEqual(await db.row(), row);
  await db.open(FIRST);
});

Deno.test("a new salt is accepted together with the old one, re-encrypts saved secrets, and is recorded", async () => {
  await using db = await database();
  await (await db.settings(FIRST)).save("general", { apiKey: "a-saved-key" });
  const before = await db.row();
  assert.match(await db.startError(SECOND), /created with/);
  assert.equal((await db.settings(SECOND, FIRST)).current().general.apiKey, "a-saved-key");
  const after = await db.row();
  assert.equal(after?.identity, before?.identity);
  assert.notEqual(after?.current, before?.current);
  // Only the new salt decrypts the secret now, and this start does not have it.
  assert.match(await db.startError(FIRST), /last used with/);
  // A replaced salt can be removed once its secrets are re-encrypted. The first one has to stay.
  await (await db.settings(SECOND, FIRST)).save("checkout", { secret: "a-shop-secret-of-16" });
  await db.open(THIRD, SECOND, FIRST);
  assert.equal((await db.settings(THIRD, FIRST)).current().checkout.secret, "a-shop-secret-of-16");
  assert.equal((await db.settings(THIRD, FIRST)).current().general.apiKey, "a-saved-key");
  assert.match(await db.startError(THIRD), /created with/);
});

Deno.test("identifiers do not depend on the order in which earlier salts are listed", async () => {
  await using db = await database();
  const name = (await db.open(FIRST)).identify("cfbe/mailbox", "ann@example.com");
  const again = [
    await db.open(SECOND, FIRST),
    await db.open(SECOND, FIRST, THIRD),
    await db.open(THIRD, FIRST, SECOND),
  ];
  for (const keyring of again) assert.equal(keyring.identify("cfbe/mailbox", "ann@example.com"), name);
});

Deno.test("a database without fingerprints gets one if its secrets can be decrypted; otherwise the error names the setting", async () => {
  await using db = await database();
  await (await db.settings(FIRST)).save("general", { apiKey: "a-saved-key" });
  await (await db.settings(FIRST)).save("checkout", { secret: "a-shop-secret-of-16" });
  await db.kv.delete(keys.salts());
  assert.match(
    await db.startError(OTHER),
    /^The saved secret general\.apiKey was encrypted with a salt that is not set/,
  );
  assert.equal(await db.row(), null);
  await db.open(FIRST);
  assert.ok(await db.row());
});

Deno.test("when two processes first start with different salts on a shared database, one is rejected", async () => {
  await using db = await database();
  const started = await Promise.allSettled([db.open(FIRST), db.open(OTHER)]);
  assert.deepEqual(started.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
});

Deno.test("adopting other salts deletes the secrets that they can't decrypt, reports them, and lets the next start succeed", async () => {
  await using db = await database();
  const settings = await db.settings(FIRST);
  await settings.save("general", { apiKey: "a-saved-key", projectId: "p" });
  const name = (await db.open(FIRST)).identify("cfbe/mailbox", "ann@example.com");
  assert.deepEqual(await db.adopt(OTHER), ["general.apiKey"]);
  const { general } = (await db.settings(OTHER)).current();
  assert.deepEqual([general.apiKey, general.projectId], ["", "p"]);
  assert.notEqual((await db.open(OTHER)).identify("cfbe/mailbox", "ann@example.com"), name);
});
