import connect from "postgres";
import { steadyClock, systemRandom } from "../../../deps.ts";
import { openPostgres } from "../postgres.ts";
import { CACHED_ROWS } from "../../keys.ts";
import type { Kv } from "../../port.ts";

/** Few, because many databases are open at once. */
const CONNECTIONS = 4;
const TRIES_MS = 9_000;

/** Deletes all rows. Returns the connections that are still open, such as one that reads a list that nobody awaits. */
const EMPTY = "WITH deleted AS (DELETE FROM cfbe_rows) " +
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

/** Names of databases that tests of this process have left empty: making one takes far longer than emptying it. */
const empty: string[] = [];

/** Opens an empty database on a server. `close` deletes it, or leaves it empty for the next test of this process. */
export async function newPostgresDatabase(server: string): Promise<{ kv: Kv; close(): Promise<void> }> {
  const name = empty.pop() ?? await createDatabase(server);
  const address = new URL(name, server).href;
  const kv = await openPostgres(`${address}?connections=${CONNECTIONS}`, {
    clock: steadyClock,
    triesMs: TRIES_MS,
    id: systemRandom.uuid(),
    announced: CACHED_ROWS,
  });
  return {
    kv,
    async close() {
      await kv.close();
      const open = await run(address, EMPTY);
      if (open.length === 0) empty.push(name);
      else await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Resolves to the name of a new database. */
async function createDatabase(server: string): Promise<string> {
  const name = `cfbe_${systemRandom.uuid().replaceAll("-", "")}`;
  await run(server, `CREATE DATABASE ${name}`);
  return name;
}

/** Resolves to the rows that a statement returns. */
async function run(address: string, statement: string): Promise<unknown[]> {
  const sql = connect(address, { max: 1, fetch_types: false, onnotice: () => {} });
  const rows = await sql.unsafe(statement);
  await sql.end();
  return rows;
}
