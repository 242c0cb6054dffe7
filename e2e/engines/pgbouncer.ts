import { join } from "node:path";
import { freePort } from "../../dev/free_port.ts";
import type { PostgresServer } from "../../dev/testing/postgres_server.ts";
import { waitUntil } from "../program.ts";

/** Returns the path of PgBouncer, as Debian installs it; undefined without it. */
export function pgBouncerProgram(): string | undefined {
  const path = "/usr/sbin/pgbouncer";
  try {
    return Deno.statSync(path).isFile ? path : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Starts PgBouncer before a server. It refuses to run as root, so root runs it as the user `postgres`. */
export async function startPgBouncer(
  server: PostgresServer,
  mode: "session" | "transaction",
): Promise<AsyncDisposable & { address: string }> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pgbouncer-" });
  const port = freePort();
  const [host, serverPort] = server.host.split(":");
  const file = join(folder, "pgbouncer.ini");
  await Deno.writeTextFile(
    file,
    `[databases]
* = host=${host} port=${serverPort} user=cfbe
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = idle_in_transaction_session_timeout
`,
  );
  const isRoot = Deno.uid() === 0;
  if (isRoot) await new Deno.Command("chown", { args: ["-R", "postgres", folder] }).output();
  const command = [pgBouncerProgram()!, file];
  const [name, ...args] = isRoot ? ["setpriv", "--reuid=postgres", "--clear-groups", ...command] : command;
  const child = new Deno.Command(name!, { args, stdout: "null", stderr: "null" }).spawn();
  const address = `postgres://cfbe@127.0.0.1:${port}/postgres`;
  await waitUntil("PgBouncer listens", 30_000, async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    connection?.close();
    return connection !== undefined;
  });
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
