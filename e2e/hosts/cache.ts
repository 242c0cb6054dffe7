/** A real cache, as a process of its own with its files in a temporary folder. */
import { eventually, freePort } from "../program.ts";

const START_MS = 10_000;

interface Place {
  folder: string;
  /** Where it listens. */
  port: number;
  /** The port of what it stands in front of. */
  origin: number;
  /** Whether it keeps what it was told not to keep. */
  greedy: boolean;
}

/** A product that caches pages, and how it is started. */
export interface CacheKind {
  name: string;
  command: string;
  configFile: string;
  config(place: Place): string;
  args(place: Place): string[];
}

export interface RunningCache extends AsyncDisposable {
  url: string;
}

/**
 * Puts a cache in front of a port, and waits until it listens. Of each answer it says `X-Cache: HIT` or `MISS`.
 *
 * @param greedy keeps everything, also what says `no-store`
 */
export async function startCache(kind: CacheKind, origin: number, greedy = false): Promise<RunningCache> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-cache-" });
  // For caches that leave root's rights behind.
  await Deno.chmod(folder, 0o755);
  const place = { folder, port: freePort(), origin, greedy };
  await Deno.writeTextFile(`${folder}/${kind.configFile}`, kind.config(place));
  const child = new Deno.Command(await find(kind.command), {
    args: kind.args(place),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let log = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  child.status.then(() => ended = true);
  const cache: RunningCache = {
    url: `http://127.0.0.1:${place.port}`,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await reading;
      await Deno.remove(folder, { recursive: true });
    },
  };
  try {
    await eventually(`${kind.name} listens`, START_MS, () => {
      if (ended) throw new Error(`${kind.name} ended at once`);
      return Deno.connect({ port: place.port }).then((connection) => (connection.close(), true), () => false);
    });
  } catch (error) {
    await cache[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${log}`);
  }
  return cache;
}

/** A command's path. Debian keeps servers where only root's PATH leads. */
export async function find(command: string): Promise<string> {
  for (const folder of [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"]) {
    const path = `${folder}/${command}`;
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  throw new Deno.errors.NotFound(command);
}
