/** A KV Connect server as a child process, shared by all instances as on Deno Deploy. */
import { connectTo, startProcess } from "../process.ts";
import { freePort } from "../../dev/free_port.ts";
import { denokv } from "./tools.ts";

const TOKEN = "a-token-for-end-to-end-tests";

export interface RemoteKv extends AsyncDisposable {
  /** Variables that Deno Deploy sets for an app with an assigned database. */
  env: { DENO_KV_DEFAULT_PATH: string; DENO_KV_ACCESS_TOKEN: string };
}

/** Starts the server with an empty database. */
export async function startRemoteKv(): Promise<RemoteKv> {
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-denokv-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const args = ["--sqlite-path", `${folder}/kv.sqlite`, "serve", "--addr", address, "--access-token", TOKEN];
  started.use(await startProcess(denokv, { args, ready: () => connectTo(port) }));
  const all = started.move();
  return {
    env: { DENO_KV_DEFAULT_PATH: `http://${address}`, DENO_KV_ACCESS_TOKEN: TOKEN },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
