import { bootstrap, type Overrides } from "./bootstrap.ts";
import type { Program } from "./program.ts";
import { systemClock } from "../platform/deps.ts";
import { checkPort } from "../platform/http/listen/check_port.ts";
import { listenError } from "../platform/http/listen/listen_error.ts";
import { inRanges } from "../platform/http/visitor/ip_ranges.ts";
import { listenDeno } from "../platform/http/listen/deno_listener.ts";
import type { Listener } from "../platform/http/listen/listener.ts";
import { listenNode } from "../platform/http/listen/node_listener.ts";
import { endOfNpx } from "./npx.ts";
import { logStartWarnings } from "../operations/checks/start_warnings.ts";
import { isSandbox } from "../settings/store/provider.ts";
import { capitalized } from "../platform/words/capitalized.ts";
import { docPage } from "../platform/words/doc_page.ts";
import { cfbeCommand } from "../platform/config/cfbe_command.ts";
import { StartError } from "../platform/config/start_error.ts";
import { createTicks } from "./ticks.ts";

/**
 * Timeouts after SIGINT or SIGTERM: for open requests, once no new ones are accepted, for jobs, and in total (hosts kill
 * the process after 5 s). Requests that were open before have the time that load balancers get to notice as well.
 */
const REQUESTS_MS = { unnoticed: 2_000, noticed: 1_000 };
const DRAIN_MS = 2_000;
const LAST_MS = 4_500;

type App = Awaited<ReturnType<Program["createApp"]>>;

/** Runs the program until a signal ends it. The entry point calls this first: it declares the cron. */
export async function serve(overrides: Pick<Overrides, "adminPages"> = {}): Promise<void> {
  const answer = answerTo(Deno.args);
  if (answer) {
    (answer.code === 0 ? console.log : console.error)(answer.text);
    Deno.exit(answer.code);
  }
  const starting = bootstrap(Deno.env.toObject(), { ...overrides, beforeDatabase: checkPort });
  // Deno Deploy evaluates the entry point to find its crons, so declare it before anything that can fail or take long. A
  // single cron is enough: it starts whatever is due.
  const ticks = createTicks({ clock: systemClock, tick: async () => (await starting).tick() });
  Deno.cron("cfbe sweep", "* * * * *", ticks.tick);

  const program = await starting.catch(exitWith);
  const { log, runner } = program;
  const app = await program.createApp();
  const setUpLink = await program.services.admin.openSetUp();

  let server: Listener | undefined = undefined;
  const draining = new AbortController();
  async function drain() {
    // Task runners forward a signal twice, milliseconds apart.
    if (draining.signal.aborted) return;
    draining.abort("draining");
    setTimeout(() => Deno.exit(1), LAST_MS);
    const requestsMs = REQUESTS_MS[await program.services.draining.begin() ? "noticed" : "unnoticed"];
    // Open requests first, because they need the database.
    await Promise.race([server?.shutdown(), new Promise((resolve) => setTimeout(resolve, requestsMs))]);
    await program.close(DRAIN_MS);
    log.info("server.stopped");
    Deno.exit(0);
  }
  // Before the first connection: Deno 2.9.6 exits if no file descriptor is left for its first signal listener.
  Deno.addSignalListener("SIGTERM", drain);
  Deno.addSignalListener("SIGINT", drain);
  void endOfNpx({ env: Deno.env.toObject(), pid: Deno.pid, clock: systemClock, stop: draining.signal })
    .then((how) => how === "ended" ? drain() : undefined);

  server = await listen(program, app);
  announce(program, setUpLink);
  await program.warmUp();
  // Only now: a program that can't listen must not run jobs.
  await ticks.tick();
  runner.start();
  program.followChanges();
  void ticks.keepUp(draining.signal);
}

/**
 * Returns what to print in place of starting the server, because it has no options; undefined without arguments.
 *
 * @param args arguments of the process
 */
function answerTo(args: readonly string[]): { text: string; code: number } | undefined {
  if (args.length === 0) return undefined;
  const isHelp = args.some((arg) => arg === "--help" || arg === "-h" || arg === "help");
  const what = isHelp ? "Starts cfbe's server." : `cfbe's server does not know ${args.join(" ")}.`;
  return {
    text: `${what} It has no options: environment variables configure it, for example\n\n` +
      `  PORT=9000 CFBE_KV=data/cfbe.kv deno task start\n\n` +
      `${
        capitalized(docPage("configure"))
      } lists them all. The command line has its own help: ${cfbeCommand()} --help`,
    code: isHelp ? 0 : 1,
  };
}

/** Prints a problem that the operator can fix as a message. Any other error keeps its stack trace. */
function exitWith(error: unknown): never {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  Deno.exit(1);
}

async function listen(program: Program, app: App): Promise<Listener> {
  const { config, log } = program;
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
    return exitWith(listenError(error, config));
  }
}

function announce({ config, log, services }: Program, setUpLink: string | undefined) {
  const settings = services.settings.current();
  log.info("server.listening", {
    host: config.host,
    port: config.port,
    baseUrl: config.baseUrl,
    provider: settings.general.provider,
  });
  if (setUpLink) {
    console.log(`\n  Create the first admin account (link works once, for 24 hours):\n\n    ${setUpLink}`);
  }
  // What this process registers is compared with the others.
  void services.processes.register().then(() => logStartWarnings(services, Deno.env.toObject()));
  if (!isSandbox(settings)) return;
  console.log(`
  cfbe is running with the sandbox provider: no real email is sent.

    Demo page      ${config.baseUrl}/demo
    Admin          ${config.baseUrl}/admin
    Sandbox inbox  ${config.baseUrl}/sandbox
`);
}
