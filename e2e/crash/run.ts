/** One run of the crash test. */
import { seededRandom } from "../../dev/testing/seeded_random.ts";
import { AFTER_KILLS, Crowd } from "./crowd.ts";
import { databaseProblems } from "./database_checks.ts";
import { observe } from "./observer.ts";
import type { ProgramProcess } from "./program_process.ts";
import { counterProblems, visitorProblems, waitingVisitors } from "./visitor_checks.ts";
import { planRounds, type Round } from "./rounds.ts";
import { waitUntilSettled } from "./settle.ts";
import { type Stage, startStage } from "./stage.ts";

export interface CrashTest {
  /** A provider of `providers/table.ts`. */
  provider: string;
  /** How often the server is killed. */
  rounds: number;
  seed: number;
  /** `CFBE_KV` of the server; a new file by default. */
  database?: string;
}

/** Retries of jobs that failed several times take minutes. Only a long run waits for them. */
const settleOf = (rounds: number) =>
  rounds <= 20 ? { limitMs: 300_000, impatient: true } : { limitMs: 15 * 60_000, impatient: false };
const PROBLEMS_SHOWN = 5;
const NORMAL = { fault: "none", webhooks: "deliver" } as const;

/** Kills the server while people sign up, and checks that every promise holds. @throws {Error} with the problems */
export async function runCrashTest(
  { provider: name, rounds: count, seed, database }: CrashTest,
): Promise<void> {
  const settle = settleOf(count);
  const began = performance.now();
  await using stage = await startStage(name, database);
  const { provider } = stage;
  const random = seededRandom(seed);
  const rounds = planRounds(count, random);
  const observer = observe(stage);
  const crowd = new Crowd(stage, random);
  const played: string[] = [];
  let server = stage.start();
  try {
    await server.ready();
    await end(server, "SIGKILL");

    for (const round of rounds) {
      played.push(JSON.stringify(round));
      server = stage.start();
      await playRound(server, round, stage, crowd);
    }

    server = stage.start();
    await server.ready();
    await provider.behave(NORMAL);
    // Counters are written once per minute, so these contain only a part of the earlier requests.
    const before = await observer.counters();
    const others = await sendOtherRequests(crowd);
    await waitUntilSettled(provider, observer, crowd, settle);
    await crowd.readNewMails();
    const report = await observer.poll();
    await waitUntilSettled(provider, observer, crowd, settle);

    const { sent, answered } = crowd.afterKills();
    const expected = { ...others, accepted: answered, requests: sent + sumOf(others) };
    const checkCounters = async () => counterProblems(await observer.counters(), before, expected);
    const problems = [
      ...crowd.problems,
      ...report.trouble === undefined ? [] : [`the poll failed: ${report.trouble}`],
      ...await visitorProblems(provider, observer, crowd),
      ...await checkCounters(),
    ];
    const waiting = await waitingVisitors(provider, observer, crowd);
    const summary = crowd.summary(await provider.mailCounts());
    server = await restart(stage, server);
    // The shutdown writes the counters that were only in memory.
    problems.push(...await checkCounters());
    await end(server, "SIGTERM");
    problems.push(...await databaseProblems(stage.database, waiting));
    if (problems.length > 0) {
      throw new Error(`${problems.length} problems:\n${problems.slice(0, PROBLEMS_SHOWN).join("\n")}`);
    }
    if (count > 10) {
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(
        `${name}: ${summary}, ${waiting.size} wait for the mail budget, ${seconds} s`,
      );
    }
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\n\nseed ${seed}, rounds:\n${played.slice(-12).join("\n")}\n\n` +
        `last lines of the server's log:\n${server.lines(30).join("\n")}`,
      { cause: error },
    );
  }
}

/** Lets visitors sign up while the server runs, and kills it. */
async function playRound(
  server: ProgramProcess,
  round: Round,
  { provider }: Stage,
  crowd: Crowd,
): Promise<void> {
  const { fault, webhooks, duringStart } = round;
  if (!provider.isInServer) await provider.behave({ fault, webhooks });
  if (!duringStart) await server.ready();
  if (!duringStart && provider.isInServer) await provider.behave({ fault, webhooks });
  const over = new AbortController();
  const visitors = duringStart
    ? []
    : [crowd.signUpUntil(over.signal, round.number), crowd.readMailsUntil(over.signal)];
  try {
    await new Promise((resolve) => setTimeout(resolve, round.killAfterMs));
    await end(server, "SIGKILL");
  } finally {
    over.abort();
    await Promise.all(visitors);
    if (!provider.isInServer) await provider.behave(NORMAL);
  }
}

/** Sends ten valid signups and requests of every other kind. @returns the expected counters of the others */
async function sendOtherRequests(crowd: Crowd): Promise<Record<string, number>> {
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => crowd.signUp(`late-${n}@site.example`, AFTER_KILLS)),
  );
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
    "rate_limited.ip": 1,
  };
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function restart(stage: Stage, server: ProgramProcess): Promise<ProgramProcess> {
  const { code } = await end(server, "SIGTERM");
  if (code !== 0) throw new Error(`the server exited with ${code} after SIGTERM`);
  const next = stage.start();
  await next.ready();
  return next;
}

function end(server: ProgramProcess, signal: "SIGTERM" | "SIGKILL") {
  server.signal(signal);
  return server.ended;
}
