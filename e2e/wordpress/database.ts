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
  // A server that starts removes all temporary tables in its folder for them, also those of one that is starting beside it.
  const temporary = `${folder}/db-tmp`;
  await Deno.mkdir(temporary);
  const own = [
    "--no-defaults",
    ...Deno.uid() === 0 ? ["--user=root"] : [],
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
  ];
  await run(await findCommand("mariadb-install-db"), [
    ...own,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const server = await startProcess(
    await findCommand("mariadbd"),
    {
      args: [
        ...own,
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
