import { loadOnce } from "../../server/platform/load_once.ts";
import { type OpenedKv, openKv } from "../../server/platform/kv/open.ts";

/** A kind of database on which the conformance suites run. */
export interface KvFactory {
  readonly name: string;
  /** Whether the engine keeps timers of its own, which no test ends. */
  readonly ownTimers?: boolean;
  open(): Promise<OpenedKv & AsyncDisposable>;
}

/**
 * Returns databases in memory, in a file, in PostgreSQL, and on the server at `CFBE_TEST_KV`, if it is set. That server
 * may be shared and keeps its data, so a suite uses its own keys and deletes them.
 */
export function kvFactories(): KvFactory[] {
  const factories: KvFactory[] = [
    { name: "memory", open: async () => disposable(await openKv(":memory:")) },
    { name: "file", open: inFile },
    { name: "PostgreSQL", ownTimers: true, open: inPostgres },
  ];
  const address = Deno.env.get("CFBE_TEST_KV");
  if (address) {
    factories.push({
      name: `server at CFBE_TEST_KV`,
      open: async () => disposable(await openKv(address)),
    });
  }
  return factories;
}

async function inFile(): Promise<OpenedKv & AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-kv-" });
  return disposable(await openKv(`${folder}/test.kv`), () => Deno.remove(folder, { recursive: true }));
}

/** PostgreSQL as WebAssembly in this process, reached through a socket. One for all tests of a process. */
const postgres = loadOnce(async () => {
  const [{ PGlite }, { PGLiteSocketServer }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("@electric-sql/pglite-socket"),
  ]);
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pglite-" });
  const path = `${folder}/.s.PGSQL.5432`;
  await new PGLiteSocketServer({ db: await PGlite.create(), path, maxConnections: 1 }).start();
  return `postgres://postgres@${encodeURIComponent(folder)}/postgres?connections=1`;
});

async function inPostgres(): Promise<OpenedKv & AsyncDisposable> {
  return disposable(await openKv(await postgres()));
}

function disposable(opened: OpenedKv, after = () => Promise.resolve()): OpenedKv & AsyncDisposable {
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened.close();
      await after();
    },
  };
}
