import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Checkout } from "./bench.ts";
import { type Child, startChild } from "./child.ts";
import { connect } from "./connection.ts";
import { GET_TOKEN } from "./signups.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A running server, its newest form token, and its own folder for databases. */
export interface MeasuredServer extends Child<{ url: string }> {
  url: string;
  folder: string;
  /** Its database file. */
  database: string;
  /** Returns a new form token that is old enough to be accepted. */
  oldEnoughToken(): Promise<string>;
}

/** The server drops signups with a younger token. */
const TOKEN_AGE_MS = 3_200;

/** Creates a folder in the checkout's ignored `data/`, because `/tmp` is in memory on many machines. */
export async function makeDataFolder(): Promise<string> {
  const data = join(ROOT, "data");
  await Deno.mkdir(data, { recursive: true });
  return await Deno.makeTempDir({ dir: data, prefix: "bench-" });
}

/** Returns the flags with which `deno task start` of a checkout runs the program, such as V8's flags for memory. */
export async function startFlags(checkout: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(checkout, "deno.json")));
  const [, flags] = /deno run ([^&]*) server\/main\.ts/.exec(tasks.start.command) ?? [];
  if (flags === undefined) throw new Error(`${checkout}: the task start does not run server/main.ts`);
  return flags.split(" ").filter((flag) => flag !== "-A");
}

interface ServerOptions {
  /** URL of the provider's API; if missing, the job runner is off and nothing is delivered. */
  provider?: string;
  /** Number of signups to insert before the start, unless `kv` is filled already; 0 by default. */
  records?: number;
  /** A database file to keep; by default a new one, which is deleted. */
  kv?: string | undefined;
  env?: Record<string, string>;
  /** Path of a module to run before the program. */
  preload?: string;
}

/** Starts the program of a checkout. */
export async function startServer(
  { folder: checkout }: Checkout,
  { provider, records = 0, kv, env = {}, preload }: ServerOptions = {},
): Promise<MeasuredServer> {
  const folder = await makeDataFolder();
  const database = kv ?? join(folder, "cfbe.kv");
  if (records > 0) await insertRecords(checkout, database, records);
  const child = await startChild<{ url: string }>([
    ...await startFlags(checkout),
    "--config",
    join(checkout, "deno.json"),
    ...(preload === undefined ? [] : [`--preload=${preload}`]),
    join(ROOT, "dev/bench/measured_server.ts"),
    checkout,
    ...(provider === undefined ? [] : ["jobs"]),
  ], {
    cwd: checkout,
    env: {
      DENO_V8_FLAGS: "--expose-gc",
      CFBE_KV: database,
      CFBE_ANSWER_FLOOR_MS: "0",
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: provider ?? "http://127.0.0.1:1",
      CFBE_PROVIDER_PROJECT: "65f000000000000000000000",
      CFBE_PROVIDER_API_KEY: "a-key-for-benchmarks",
      ...env,
    },
  });
  const { url } = child.ready;
  return {
    ...child,
    url,
    folder,
    database,
    async oldEnoughToken() {
      const connection = await connect(url);
      const { body } = await connection.send(GET_TOKEN);
      connection.close();
      await new Promise((resolve) => setTimeout(resolve, TOKEN_AGE_MS));
      return (JSON.parse(body) as { token: string }).token;
    },
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function insertRecords(checkout: string, database: string, count: number): Promise<void> {
  const script = join(ROOT, "dev/bench/insert_records.ts");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", join(checkout, "deno.json"), script, checkout, database, String(count)],
    cwd: checkout,
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("Could not fill the database; the reason is above.");
}

/** Fills a new database with sample records. The process responds to `search` and `backup`. */
export async function openStoredRecords({ folder: checkout }: Checkout, count: number): Promise<Child<null>> {
  const folder = await makeDataFolder();
  const child = await startChild<null>([
    "--config",
    join(checkout, "deno.json"),
    join(ROOT, "dev/bench/stored_records.ts"),
    checkout,
    join(folder, "records.kv"),
    String(count),
  ], { cwd: checkout });
  return {
    ...child,
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
