/**
 * `deno task dev`: serves the demo and the admin, rebuilds the widget and restarts the server when a source changes,
 * and reloads the open pages.
 */
import { prepareBuild } from "../widget/dev_build.ts";
import { freePort } from "./free_port.ts";
import { createLiveProxy } from "./live_proxy.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const WIDGET_SOURCES = ["widget/src", "shared"].map((folder) => ROOT + folder);
/** How long to wait for further changes, because editors write a file in several steps. */
const SETTLE_MS = 50;
/** The server exits within 4.5 seconds of a signal. */
const END_MS = 5_000;

const port = Number(Deno.env.get("PORT") ?? 8000);
const serverPort = freePort();

const build = await prepareBuild();
await build();

const server = new Deno.Command(Deno.execPath(), {
  // Deno watches imported modules by default; `server` adds the style sheets and scripts that the server sends.
  args: ["run", "-A", "--node-modules-dir=manual", "--watch=server", "--no-clear-screen", "dev/server.ts"],
  cwd: ROOT,
  env: {
    PORT: `${serverPort}`,
    CFBE_BASE_URL: Deno.env.get("CFBE_BASE_URL") ?? `http://localhost:${port}`,
  },
  stdin: "null",
  stderr: "piped",
}).spawn();

const proxy = createLiveProxy(`http://127.0.0.1:${serverPort}`, `${ROOT}widget/dist`);
const front = Deno.serve({ port, hostname: "127.0.0.1", onListen: () => {} }, proxy.fetch);
const watcher = Deno.watchFs(WIDGET_SOURCES);

let ending = false;
async function end() {
  // May be called twice: a terminal sends Ctrl-C to every process, and the task runner forwards it.
  if (ending) return;
  ending = true;
  const kill = setTimeout(() => server.kill("SIGKILL"), END_MS);
  // Deno in watch mode ignores SIGTERM.
  server.kill("SIGINT");
  await server.status;
  clearTimeout(kill);
  watcher.close();
  Deno.exit(0);
}
Deno.addSignalListener("SIGINT", end);
Deno.addSignalListener("SIGTERM", end);
server.status.then(({ code }) => ending || Deno.exit(code));

await Promise.all([front.finished, followServer(), rebuildOnChange()]);

/** Prints the server's log, and reloads the pages whenever the server has started. */
async function followServer() {
  const decoder = new TextDecoder();
  for await (const chunk of server.stderr) {
    Deno.stderr.writeSync(chunk);
    if (decoder.decode(chunk, { stream: true }).includes('"event":"server.listening"')) proxy.reload();
  }
}

async function rebuildOnChange() {
  let building = Promise.resolve();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  for await (const { kind } of watcher) {
    if (kind === "access") continue;
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      building = building.then(build).then(proxy.reload).catch((error) => console.error(error.message));
    }, SETTLE_MS);
  }
}
