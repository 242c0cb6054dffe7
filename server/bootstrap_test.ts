import assert from "node:assert/strict";
import { bootstrap, type Program } from "./bootstrap.ts";
import { runAttempt } from "./jobs/attempt.ts";
import { POLL_JOB } from "./confirm/poll_job.ts";
import type { JobRow } from "./jobs/row.ts";
import { issueToken } from "./keys/form_token.ts";
import { createKeyring } from "./keys/keyring.ts";
import { keys } from "./kv/keys.ts";
import { statusOf } from "./ops/operations.ts";
import { openSettings } from "./settings/store.ts";
import { eventually } from "./testing/eventually.ts";
import { ManualClock } from "./testing/manual_clock.ts";
import { startProgram } from "./testing/program.ts";
import { NAMESPACE } from "../shared/contract.ts";

/** What the whole program does by itself: recurring work, and what it finds at its start and leaves at its end. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SALT = "a salt for tests, long enough to be one";

Deno.test("the poll runs every 15 minutes, other recurring work every hour and every day", async () => {
  const clock = new ManualClock(Date.UTC(2025, 0, 1));
  await using program = await startProgram({ clock, run: false });
  const { services, queue, log } = program;
  const from = clock.now();
  const runs: Record<string, number[]> = {};
  while (clock.now() <= from + 24 * HOUR) {
    await program.tick();
    for (const claimed of await queue.claim(8)) {
      const { name } = claimed.row;
      (runs[name] ??= []).push((clock.now() - from) / MINUTE);
      const definition = services.jobs.find((job) => job.name === name);
      await runAttempt({ queue, clock, log }, definition, claimed, new AbortController().signal);
    }
    await clock.advance(5 * MINUTE);
  }
  const every = (minutes: number) =>
    Array.from({ length: 24 * 60 / minutes + 1 }, (_, slot) => slot * minutes);
  assert.deepEqual(runs, {
    cfbe_poll_pending: every(15),
    cfbe_erase_carts: every(60),
    cfbe_delete_unconfirmed: every(60),
    cfbe_blank_ips: every(24 * 60),
    cfbe_purge_deleted: every(24 * 60),
    cfbe_migrate_rows: [0],
  });
});

Deno.test("a tick that fails is logged, and the next one starts what it did not", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { activation } = program.services;
  const { settle } = activation;
  activation.settle = () => Promise.reject(new Error("away"));
  await program.tick();
  assert.deepEqual(await program.queue.claim(8), []);
  assert.equal(program.lines.filter((line) => JSON.parse(line).event === "tick").length, 1);
  activation.settle = settle;
  await program.tick();
  assert.ok((await program.queue.claim(8)).some(({ row }) => row.name === POLL_JOB.name));
});

Deno.test("a tick wakes the runner, reads what other processes changed, and writes what was counted", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock });
  const { services: { kv, activation, books }, lines } = program;
  await program.runner.idle();
  await program.tick();
  await eventually("the poll runs", () => lines.some((line) => JSON.parse(line).event === "poll"));

  const { keyring, random, settings } = program.services;
  const elsewhere = await openSettings({ kv, keyring, random, clock, fixed: [], fallback: {} });
  await elsewhere.save("form", { nameField: "required" });
  await kv.set(keys.activation(), { v: 1, active: false, at: clock.now() });
  books.count("footer", "dropped.honeypot");
  const written = async () => (await Array.fromAsync(kv.list({ prefix: keys.family("books") }))).length;
  const before = await written();
  await program.tick();
  assert.deepEqual([activation.isActive(), settings.current().form.nameField], [false, "required"]);
  assert.ok(await written() > before);
});

Deno.test("while deactivated, no tick adds recurring work that activation would then run at once", async () => {
  await using program = await startProgram({ clock: new ManualClock(), run: false });
  const jobs = async () => {
    const rows = program.services.kv.list<JobRow>({ prefix: keys.family("job") });
    return (await Array.fromAsync(rows)).map(({ value }) => value.name);
  };
  await program.services.activation.deactivate();
  await program.tick();
  assert.deepEqual(await jobs(), []);
  await program.services.activation.activate();
  await program.tick();
  assert.ok((await jobs()).includes(POLL_JOB.name));
});

Deno.test("a signup wakes the runner: it is delivered without waiting for a tick", async () => {
  await using program = await startProgram({ clock: new ManualClock() });
  await program.runner.idle();
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const statuses = async () =>
    (await statusOf(program.services, "ann@example.com"))?.map(({ record }) => record.status);
  await eventually("it is delivered", async () => (await statuses())?.[0] === "pending");
});

Deno.test("the sandbox calls the webhook of this program from the first start on", async () => {
  await using program = await startProgram({ clock: new ManualClock(), run: false });
  const registered = await program.services.provider.getWebhook();
  assert.equal(registered.kind === "webhook" && registered.webhook?.url, `${program.api}/provider-hook`);
});

Deno.test("what was signed under an earlier salt is accepted while that salt is listed", async () => {
  const cfbe_token = issueToken(
    createKeyring(["the salt before it and long enough as well"]),
    Date.now() - 10_000,
  );
  const saved = async (CFBE_SALT_PREVIOUS: string) => {
    await using program = await startProgram({ env: { CFBE_SALT_PREVIOUS }, run: false });
    await (await program.subscribe({ email: "ann@example.com", cfbe_token })).body?.cancel();
    return (await statusOf(program.services, "ann@example.com"))?.length;
  };
  assert.deepEqual([await saved("the salt before it and long enough as well"), await saved("")], [1, 0]);
});

/** One process after another on the same database file. */
async function onFile(
  test: (life: <T>(use: (program: Program) => Promise<T>) => Promise<T>) => Promise<void>,
  {
    clock = new ManualClock(),
  }: { clock?: ManualClock } = {},
) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-start-" });
  const env = { CFBE_KV: `${folder}/cfbe.kv`, CFBE_SALT: SALT };
  try {
    await test(async (use) => {
      const program = await bootstrap(env, { clock, file: {}, write: () => {} });
      try {
        return await use(program);
      } finally {
        await program.close(0);
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** How many polls each of so many ticks started. */
async function pollsIn(program: Program, ticks: number): Promise<number[]> {
  const polls: number[] = [];
  for (let n = 0; n < ticks; n++) {
    await program.tick();
    const claimed = await program.queue.claim(8);
    polls.push(claimed.filter(({ row }) => row.name === POLL_JOB.name).length);
    for (const job of claimed) await program.queue.finish(job, { kind: "done" });
  }
  return polls;
}

Deno.test("recurring work that was missed while no process ran is done once at the next start", async () => {
  const clock = new ManualClock();
  await onFile(async (life) => {
    assert.deepEqual(await life((program) => pollsIn(program, 2)), [1, 0]);
    assert.deepEqual(await life((program) => pollsIn(program, 1)), [0], "started again within the slot");
    await clock.advance(3 * HOUR + 7 * MINUTE);
    assert.deepEqual(await life((program) => pollsIn(program, 3)), [1, 0, 0], "twelve slots were missed");
    await clock.advance(8 * MINUTE);
    assert.deepEqual(await life((program) => pollsIn(program, 1)), [1], "the next slot begins on time");
  }, { clock });
});

/** Leaves a job claimed, as a process does that dies in the middle of it. */
const dieOverPoll = async (program: Program) => {
  await program.tick();
  assert.ok((await program.queue.claim(8)).some(({ row }) => row.name === POLL_JOB.name));
};
const claimable = async ({ queue }: Program) => (await queue.claim(8)).map(({ row }) => row.name);

Deno.test("a job of a process that died is taken up at the next start, where the file shows that it died", () =>
  onFile(async (life) => {
    await life(dieOverPoll);
    assert.ok((await life(claimable)).includes(POLL_JOB.name));
  }));

Deno.test("where another process may be at work on the database, a start leaves its jobs to it", () =>
  onFile(async (life) => {
    const { tryLock } = Deno.FsFile.prototype;
    // As on Deno before 2.9: nothing says whether the file is used.
    Object.assign(Deno.FsFile.prototype, { tryLock: undefined });
    try {
      await life(dieOverPoll);
      assert.deepEqual(await life(claimable), []);
    } finally {
      Object.assign(Deno.FsFile.prototype, { tryLock });
    }
  }));

Deno.test("a program that was deactivated knows it from its start on, before the first tick", () =>
  onFile(async (life) => {
    assert.equal(await life(({ services }) => Promise.resolve(services.activation.isActive())), true);
    await life(({ services }) => services.activation.deactivate());
    assert.equal(await life(({ services }) => Promise.resolve(services.activation.isActive())), false);
  }));

Deno.test("what was counted since the last minute is written when the program ends", () =>
  onFile(async (life) => {
    await life(async (program) => {
      const app = await program.createApp();
      const answer = await app.request(`${NAMESPACE}/subscribe`, { method: "POST", body: "{" });
      assert.equal(answer.status, 400);
      program.services.hookCalls.note({ at: 1, result: "unauthorized" });
      await program.services.provider.lists();
    });
    await life(async ({ services }) => {
      assert.equal((await services.hookCalls.recent()).length, 1);
      assert.ok((await services.health.read())["lists"]);
      assert.equal((await services.books.totals())["requests"], 1);
    });
  }));

Deno.test("what another process changed in the database holds for requests 15 seconds later", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { kv } = program.services;
  const codeOf = async (email: string) =>
    (await (await program.subscribe({ email, cfbe_token: program.token() })).json()).code;
  assert.equal(await codeOf("ann@example.com"), "pending");
  await kv.set(keys.activation(), { v: 1, active: false, at: clock.now() });
  assert.equal(await codeOf("ben@example.com"), "pending", "not read again yet");
  await clock.advance(15_000);
  assert.equal(await codeOf("cara@example.com"), "rejected");
});

Deno.test("the environment wins over the config file, and the config file over the sandbox's settings", async () => {
  const general = { projectId: "of the file", apiKey: "key of the file", defaultList: "list of the file" };
  await using program = await startProgram({
    env: { CFBE_PROVIDER_API_KEY: "key of the environment" },
    file: { settings: { general } },
    run: false,
  });
  const { projectId, apiKey, defaultList } = program.services.settings.current().general;
  assert.deepEqual([projectId, apiKey, defaultList], [
    "of the file",
    "key of the environment",
    "list of the file",
  ]);
});

Deno.test("no line of the log carries a secret of the environment or of the settings", async () => {
  const env = {
    CFBE_SALT: "the salt of this test, long enough to be one",
    CFBE_SALT_PREVIOUS: "the salt before it and long enough as well",
    CFBE_API_TOKEN: "the-token-of-operators",
    CFBE_ADMIN_PASSWORD: "the password of the first admin",
    CFBE_PROVIDER_API_KEY: "the-key-of-the-provider",
  };
  const secrets = [...Object.values(env), "the-secret-of-the-webhook"];
  await using program = await startProgram({
    env,
    file: { settings: { webhooks: { secret: "the-secret-of-the-webhook" } } },
    run: false,
  });
  for (const secret of secrets) program.log.warn("remote.says", { message: `wrong: ${secret}!` });
  const lines = program.lines.filter((line) => JSON.parse(line).event === "remote.says");
  assert.equal(lines.length, secrets.length);
  for (const secret of secrets) assert.ok(!lines.some((line) => line.includes(secret)), secret);
});
