/** The program: the only file that does something when it is imported. */
import { bootstrap } from "./bootstrap.ts";
import { listenError } from "./http/listen/listen_error.ts";
import { inRanges } from "./http/visitor/ip_ranges.ts";
import { listenDeno } from "./http/listen/deno_listener.ts";
import type { Listener } from "./http/listen/listener.ts";
import { listenNode } from "./http/listen/node_listener.ts";
import { startWarnings } from "./ops/start_warnings.ts";
import { isSandbox } from "./settings/provider.ts";
import { StartError } from "./start_error.ts";

/** How long the end may take after SIGINT or SIGTERM: open requests, then jobs, then all of it (hosts kill after 5 s). */
const ANSWER_MS = 2_000;
const DRAIN_MS = 2_000;
const LAST_MS = 4_500;

const starting = bootstrap(Deno.env.toObject());
// Deno Deploy evaluates this module to find its crons: declared before anything may fail or take long. One does for
// all: it fires what is due.
Deno.cron("cfbe sweep", "* * * * *", async () => (await starting).tick());

const program = await starting.catch(refuse);
const { config, log, runner } = program;
const app = await program.createApp();
await program.tick();
const setUp = await program.services.admin.openSetUp();
runner.start();

let server: Listener | undefined = undefined;
let draining = false;
async function drain() {
  // Task runners pass a signal on twice, milliseconds apart.
  if (draining) return;
  draining = true;
  setTimeout(() => Deno.exit(1), LAST_MS);
  // First whoever has asked is answered: that takes the database.
  await Promise.race([server?.shutdown(), new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
  await program.close(DRAIN_MS);
  Deno.exit(0);
}
// Before the first connection: Deno 2.9.6 ends if it has no descriptor left for its first signal listener.
Deno.addSignalListener("SIGTERM", drain);
Deno.addSignalListener("SIGINT", drain);

server = await listen();
announce();

/** What an operator can mend is a sentence; a stack trace is for what we have to mend. */
function refuse(error: unknown): never {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  Deno.exit(1);
}

async function listen(): Promise<Listener> {
  const { port, host: hostname, deploy } = config;
  const handle = (request: Request, peer: string | undefined) =>
    app.fetch(request, peer === undefined ? {} : { peer });
  const { settings } = program.services;
  const isShared = (peer: string) => inRanges(peer, settings.current().privacy.trustedProxies);
  try {
    return deploy
      ? listenDeno({ port, handle })
      : await listenNode({ port, hostname, handle, log, isShared });
  } catch (error) {
    await program.close(0);
    return refuse(listenError(error, config));
  }
}

function announce() {
  const settings = program.services.settings.current();
  log.info("server.listening", {
    host: config.host,
    port: config.port,
    baseUrl: config.baseUrl,
    provider: settings.general.provider,
  });
  if (setUp) console.log(`\n  Make the first admin, once and within a day:\n\n    ${setUp}`);
  for (const { event, message } of startWarnings(config, settings)) {
    log.warn(event, { message });
  }
  if (!isSandbox(settings)) return;
  console.log(`
  cfbe is running with the sandbox provider: nothing is mailed to anybody.

    Demo page      ${config.baseUrl}/demo
    Admin          ${config.baseUrl}/admin
    Sandbox inbox  ${config.baseUrl}/sandbox
`);
}
