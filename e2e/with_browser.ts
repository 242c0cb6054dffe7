/**
 * Runs a command with one browser for all test files in it, which `launch` then connects to. Starting a browser for
 * each file would take a good part of the CPU time.
 *
 *     deno run -A e2e/with_browser.ts deno test -A --parallel
 *
 * The exit code is the command's. The browser ends with the command, on SIGINT and SIGTERM as well; if this process
 * is killed, the browser notices that its pipe is closed.
 */
import { launchShared, SHARED_BROWSER } from "./browser.ts";

const [command, ...args] = Deno.args;
if (!command) {
  console.error("Usage: deno run -A e2e/with_browser.ts COMMAND [ARGUMENT…]");
  Deno.exit(2);
}

const server = await launchShared();
const child = new Deno.Command(command === "deno" ? Deno.execPath() : command, {
  args,
  env: { [SHARED_BROWSER]: server.wsEndpoint() },
}).spawn();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    try {
      child.kill(signal);
    } catch {
      // It has ended: a terminal sends the signal to both processes.
    }
  });
}
const { code } = await child.status;
await server.close();
Deno.exit(code);
