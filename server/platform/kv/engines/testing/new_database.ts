import connect from "postgres";
import { steadyClock, systemRandom } from "../../../deps.ts";
import { openPostgres } from "../postgres.ts";
import { CACHED_ROWS } from "../../keys.ts";
import type { Kv } from "../../port.ts";

/** Few, because many databases are open at once. */
const CONNECTIONS = 4;
const TRIES_MS = 9_000;

/** Creates an empty database on a server. `close` deletes it. */
export async function newPostgresDatabase(server: string): Promise<{ kv: Kv; close(): Promise<void> }> {
  const name = `cfbe_${systemRandom.uuid().replaceAll("-", "")}`;
  const run = async (statement: string) => {
    const sql = connect(server, { max: 1, onnotice: () => {} });
    await sql.unsafe(statement);
    await sql.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const address = new URL(server);
  address.pathname = name;
  address.searchParams.set("connections", String(CONNECTIONS));
  const options = { clock: steadyClock, triesMs: TRIES_MS, id: name, announced: CACHED_ROWS };
  const kv = await openPostgres(address.href, options);
  return {
    kv,
    async close() {
      await kv.close();
      await run(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
