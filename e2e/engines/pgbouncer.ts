import { join } from "node:path";
import { freePort } from "../../dev/free_port.ts";
import type { PostgresServer } from "../../dev/testing/postgres_server.ts";
import { connectTo, findCommand, startProcess } from "../process.ts";

/** Starts PgBouncer before a server. It refuses to run as root, so root runs it as the user `postgres`. */
export async function startPgBouncer(
  server: PostgresServer,
  mode: "session" | "transaction",
): Promise<AsyncDisposable & { address: string }> {
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pgbouncer-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
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
  const command = [await findCommand("pgbouncer"), file];
  const [name, ...args] = isRoot ? ["setpriv", "--reuid=postgres", "--clear-groups", ...command] : command;
  started.use(await startProcess(name!, { args, ready: () => connectTo(port) }));
  const all = started.move();
  return {
    address: `postgres://cfbe@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
