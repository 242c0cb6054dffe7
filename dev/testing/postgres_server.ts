import { join } from "node:path";

/** A PostgreSQL server of this machine, with an empty database in a temporary folder. */
export interface PostgresServer extends AsyncDisposable {
  /** Its address for `CFBE_KV`: a socket in the folder. */
  readonly address: string;
  start(): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends it as an administrator does, when running transactions are rolled back. */
  stop(): Promise<void>;
}

/** Returns the folder of PostgreSQL's programs, as Debian installs them; undefined if there are none. */
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

/** Starts a server. PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pg-" });
  const isRoot = Deno.uid() === 0;
  const run = async (program: string, ...args: string[]) => {
    const command = [join(programs, program), ...args];
    const [name, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    const { success, stderr } = await new Deno.Command(name!, { args: rest, stdout: "null", stderr: "piped" })
      .output();
    if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
  };
  if (isRoot) await new Deno.Command("chown", { args: ["postgres", folder] }).output();
  const data = join(folder, "data");
  const control = (...args: string[]) => run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), ...args);
  const start = () => control("-o", `-c listen_addresses= -c unix_socket_directories=${folder}`, "start");
  await run("initdb", "-D", data, "-U", "cfbe", "--auth=trust", "--encoding=UTF8", "--locale=C");
  await start();
  const stop = () => control("-m", "fast", "stop");
  const kill = () => control("-m", "immediate", "stop");
  return {
    address: `postgres://cfbe@${encodeURIComponent(folder)}/postgres`,
    start,
    stop,
    kill,
    async [Symbol.asyncDispose]() {
      await kill().catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
}
