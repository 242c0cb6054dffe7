/**
 * Kills the real program while people sign up, again and again, and proves from outside that nobody was
 * forgotten and nobody was bothered twice.
 *
 * - `CFBE_TEST_CRASH_ROUNDS`: how often it is killed; 10, or 100 by `deno task test:crash`.
 * - `CFBE_TEST_CRASH_SEED`: repeats the moments of a run that failed, which names its seed.
 *
 * Two processes: one plays the provider with the sandbox on its own database and lives through it all; the other
 * one, under test, speaks to it as to any provider and is killed with SIGKILL.
 */
import { seededRandom } from "../../server/testing/seeded_random.ts";
import { AFTERWARDS, Crowd } from "./crowd.ts";
import { wrongWithDatabase } from "./database_proof.ts";
import { type Outside, outsideOf } from "./outside.ts";
import type { ProgramProcess } from "./program_process.ts";
import { wrongWithBooks, wrongWithVisitors } from "./proof.ts";
import { planRounds, type Round } from "./rounds.ts";
import { untilSettled } from "./settled.ts";
import { setStage, type Stage } from "./stage.ts";

const ROUNDS = Number(Deno.env.get("CFBE_TEST_CRASH_ROUNDS") ?? 10);
const SEED = Number(Deno.env.get("CFBE_TEST_CRASH_SEED") ?? Date.now() % 1_000_000);
/** Who failed in trouble after trouble waits for minutes. A long run waits, too; in a short one visitors come again. */
const SETTLING = ROUNDS <= 10
  ? { limitMs: 120_000, impatient: true }
  : { limitMs: 15 * 60_000, impatient: false };
const SHOWN = 5;

Deno.test(`killed ${ROUNDS} times: every answered signup arrives once, is mailed once, and the books balance`, async () => {
  await using stage = await setStage();
  const random = seededRandom(SEED);
  const rounds = planRounds(ROUNDS, random);
  const outside = outsideOf(stage);
  const crowd = new Crowd(stage, random);
  const story: string[] = [];
  let own = stage.start();
  try {
    await own.ready();
    await crowd.takeToken();
    await end(own, "SIGKILL");

    for (const round of rounds) {
      story.push(JSON.stringify(round));
      own = stage.start();
      await live(own, round, crowd, outside);
    }

    own = stage.start();
    await own.ready();
    // Of those before, what a life that lasted into another minute could write; balanced, or it shows below.
    const before = await outside.counters();
    const others = await otherVisitors(crowd);
    await untilSettled(outside, crowd, SETTLING);
    await crowd.readNewMails();
    const report = await outside.poll();
    await untilSettled(outside, crowd, SETTLING);

    const { sent, answered } = crowd.afterwards();
    const expected = { ...others, accepted: answered, requests: sent + sumOf(others) };
    const balance = async () => wrongWithBooks(await outside.counters(), before, expected);
    const wrong = [
      ...crowd.wrong,
      ...report.trouble === undefined ? [] : [`the poll had trouble: ${report.trouble}`],
      ...await wrongWithVisitors(outside, crowd),
      ...await balance(),
    ];
    own = await restart(stage, own);
    // What was counted in memory has been written at the end.
    wrong.push(...await balance());
    await end(own, "SIGTERM");
    wrong.push(...await wrongWithDatabase(stage.database));
    if (wrong.length > 0) {
      throw new Error(`${wrong.length} things are wrong:\n${wrong.slice(0, SHOWN).join("\n")}`);
    }
    if (ROUNDS > 10) console.log(crowd.summary());
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\n\nseed ${SEED}, rounds:\n${story.slice(-12).join("\n")}\n\n` +
        `last lines of its log:\n${own.lines(30).join("\n")}`,
      { cause: error },
    );
  }
});

/** One life of the program under test, from its start to its violent end. */
async function live(own: ProgramProcess, round: Round, crowd: Crowd, outside: Outside): Promise<void> {
  await outside.setFaults({ mode: round.fault, webhooks: round.webhooks });
  if (!round.stillborn) await own.ready();
  const over = new AbortController();
  const coming = round.stillborn
    ? []
    : [crowd.comeUntil(over.signal, round.number), crowd.readUntil(over.signal)];
  try {
    await new Promise((resolve) => setTimeout(resolve, round.diesAfterMs));
    await end(own, "SIGKILL");
  } finally {
    over.abort();
    await Promise.all(coming);
    await outside.setFaults({ mode: "none", webhooks: "deliver" });
  }
}

/** Visitors of every kind, ten of them good ones. @returns what the books should say of all the others */
async function otherVisitors(crowd: Crowd): Promise<Record<string, number>> {
  await Promise.all(Array.from({ length: 10 }, (_, n) => crowd.signUp(`late-${n}@site.example`, AFTERWARDS)));
  const email = "robot@site.example";
  const drops = [{ cfbe_hp: "x" }, { cfbe_token: "" }, { cfbe_token: "1.x" }].map((body) => ({
    email,
    ...body,
  }));
  const invalid = [{ email: "nobody" }, { source: "elsewhere" }, { email: "x".repeat(5_000) }];
  for (const body of [...drops, ...invalid]) await (await crowd.send(body))?.body?.cancel();
  for (let time = 0; time < 6; time++) {
    await (await crowd.send({ email: "nobody" }, "10.201.0.1"))?.body?.cancel();
  }
  return {
    "dropped.honeypot": 1,
    "dropped.token_missing": 1,
    "dropped.token_malformed": 1,
    "invalid.fields": 6,
    "invalid.source": 1,
    "invalid.too_large": 1,
    "refused.ip": 1,
  };
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function restart(stage: Stage, own: ProgramProcess): Promise<ProgramProcess> {
  const { code } = await end(own, "SIGTERM");
  if (code !== 0) throw new Error(`it ended with ${code} after SIGTERM`);
  const next = stage.start();
  await next.ready();
  return next;
}

function end(own: ProgramProcess, signal: "SIGTERM" | "SIGKILL") {
  own.signal(signal);
  return own.ended;
}
