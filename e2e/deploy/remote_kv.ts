/** A KV Connect server as a process of its own, as Deno Deploy has one: shared by all instances. */
import { eventually, freePort } from "../program.ts";
import { denokv } from "./tools.ts";

const START_MS = 10_000;
const TOKEN = "a-token-for-end-to-end-tests";

export interface RemoteKv extends AsyncDisposable {
  /** What the runtime of Deno Deploy is given with an assigned database. */
  env: { DENO_KV_DEFAULT_PATH: string; DENO_KV_ACCESS_TOKEN: string };
}

export async function startRemoteKv(): Promise<RemoteKv> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-denokv-" });
  const port = freePort();
  const child = new Deno.Command(denokv, {
    args: [
      "--sqlite-path",
      `${folder}/kv.sqlite`,
      "serve",
      "--addr",
      `127.0.0.1:${port}`,
      "--access-token",
      TOKEN,
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await eventually(
    "denokv listens",
    START_MS,
    () => Deno.connect({ port }).then((connection) => (connection.close(), true), () => false),
  );
  return {
    env: { DENO_KV_DEFAULT_PATH: `http://127.0.0.1:${port}`, DENO_KV_ACCESS_TOKEN: TOKEN },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
