/** MariaDB with its data in a folder of ours, reached by a socket alone. */
import { find } from "../hosts/cache.ts";
import { run, startProcess } from "./process.ts";

export interface Database extends AsyncDisposable {
  socket: string;
}

/** @param folder where it may write */
export async function startDatabase(folder: string): Promise<Database> {
  const data = `${folder}/db`;
  const socket = `${folder}/db.sock`;
  const user = Deno.uid() === 0 ? ["--user=root"] : [];
  await run(await find("mariadb-install-db"), [
    "--no-defaults",
    ...user,
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const server = await startProcess(
    await find("mariadbd"),
    [
      "--no-defaults",
      ...user,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${folder}/db.pid`,
      "--skip-networking",
      // It is thrown away: nobody waits for the disk.
      "--innodb-flush-log-at-trx-commit=0",
      "--innodb-buffer-pool-size=64M",
    ],
    {},
    // The socket is there before it answers.
    () => run("php", ["-r", `new mysqli("localhost", "root", "", "", 0, $argv[1]);`, socket]),
  );
  return { socket, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
