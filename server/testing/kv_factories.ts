import { type OpenedKv, openKv } from "../kv/open.ts";

/** One kind of database that the conformance suites run on. */
export interface KvFactory {
  readonly name: string;
  open(): Promise<OpenedKv & AsyncDisposable>;
}

/**
 * In memory, in a file, and on the KV Connect server that `CFBE_TEST_KV` names, if it does. That one is shared
 * with whoever else tests on it and keeps what is written: a suite uses keys of its own, and cleans up.
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
