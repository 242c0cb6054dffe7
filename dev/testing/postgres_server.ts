import { join } from "node:path";
import { freePort } from "../free_port.ts";

/** A PostgreSQL server of this machine, with an empty database in a temporary folder. */
export interface PostgresServer extends AsyncDisposable {
  /** Its address for `CFBE_KV`: a socket in the folder. */
  readonly address: string;
  /** Its host and port, on the loopback interface. */
  readonly host: string;
  start(): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends it as an administrator does, when running transactions are rolled back. */
  stop(): Promise<void>;
  /** Resolves to what it has logged. */
  log(): Promise<string>;
  /** Runs SQL, outside a transaction. Resolves to its output. */
  sql(text: string): Promise<string>;
  /** Starts a standby that follows this server; commits wait for it. */
  standby(): Promise<PostgresServer>;
  /** Makes a standby a server that also writes. */
  promote(): Promise<void>;
}

/** Returns the folder of PostgreSQL's programs, as Debian installs them; undefined without PostgreSQL. */
export function postgresPrograms(): string | undefined {
  const folder = "/usr/lib/postgresql";
  try {
    const versions = [...Deno.readDirSync(folder)].map(({ name }) => Number(name)).filter(Boolean);
    return versions.length > 0 ? join(folder, String(Math.max(...versions)), "bin") : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Starts a server. PostgreSQL refuses to run as root, so root runs it as the user `postgres`.
 *
 * @param isDurable false for tests that do not kill the server: commits then do not wait for the disk
 */
export function startPostgres(programs: string, { isDurable = true } = {}): Promise<PostgresServer> {
  return startServer(
    programs,
    isDurable ? "" : " -c fsync=off -c full_page_writes=off -c synchronous_commit=off",
    async (run, data) =>
      void await run("initdb", "-D", data, "-U", "cfbe", "--auth=trust", "--encoding=UTF8", "--locale=C"),
  );
}

/** Runs one of the programs. Resolves to its output. */
type Run = (program: string, ...args: string[]) => Promise<string>;

/**
 * @param more further options of the server
 * @param create fills the folder of the data
 */
async function startServer(
  programs: string,
  more: string,
  create: (run: Run, data: string) => Promise<void>,
): Promise<PostgresServer> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pg-" });
  const isRoot = Deno.uid() === 0;
  const run: Run = async (program, ...args) => {
    const command = [join(programs, program), ...args];
    const [name, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    const options = { args: rest, cwd: "/", stdout: "piped", stderr: "piped" } as const;
    const { success, stdout, stderr } = await new Deno.Command(name!, options).output();
    if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout).trim();
  };
  if (isRoot) await new Deno.Command("chown", { args: ["postgres", folder] }).output();
  const data = join(folder, "data");
  const port = freePort();
  // The server would keep the pipes of `pg_ctl` open.
  const control = (...args: string[]) =>
    run("pg_ctl", "-D", data, "-w", "-s", "-l", join(folder, "log"), ...args);
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}${more}`;
  const start = async () => void await control("-o", options, "start");
  try {
    await create(run, data);
    await start();
  } catch (error) {
    const log = await Deno.readTextFile(join(folder, "log")).catch(() => "no log");
    await Deno.remove(folder, { recursive: true });
    throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
  }
  const host = `127.0.0.1:${port}`;
  const sql = (text: string) =>
    run("psql", "-h", folder, "-p", String(port), "-U", "cfbe", "-Atc", text, "postgres");
  const kill = async () => void await control("-m", "immediate", "stop");
  return {
    address: `postgres://cfbe@${encodeURIComponent(folder)}:${port}/postgres`,
    host,
    start,
    stop: async () => void await control("-m", "fast", "stop"),
    kill,
    log: () => Deno.readTextFile(join(folder, "log")),
    sql,
    async standby() {
      const standby = await startServer(
        programs,
        more,
        async (copy, into) =>
          void await copy("pg_basebackup", "-R", "-D", into, "-d", `host=127.0.0.1 port=${port} user=cfbe`),
      );
      await sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await sql("SELECT pg_reload_conf()");
      return standby;
    },
    promote: async () => void await control("promote"),
    async [Symbol.asyncDispose]() {
      await kill().catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}
