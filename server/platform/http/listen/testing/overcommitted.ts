/** Starts a listener whose caps exceed the available file descriptors. Run it under `ulimit -n`. Prints its port. */
import { listenNode } from "../node_listener.ts";

// Added at start, as in the real program: Deno 2.9.6 exits if no descriptor is left for the first signal listener.
Deno.addSignalListener("SIGTERM", () => Deno.exit(0));

const print = (level: string) => (event: string) => console.log(`${level} ${event}`);
const { port } = await listenNode({
  port: 0,
  hostname: "127.0.0.1",
  handle: () => new Response("hello"),
  log: { info: print("info"), warn: print("warn"), error: print("error") },
  isShared: () => true,
  limits: { headersMs: 500, checkMs: 100, watchMs: 300 },
});
console.log(`port ${port}`);
