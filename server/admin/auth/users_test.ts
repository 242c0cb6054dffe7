import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { hashPassword, passwordMatches } from "./password.ts";
import { adminHarness, PASSWORD } from "../../../dev/testing/admin_harness.ts";
import { systemRandom } from "../../platform/deps.ts";

Deno.test("a password is stored as a salted scrypt hash with its cost, and matches in any Unicode form", async () => {
  const [one, two] = [
    await hashPassword("naïve café", systemRandom),
    await hashPassword("naïve café", systemRandom),
  ];
  assert.notEqual(one.salt, two.salt);
  assert.notEqual(one.hash, two.hash);
  assert.ok(one.N >= 2 ** 15 && one.r === 8);
  assert.equal(await passwordMatches("nai\u0308ve cafe\u0301", one), true);
  assert.equal(await passwordMatches("naive cafe", one), false);
  assert.equal(await passwordMatches("", undefined), false);
});

Deno.test("an earlier, cheaper hash still matches, so the cost can be raised without locking anyone out", async () => {
  const cheap = { kind: "scrypt", N: 1024, r: 8, p: 1 } as const;
  const hash = scryptSync("earlier", "salt", 32, cheap).toString("base64url");
  const kept = { ...cheap, salt: btoa("salt").replaceAll("=", ""), hash };
  assert.equal(await passwordMatches("earlier", kept), true);
});

Deno.test("an unknown name takes as long to check as a known one", async () => {
  await using app = await adminHarness();
  await app.services.admin.users.add({ name: "ann", role: "admin", password: PASSWORD });
  /** The shortest of three: other work on the machine can only make it longer. */
  const time = async (name: string) => {
    const times: number[] = [];
    while (times.length < 3) {
      const start = performance.now();
      await app.services.admin.users.verify(name, "some password");
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const [known, unknown] = [await time("ann"), await time("nobody")];
  // Hashing takes a hundred milliseconds and more, everything else less than one.
  assert.ok(unknown > known / 4, `${unknown} ms against ${known} ms`);
});

Deno.test("when two admins demote each other at the same time, one remains", async () => {
  await using app = await adminHarness();
  const { users } = app.services.admin;
  for (const name of ["ann", "ben"]) await users.add({ name, role: "admin", password: PASSWORD });
  const results = await Promise.all([users.setRole("ann", "viewer"), users.setRole("ben", "viewer")]);
  assert.deepEqual(results.toSorted(), ["last-admin", undefined]);
  const [last] = (await users.list()).filter(({ role }) => role === "admin");
  assert.equal(await users.remove(last!.name), "last-admin");
});

Deno.test("the environment's admin can always sign in, and can't be changed", async () => {
  await using app = await adminHarness({ env: { CFBE_ADMIN_PASSWORD: "set by environment" } });
  const { users } = app.services.admin;
  assert.equal((await users.verify("admin", "set by environment"))?.role, "admin");
  assert.equal(await users.verify("admin", "anything else"), undefined);
  assert.equal(await users.add({ name: "admin", role: "viewer", password: PASSWORD }), "exists");
  assert.equal(await users.setPassword("admin", PASSWORD), "fixed");
  assert.equal(await users.remove("admin"), "fixed");
  assert.deepEqual((await users.list()).map(({ name, fixed }) => [name, fixed]), [["admin", true]]);
});

Deno.test("names of built-in object properties are not user names", async () => {
  await using app = await adminHarness();
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.equal(await app.services.admin.users.find(name), undefined);
    assert.equal(await app.services.admin.users.verify(name, PASSWORD), undefined);
  }
});
