import { loadOnce } from "../../server/platform/load_once.ts";
import { type OpenedKv, openKv } from "../../server/platform/kv/open.ts";

/** A kind of database on which the conformance suites run. */
export interface KvFactory {
  readonly name: string;
  open(): Promise<OpenedKv & AsyncDisposable>;
}

/**
 * Returns databases in memory, in a file, in PostgreSQL, and on the server at `CFBE_TEST_KV`, if it is set. That server
 * may be shared and keeps its data, so a suite uses its own keys and deletes them.
 */
export function kvFactories(): KvFactory[] {
  void postgres();
  const factories: KvFactory[] = [
    { name: "memory", open: async () => disposable(await openKv(":memory:")) },
    { name: "file", open: inFile },
    { name: "PostgreSQL", open: inPostgres },
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

/**
 * PostgreSQL as WebAssembly, for all tests of this process. Runs in a worker that starts before the tests, because its
 * timers would count as leaks of theirs.
 */
const postgres = loadOnce(async () => {
  // Made before the first test begins, which would count the end of an asynchronous call as its leak.
  const folder = Deno.makeTempDirSync({ prefix: "cfbe-pglite-" });
  const url = new URL("./pglite_worker.ts", import.meta.url);
  url.searchParams.set("path", `${folder}/.s.PGSQL.5432`);
  const worker = new Worker(url, { type: "module" });
  await new Promise((resolve) => worker.onmessage = resolve);
  worker.onmessage = null;
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
