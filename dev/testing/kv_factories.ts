import { type OpenedKv, openKv } from "../../server/platform/kv/open.ts";

/** A kind of database on which the conformance suites run. */
export interface KvFactory {
  readonly name: string;
  open(): Promise<OpenedKv & AsyncDisposable>;
}

/**
 * Returns databases in memory, in a file, and on the KV Connect server at `CFBE_TEST_KV`, if it is set. That
 * server may be shared and keeps its data, so a suite uses its own keys and deletes them.
 */
export function kvFactories(): KvFactory[] {
  const factories: KvFactory[] = [
    { name: "memory", open: async () => disposable(await openKv(":memory:")) },
    { name: "file", open: inFile },
  ];
  const address = Deno.env.get("CFBE_TEST_KV");
  if (address) factories.push({ name: "KV Connect", open: async () => disposable(await openKv(address)) });
  return factories;
}

async function inFile(): Promise<OpenedKv & AsyncDisposable> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-kv-" });
  return disposable(await openKv(`${folder}/test.kv`), () => Deno.remove(folder, { recursive: true }));
}

function disposable(opened: OpenedKv, after = () => Promise.resolve()): OpenedKv & AsyncDisposable {
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      opened.close();
      await after();
    },
  };
}
