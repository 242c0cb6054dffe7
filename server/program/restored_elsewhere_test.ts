import assert from "node:assert/strict";
import type { Keyring } from "../platform/keys/keyring.ts";
import { keys } from "../platform/kv/keys.ts";
import { openKv } from "../platform/kv/open.ts";
import { keyringFor } from "../operations/backup/file.ts";
import { restore, verifyBackup } from "../operations/backup/restore.ts";
import { takeBackup } from "../operations/backup/snapshot.ts";
import { readBytes, streamOf } from "../operations/backup/testing/backups.ts";
import { type SignupStatus, signupStatuses } from "../operations/remote/signup_status.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";

/**
 * Tests that a program notices that another process has restored a backup into the database that they share. Everything
 * in that backup is different: the sandbox's account, the settings, the salt of identifiers.
 */

const [SALT, EARLIER_SALT] = [
  "a salt for tests, long enough to be one",
  "an earlier salt that is as long as the other",
];
const SALTS = { CFBE_SALT: SALT, CFBE_SALT_PREVIOUS: EARLIER_SALT };
const CONSENT = "I want the letter.";

const shownForms = async ({ baseUrl }: TestProgram) =>
  await (await fetch(`${baseUrl}/cfbe.json?locale=en`)).text();

async function accepted(program: TestProgram, email: string): Promise<void> {
  const response = await program.subscribe({ email, consent: true });
  assert.equal((await response.json()).code, "pending");
}

/** Returns the signup after its first delivery. */
async function delivered(program: TestProgram, email: string): Promise<SignupStatus | undefined> {
  await program.runner.idle();
  const [signup] = await signupStatuses(program.services, email) ?? [];
  return signup;
}

/** Returns a backup of an installation that has used other salts, another sandbox and another provider before. */
async function backupOfOther(clock: ManualClock) {
  const database = await openKv(":memory:");
  const open = () => Promise.resolve({ ...database, close: () => Promise.resolve() });
  {
    await using _first = await startProgram({ clock, run: false, open, env: { CFBE_SALT: EARLIER_SALT } });
  }
  try {
    await using program = await startProgram({ clock, run: false, open, env: SALTS });
    const { services } = program;
    await services.settings.save("form", {
      texts: { heading: "The restored heading" },
      consent: "required",
      consentText: CONSENT,
    });
    await services.kv.set(keys.providerHistory(), { v: 1, names: ["listmonk", "sandbox"] });
    await accepted(program, "ann@example.com");
    return { keyring: services.keyring, bytes: await readBytes(takeBackup(services)) };
  } finally {
    database.close();
  }
}

/** Returns two programs over one database. The first one deactivates and activates it, the second one runs its jobs. */
async function restoredByOther({ salts = SALTS }: { salts?: Record<string, string> } = {}) {
  await using started = new AsyncDisposableStack();
  const clock = new ManualClock(Date.now());
  const backup = await backupOfOther(clock);
  const database = await openKv(":memory:");
  started.defer(() => database.close());
  const open = () => Promise.resolve({ ...database, exclusive: false, close: () => Promise.resolve() });
  {
    // The database's own first salt is the newer one.
    await using _first = await startProgram({ clock, run: false, open, env: { CFBE_SALT: SALT } });
  }
  const one = started.use(await startProgram({ clock, run: false, open, env: SALTS }));
  const other = started.use(await startProgram({ clock, open, env: salts }));
  await one.services.settings.save("form", { texts: { heading: "The old heading" }, consentText: CONSENT });
  await other.tick();
  await accepted(other, "ben@example.com");
  assert.equal((await delivered(other, "ben@example.com"))?.record.status, "pending");
  const before = await shownForms(other);
  const all = started.move();

  /** @param meanwhile called after the old rows were deleted, before any of the backup is written */
  async function restoreElsewhere({ meanwhile = () => Promise.resolve() } = {}) {
    await one.services.activation.deactivate();
    await clock.advance(30_000);
    const read = () => Promise.resolve(streamOf(backup.bytes));
    const verified = await verifyBackup({ clock, open: read });
    let times = 0;
    await restore({
      ...{ ...one.services, kv: database.kv, verified, replace: true, shared: true },
      keyring: keyringFor({ accepted: [SALT, EARLIER_SALT] }, verified.header),
      async open() {
        if (++times === 1) await meanwhile();
        return await read();
      },
    });
    await one.services.activation.activate();
  }
  return {
    ...{ clock, one, other, before, backup, restoreElsewhere },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

Deno.test("the settings of a backup are served with the first request 15 seconds after another process restored it", async () => {
  await using world = await restoredByOther();
  assert.match(world.before, /The old heading/);
  await world.restoreElsewhere();
  await world.clock.advance(15_000);
  assert.match(await shownForms(world.other), /The restored heading/);
});

Deno.test("the once-only markers of a backup are found after another process restored it, under the salt of the backup", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere();
  await world.clock.advance(15_000);
  await shownForms(world.other);
  const identified = ({ keyring }: { keyring: Keyring }) =>
    keyring.identify("cfbe/mailbox", "ann@example.com");
  assert.equal(identified(world.other.services), identified(world.backup));
});

Deno.test("the earlier providers are those of a backup after another process restored it", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere();
  await world.clock.advance(15_000);
  await shownForms(world.other);
  const { providerHistory } = world.other.services;
  assert.deepEqual([providerHistory.first(), providerHistory.names()], ["listmonk", ["listmonk", "sandbox"]]);
});

Deno.test("a signup reaches the restored sandbox with the text of its consent after another process restored a backup", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere();
  await world.clock.advance(15_000);
  await accepted(world.other, "cyd@example.com");
  const signup = await delivered(world.other, "cyd@example.com");
  assert.equal(signup?.record.status, "pending");
  assert.equal(signup.consents[0]?.text, CONSENT);
});

Deno.test("the program that is activated after a restore serves the settings of the backup at once", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere({ meanwhile: async () => void await shownForms(world.one) });
  assert.match(await shownForms(world.one), /The restored heading/);
});

Deno.test("a job of a backup runs with what was restored, even in a program that nobody has asked for anything since", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere();
  const signup = await delivered(world.other, "ann@example.com");
  assert.equal(signup?.record.status, "pending", JSON.stringify(signup?.jobs));
});

Deno.test("while another process restores a backup, a program goes on showing the forms that it has read before", async () => {
  await using world = await restoredByOther();
  await world.restoreElsewhere({
    async meanwhile() {
      await world.clock.advance(15_000);
      assert.match(await shownForms(world.other), /The old heading/);
    },
  });
  await world.clock.advance(15_000);
  assert.match(await shownForms(world.other), /The restored heading/);
});

Deno.test("a program without a salt of the restored backup stays deactivated, and logs which one it needs", async () => {
  await using world = await restoredByOther({ salts: { CFBE_SALT: SALT } });
  await world.restoreElsewhere({ meanwhile: async () => void await shownForms(world.other) });
  await world.clock.advance(15_000);
  await shownForms(world.other);
  assert.equal(world.other.services.acceptsSignups(), false);
  assert.match(
    world.other.lines.join("\n"),
    /settings.refresh_failed.*The salt that this database was created with/,
  );
});
