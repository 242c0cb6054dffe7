/** After a restore, users sign in as they did when the backup was taken. */
import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { Authenticator } from "../../../dev/testing/authenticator.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createAdmin } from "../../admin/auth/admin.ts";
import { createKeyring } from "../../platform/keys/keyring.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { takeBackup } from "./snapshot.ts";
import { readBytes, restoreInto, usedService } from "./testing/backups.ts";

const CONFIG = { baseUrl: "http://localhost:8000", adminPassword: undefined, oidc: undefined };
const STEP_MS = 30_000;

Deno.test("after a restore, the second factor, recovery codes and passkeys sign in, and a code that was used does not", async () => {
  await using app = await usedService();
  await using beside = await tempKv();
  const { clock, services: { random } } = app;
  const fetch = () => Promise.reject(new Error("no network"));
  const adminOf = (kv: Kv, keyring: Keyring = app.services.keyring) =>
    createAdmin({ config: CONFIG, kv, clock, random, keyring, fetch });
  const { users, secondFactors, passkeys } = adminOf(app.kv);
  await users.add({ name: "ann", role: "admin", password: "gravel onion lantern" });
  const owner = (await users.find("ann"))!;
  const seed = secondFactors.newSeed();
  const totp = new TOTP({ secret: (await secondFactors.shown("ann", seed, "cfbe")).text });
  const code = () => totp.generate({ timestamp: clock.now() });
  const codes = await secondFactors.enable("ann", seed, code());
  assert(Array.isArray(codes));
  await passkeys.begin(owner);
  const authenticator = new Authenticator(CONFIG.baseUrl);
  const answer = authenticator.create(await passkeys.optionsToAdd(owner, "s") as never);
  assert(typeof await passkeys.add(owner, "s", { title: "Laptop", answer }) === "object");
  const bytes = await readBytes(takeBackup(app.services));
  await restoreInto(app, beside.kv, bytes, { replaces: app.kv, replace: true });

  const restored = adminOf(beside.kv);
  assert.equal(await restored.secondFactors.use("ann", code()), undefined, "the code that turned it on");
  clock.set(clock.now() + STEP_MS);
  assert.deepEqual(await restored.secondFactors.use("ann", code()), { by: "app" });
  assert.deepEqual(await restored.secondFactors.use("ann", codes[0]!), { by: "recovery-code", codesLeft: 9 });
  const signIn = async ({ passkeys, users }: ReturnType<typeof adminOf>) => {
    const used = authenticator.get(passkeys.optionsToSignIn() as never);
    return (await passkeys.use({ kind: "sign-in" }, used, users.find))?.user.name;
  };
  assert.equal(await signIn(restored), "ann");
  const otherSalt = createKeyring(["another salt, which is long enough to be one of a site"]);
  assert.equal(await signIn(adminOf(beside.kv, otherSalt)), "ann", "a passkey needs no salt");
});
