/** Real caches as child processes, with their files in a temporary folder. */
import { connectTo, findCommand, startProcess } from "../process.ts";
import { freePort } from "../../dev/free_port.ts";

export interface CacheSetup {
  /** Folder for the cache's files. */
  folder: string;
  /** Port the cache listens on. */
  port: number;
  /** Port of the server behind the cache. */
  origin: number;
  /** Whether the cache ignores `no-store`. */
  greedy: boolean;
}

/** A caching server and how to start it. */
export interface CacheKind {
  name: string;
  command: string;
  configFile: string;
  config(setup: CacheSetup): string;
  args(setup: CacheSetup): string[];
}

export interface RunningCache extends AsyncDisposable {
  url: string;
}

/**
 * Starts a cache in front of a port and waits until it listens. It adds `X-Cache: HIT` or `MISS` to each response.
 *
 * @param greedy stores every response, even with `no-store`
 */
export async function startCache(kind: CacheKind, origin: number, greedy = false): Promise<RunningCache> {
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-cache-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  // Some caches drop root's privileges.
  await Deno.chmod(folder, 0o755);
  const setup = { folder, port: freePort(), origin, greedy };
  await Deno.writeTextFile(`${folder}/${kind.configFile}`, kind.config(setup));
  const options = { args: kind.args(setup), ready: () => connectTo(setup.port) };
  started.use(await startProcess(await findCommand(kind.command), options));
  const all = started.move();
  return { url: `http://127.0.0.1:${setup.port}`, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
