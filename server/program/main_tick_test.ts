import assert from "node:assert/strict";
import type { Program } from "./program.ts";
import { runAttempt } from "../platform/jobs/attempt.ts";
import { POLL_JOB } from "../signup/confirm/poll_job.ts";
import { addJob } from "../platform/jobs/add.ts";
import { jobKey, type JobRow } from "../platform/jobs/row.ts";
import { cas } from "../platform/kv/cas.ts";
import { keys } from "../platform/kv/keys.ts";
import { signupStatuses } from "../operations/remote/signup_status.ts";
import { openSettings } from "../settings/store/store.ts";
import { search } from "../subscribers/search/search.ts";
import { eventually } from "../../dev/testing/eventually.ts";
import { ManualClock } from "../../dev/testing/manual_clock.ts";
import { onFile } from "../../dev/testing/on_file.ts";
import { startProgram } from "../../dev/testing/program.ts";

/** Tests what the program does on its own: recurring work, and reading other processes' changes. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

Deno.test("alerts are checked every 5 minutes, the poll runs every 15, and other recurring work every hour or every day", async () => {
  const clock = new ManualClock(Date.UTC(2025, 0, 1));
  await using program = await startProgram({ clock, run: false });
  const { services, queue, log } = program;
  /** Returns the minutes at which each job started within `spanMs`, with a tick every `stepMs`. */
  async function started(spanMs: number, stepMs: number) {
    const from = clock.now();
    const runs: Record<string, number[]> = {};
    while (clock.now() < from + spanMs) {
      await program.tick();
      for (const claimed of await queue.claim(8)) {
        const { name } = claimed.row;
        (runs[name] ??= []).push((clock.now() - from) / MINUTE);
        const definition = services.jobs.find((job) => job.name === name);
        await runAttempt({ queue, clock, log }, definition, claimed, new AbortController().signal);
      }
      await clock.advance(stepMs);
    }
    return runs;
  }
  assert.deepEqual(await started(3 * HOUR, 5 * MINUTE), {
    cfbe_poll_pending: [0, 15, 30, 45, 60, 75, 90, 105, 120, 135, 150, 165],
    cfbe_check_alerts: Array.from({ length: 36 }, (_, slot) => slot * 5),
    cfbe_erase_carts: [0, 60, 120],
    cfbe_delete_unconfirmed: [0, 60, 120],
    cfbe_blank_ips: [0],
    cfbe_purge_deleted: [0],
    cfbe_sweep_images: [0],
    cfbe_migrate_rows: [0],
  });
  const { cfbe_blank_ips, cfbe_purge_deleted } = await started(72 * HOUR, HOUR);
  const midnights = [21, 45, 69].map((hours) => hours * 60);
  assert.deepEqual([cfbe_blank_ips, cfbe_purge_deleted], [midnights, midnights]);
});

Deno.test("a failed tick is logged, and the next one starts what it missed", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { activation } = program.services;
  const { completeTransition } = activation;
  activation.completeTransition = () => Promise.reject(new Error("away"));
  await program.tick();
  assert.deepEqual(await program.queue.claim(8), []);
  assert.equal(program.lines.filter((line) => JSON.parse(line).event === "tick.failed").length, 1);
  activation.completeTransition = completeTransition;
  await program.tick();
  assert.ok((await program.queue.claim(8)).some(({ row }) => row.name === POLL_JOB.name));
});

Deno.test("a tick wakes the runner, reads other processes' changes and writes the counters", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock });
  const { services: { kv, activation, counters }, lines } = program;
  await program.runner.idle();
  await program.tick();
  await eventually("the poll runs", () => lines.some((line) => JSON.parse(line).event === "poll.done"));

  const { keyring, random, settings } = program.services;
  const elsewhere = await openSettings({ kv, keyring, random, clock, fixed: [], fallback: {} });
  await elsewhere.save("form", { nameField: "required" });
  await kv.set(keys.activation(), { v: 1, active: false, at: clock.now() });
  counters.count("footer", "dropped.honeypot");
  const written = async () => (await Array.fromAsync(kv.list({ prefix: keys.family("books") }))).length;
  const before = await written();
  await program.tick();
  assert.deepEqual([activation.isActive(), settings.current().form.nameField], [false, "required"]);
  assert.ok(await written() > before);
});

Deno.test("a signup is found by every search at the latest a minute after it was accepted", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { services, queue, log } = program;
  const found = async () => (await search(services.kv, {})).records.length;
  /** A tick, and every job that is due except deliveries. */
  async function tick() {
    await program.tick();
    for (const claimed of await queue.claim(Infinity)) {
      const { name } = claimed.row;
      if (name === "cfbe_deliver_signup") continue;
      const definition = services.jobs.find((job) => job.name === name);
      await runAttempt({ queue, clock, log }, definition, claimed, new AbortController().signal);
    }
  }
  await tick();
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  assert.equal(await found(), 0, "its delivery has not been attempted");
  await tick();
  assert.equal(await found(), 1);
});

Deno.test("while deactivated, a tick adds only what deletes personal data, so that not all else runs at activation", async () => {
  await using program = await startProgram({ clock: new ManualClock(), run: false });
  const jobs = async () => {
    const rows = program.services.kv.list<JobRow>({ prefix: keys.family("job") });
    return (await Array.fromAsync(rows)).map(({ value }) => value.name).toSorted();
  };
  await program.services.activation.deactivate();
  await program.tick();
  assert.deepEqual(await jobs(), [
    "cfbe_blank_ips",
    "cfbe_delete_unconfirmed",
    "cfbe_erase_carts",
    "cfbe_migrate_rows",
    "cfbe_purge_deleted",
  ]);
  await program.services.activation.activate();
  await program.tick();
  assert.ok((await jobs()).includes(POLL_JOB.name));
});

Deno.test("a signup wakes the runner, so it is delivered without waiting for a tick", async () => {
  await using program = await startProgram({ clock: new ManualClock() });
  await program.runner.idle();
  await (await program.subscribe({ email: "ann@example.com" })).body?.cancel();
  const statuses = async () =>
    (await signupStatuses(program.services, "ann@example.com"))?.map(({ record }) => record.status);
  await eventually("it is delivered", async () => (await statuses())?.[0] === "pending");
});

/** Returns the number of polls that each of `ticks` ticks started. */
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

Deno.test("recurring work missed while no process was running runs once at the next start", async () => {
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

Deno.test("another process's changes in the database take effect for requests within 15 seconds", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { kv } = program.services;
  const codeOf = async (email: string) =>
    (await (await program.subscribe({ email, cfbe_token: program.token() })).json()).code;
  assert.equal(await codeOf("ann@example.com"), "pending");
  await kv.set(keys.activation(), { v: 1, active: false, at: clock.now() });
  assert.equal(await codeOf("ben@example.com"), "pending", "not yet read again");
  await clock.advance(15_000);
  assert.equal(await codeOf("cara@example.com"), "rejected");
});

Deno.test("a consent text that another process's restore has deleted is stored again within 15 seconds", async () => {
  const clock = new ManualClock();
  await using program = await startProgram({ clock, run: false });
  const { kv, consentTexts } = program.services;
  const hash = (await consentTexts.store("I agree."))!;
  await kv.delete(keys.consentText(hash));
  await kv.set(keys.restored(), { v: 1, at: clock.now() });
  await clock.advance(15_000);
  await program.subscribe({ email: "ann@example.com", cfbe_token: program.token() }).then((r) =>
    r.body?.cancel()
  );
  assert.equal(await consentTexts.store("I agree."), hash);
  assert.deepEqual((await kv.get<{ text: string }>(keys.consentText(hash))).value?.text, "I agree.");
});

Deno.test("a tick brings back the times of jobs that a clock far ahead has stored, and logs how many", async () => {
  const clock = new ManualClock(Date.UTC(2027, 0, 1));
  await using program = await startProgram({ clock, run: false });
  const { kv, random } = program.services;
  await cas(kv, { job: jobKey("late") }, ({ job }) => ({
    value: undefined,
    write(tx) {
      addJob(tx, job, { id: "late", name: "cfbe_test", payload: null, due: clock.now() }, clock.now());
    },
  }), { clock, random });
  clock.set(Date.UTC(2026, 0, 1));
  await program.tick();
  const job = await program.queue.get("late");
  assert.ok(job!.due <= clock.now(), new Date(job!.due).toISOString());
  const lines = program.lines.map((line) => JSON.parse(line));
  assert.ok(lines.some(({ event, jobs }) => event === "jobs.times_corrected" && jobs >= 1));
});
