/** MariaDB in a temporary folder, reachable only through a socket. */
import { findCommand, run, startProcess } from "../process.ts";

export interface Database extends AsyncDisposable {
  socket: string;
}

/**
 * Starts MariaDB.
 *
 * @param folder for its files
 */
export async function startDatabase(folder: string): Promise<Database> {
  const data = `${folder}/db`;
  const socket = `${folder}/db.sock`;
  const user = Deno.uid() === 0 ? ["--user=root"] : [];
  await run(await findCommand("mariadb-install-db"), [
    "--no-defaults",
    ...user,
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const server = await startProcess(
    await findCommand("mariadbd"),
    {
      args: [
        "--no-defaults",
        ...user,
        `--datadir=${data}`,
        `--socket=${socket}`,
        `--pid-file=${folder}/db.pid`,
        "--skip-networking",
        // The data is temporary, so there is no need to flush it to disk.
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-size=64M",
      ],
      // The socket exists before the server accepts connections.
      ready: () => run("php", ["-r", `new mysqli("localhost", "root", "", "", 0, $argv[1]);`, socket]),
    },
  );
  return { socket, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
