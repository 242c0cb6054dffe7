/**
 * `deno task bench:engines`: signups on every engine, with one process and with two where the engine is shared. Rounds of
 * all alternate, so that a busy moment of the machine affects all. Prints the table of docs/capacity.md.
 *
 * `--rounds 3`: how many; `--seconds 4`: how long each part of a round takes.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closedLoop, openConnections, openLoop } from "../../dev/bench/load.ts";
import { usageOf } from "../../dev/bench/process_usage.ts";
import { type ProviderDouble, startProviderDouble } from "../../dev/bench/provider.ts";
import { makeDataFolder, type MeasuredServer, startServer } from "../../dev/bench/server.ts";
import { postSignup, visitor } from "../../dev/bench/signups.ts";
import { median, percentile } from "../../dev/bench/statistics.ts";
import { freePort } from "../../dev/free_port.ts";
import { postgresPrograms, startPostgres } from "../../dev/testing/postgres_server.ts";
import { denokv } from "../deploy/tools.ts";
import { connectTo, startProcess } from "../process.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONNECTIONS = 64;
const SECRETS = {
  CFBE_SALT: "a salt for benchmarks, long enough to be one",
  CFBE_API_TOKEN: "a-token-for-benchmarks",
};

/** A database, and the processes that belong to it. */
interface Database extends AsyncDisposable {
  env: Record<string, string>;
  /** Of PostgreSQL; 0 for other engines. */
  port: number;
  /** Returns the CPU time of its own processes, in seconds. */
  cpuSeconds(): Promise<number>;
}

const DATABASES: Record<string, () => Promise<Database | undefined>> = {
  "a file": () =>
    Promise.resolve({
      ...{ env: {}, port: 0, cpuSeconds: () => Promise.resolve(0) },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  async PostgreSQL() {
    const programs = postgresPrograms();
    if (!programs) return undefined;
    const server = await startPostgres(programs);
    const { host } = server;
    const main = await postmasterOf(host);
    return {
      env: { CFBE_KV: `postgres://cfbe@${host}/postgres` },
      port: Number(host.split(":")[1]),
      cpuSeconds: () => familyCpu(main),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  async denokv() {
    if (!await Deno.stat(denokv).then(() => true, () => false)) return undefined;
    const folder = await makeDataFolder();
    const [port, token] = [freePort(), "a-token-for-benchmarks"];
    const args = ["--sqlite-path", `${folder}/kv.sqlite`, "serve", "--addr", `127.0.0.1:${port}`];
    const server = await startProcess(denokv, {
      args: [...args, "--access-token", token],
      ready: () => connectTo(port),
    });
    return {
      env: { CFBE_KV: `http://127.0.0.1:${port}`, DENO_KV_ACCESS_TOKEN: token },
      port: 0,
      cpuSeconds: async () => (await usageOf(server.pid)).cpuSeconds,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await Deno.remove(folder, { recursive: true });
      },
    };
  },
};

/** Returns the first process of the PostgreSQL server that listens at an address. */
async function postmasterOf(host: string): Promise<number> {
  const port = host.split(":")[1];
  for await (const { name } of Deno.readDir("/proc")) {
    const command = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (command.includes("bin/postgres\0") && command.includes(`port=${port}\0`)) return Number(name);
  }
  throw new Error(`no PostgreSQL server at ${host}`);
}

/** Returns the CPU time of a process and its children, in seconds. */
async function familyCpu(main: number): Promise<number> {
  let seconds = (await usageOf(main)).cpuSeconds;
  for await (const { name } of Deno.readDir("/proc")) {
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === main) seconds += await usageOf(Number(name)).then(({ cpuSeconds }) => cpuSeconds, () => 0);
  }
  return seconds;
}

type Figures = Record<string, number>;

interface Setup extends AsyncDisposable {
  name: string;
  measure(): Promise<Figures>;
}

let visitors = 0;

async function open(
  engine: string,
  processes: number,
  provider: ProviderDouble,
  seconds: number,
): Promise<Setup | undefined> {
  await using stack = new AsyncDisposableStack();
  const database = await DATABASES[engine]!();
  if (!database) return undefined;
  stack.use(database);
  const servers: MeasuredServer[] = [];
  for (let n = 0; n < processes; n++) {
    const env = { ...SECRETS, ...database.env };
    servers.push(
      stack.use(await startServer({ label: "now", folder: ROOT }, { provider: provider.url, env })),
    );
  }
  const token = await servers[0]!.oldEnoughToken();
  const next = () => postSignup(visitor(++visitors), token);
  /** With connections of its own, because the server ends those that are idle for some seconds. */
  const acceptedPerSecond = async (ms: number) => {
    using connections = new DisposableStack();
    const callers = [];
    for (const { url } of servers) {
      const open = connections.use(await openConnections(url, CONNECTIONS / processes));
      callers.push(...open.callers(next, 200));
    }
    return await closedLoop(ms, callers);
  };
  const cpu = async () => {
    const usages = await Promise.all(servers.map(({ pid }) => usageOf(pid)));
    return {
      own: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      database: await database.cpuSeconds(),
    };
  };
  const trips = async () => {
    const all = await Promise.all(servers.map((server) => server.ask<number>(`roundTrips ${database.port}`)));
    return all.reduce((sum, count) => sum + count, 0);
  };
  const load = (perSecond: number, count: number) =>
    Promise.all(servers.map(async ({ url }) => {
      const first = visitors;
      const own: number[] = [];
      const sent = await openLoop({
        ...{ url, perSecond: perSecond / processes, count: Math.ceil(count / processes) },
        next: () => {
          own.push(visitors + 1);
          return next();
        },
      });
      return sent.map(({ dueAt }, at) => [own[at] ?? first, dueAt] as const);
    }));
  await acceptedPerSecond(2_000);
  await provider.delivered(visitors);
  await provider.arrivals();
  const running = stack.move();
  return {
    name: `${engine}, ${processes === 1 ? "1 process" : `${processes} processes`}`,
    async measure() {
      const perSecond = await acceptedPerSecond(seconds * 1_000);
      const drainedFrom = performance.now();
      await provider.delivered(visitors);
      const drainMs = performance.now() - drainedFrom;
      await provider.arrivals();
      await trips();
      const before = await cpu();
      const half = perSecond / 2;
      const count = Math.floor(half * seconds);
      const due = new Map((await load(half, count)).flat());
      await provider.delivered(visitors);
      const after = await cpu();
      const delays = (await provider.arrivals()).map(([visitor, at]) => at - due.get(visitor)!);
      return {
        perSecond,
        half,
        p50: percentile(delays, 0.5),
        p99: percentile(delays, 0.99),
        ownCpu: (after.own - before.own) / due.size * 1_000,
        databaseCpu: (after.database - before.database) / due.size * 1_000,
        trips: await trips() / due.size,
        drainMs,
      };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
  },
});
await using stack = new AsyncDisposableStack();
const provider = stack.use(await startProviderDouble());
const setups: Setup[] = [];
for (
  const [engine, processes] of [["a file", 1], ["PostgreSQL", 1], ["PostgreSQL", 2], ["denokv", 1], [
    "denokv",
    2,
  ]] as const
) {
  const setup = await open(engine, processes, provider, Number(values.seconds));
  if (setup) setups.push(stack.use(setup));
  else console.error(`${engine} is not installed, and left out.`);
}
const measured = new Map<string, Figures[]>();
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const { name, measure } of setups) {
    const figures = await measure();
    measured.set(name, [...measured.get(name) ?? [], figures]);
    const shown = Object.entries(figures).map(([key, value]) => `${key} ${Number(value.toPrecision(3))}`);
    console.error(`${round}/${values.rounds} ${name}: ${shown.join(", ")}`);
  }
}
const number = (value: number, digits = 0) =>
  value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });
console.log(
  "| database | accepted per second | signup to provider at half of that: median, 99th percentile | " +
    "CPU time per signup: cfbe, database | round trips per signup |",
);
console.log("| --- | --- | --- | --- | --- |");
for (const [name, rounds] of measured) {
  const of = (key: string) => median(rounds.map((figures) => figures[key]!));
  const cells = [
    name,
    number(of("perSecond")),
    `${number(of("p50"))} ms, ${number(of("p99"))} ms`,
    `${number(of("ownCpu"), 1)} ms, ${number(of("databaseCpu"), 1)} ms`,
    number(of("trips"), 1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
