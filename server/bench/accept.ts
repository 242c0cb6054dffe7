/**
 * Compares the rate of accepted signups with the rate of plain database commits.
 *
 * `deno task bench` prints accepted signups per second over HTTP, commits per second of the same size
 * (mutations, checks, bytes) to a separate file in the same folder, and their ratio. The ratio differs least
 * between machines. Rounds alternate, so that a busy moment affects both.
 *
 * The measured server is a separate process without the job runner; this process generates the load. The site
 * limit is off, every visitor has a different address and IP, and the minimum response time is 0.
 */
import { join } from "node:path";
import { type Announced } from "./accept_server.ts";
import { openBareCommits } from "./bare_commits.ts";
import { newcomers, rate } from "./load.ts";
import { bytesOf } from "./recorded_commit.ts";

const WARM_UP_MS = 5_000;
const ROUND_MS = 4_000;
const ROUNDS = 3;
/** Concurrent visitors. With fewer, the delay of the responses would be measured. */
const AT_ONCE = 512;
/** More than one round can use. */
const PREPARED = 25_000;

const folder = await Deno.makeTempDir({ prefix: "cfbe_bench_" });
const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", new URL("accept_server.ts", import.meta.url).href, join(folder, "accept.kv")],
  stdout: "piped",
  stderr: "inherit",
}).spawn();
try {
  const announced = await firstLine(server.stdout);
  const { commit } = announced;
  const bare = await openBareCommits(join(folder, "bare.kv"), commit);
  const visitors = await newcomers(announced, AT_ONCE);
  const committers = visitors.callers.map(() => bare.commitOne);
  const accept = (ms: number) => rate(ms, visitors.callers);
  const commitBare = (ms: number) => {
    bare.prepare(PREPARED);
    return rate(ms, committers);
  };

  console.log(
    `one signup: ${commit.writes.length} mutations, ${commit.checks.length} checks, ${bytesOf(commit)} bytes`,
  );
  await accept(WARM_UP_MS);
  await commitBare(WARM_UP_MS / 5);
  const [accepted, committed]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    accepted.push(await accept(ROUND_MS));
    committed.push(await commitBare(ROUND_MS));
    console.log(`round ${round}: ${figure(accepted.at(-1)!)} accepted, ${figure(committed.at(-1)!)} bare`);
  }
  visitors.leave();
  bare.close();
  const [accepts, commits] = [median(accepted), median(committed)];
  console.log(
    `median: ${figure(accepts)} signups accepted per second, ${figure(commits)} bare commits per second`,
  );
  console.log(`ratio: ${(accepts / commits).toFixed(2)}`);
} finally {
  await end(server);
  await Deno.remove(folder, { recursive: true });
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch {
    // The process has ended already and printed why.
  }
  await child.status;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<Announced> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return JSON.parse(text.slice(0, end)) as Announced;
  }
  throw new Error("The measured server ended before it printed its URL");
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function figure(perSecond: number): string {
  return perSecond.toFixed(0);
}
