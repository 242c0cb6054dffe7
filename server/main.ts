/** The program: the only file that does something when it is imported. */
import { bootstrap } from "./bootstrap.ts";
import { ConfigError, isLoopback } from "./config.ts";
import { DatabaseInUse } from "./kv/open.ts";

/** A host gives a process this long after SIGINT or SIGTERM: for the visitors there are, for jobs, in all. */
const ANSWER_MS = 2_000;
const DRAIN_MS = 2_500;
const LAST_MS = 5_000;

const program = await bootstrap(Deno.env.toObject()).catch((error) => {
  // What an operator can mend is a sentence; a stack trace is for what we have to mend.
  if (!(error instanceof ConfigError || error instanceof DatabaseInUse)) throw error;
  console.error(error.message);
  Deno.exit(1);
});
const { config, log, runner } = program;
const app = await program.createApp();

// Deno Deploy reads crons off the top level of the entry module. One does for all: it fires what is due.
Deno.cron("cfbe sweep", "* * * * *", () => program.tick());
await program.tick();
const setUp = await program.services.admin.openSetUp();
runner.start();

const server = Deno.serve(
  { port: config.port, onListen: announce },
  (request, info) => app.fetch(request, { peer: info.remoteAddr.hostname }),
);

let draining = false;
async function drain() {
  // Task runners pass a signal on twice, milliseconds apart.
  if (draining) return;
  draining = true;
  setTimeout(() => Deno.exit(1), LAST_MS);
  // First whoever has asked is answered: that takes the database.
  await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
  await program.close(DRAIN_MS);
  Deno.exit(0);
}
Deno.addSignalListener("SIGTERM", drain);
Deno.addSignalListener("SIGINT", drain);

function announce() {
  log.info("listening", { port: config.port, baseUrl: config.baseUrl, provider: config.provider });
  if (setUp) console.log(`\n  Make the first admin, once and within a day:\n\n    ${setUp}`);
  if (config.provider !== "sandbox") return;
  if (!isLoopback(config.baseUrl)) {
    log.warn("sandbox.public", {
      message: "The sandbox sends no mail at all. Set CFBE_PROVIDER before real visitors sign up.",
    });
  }
  console.log(`
  cfbe is running with the sandbox provider: nothing is mailed to anybody.

    Demo page      ${config.baseUrl}/demo
    Admin          ${config.baseUrl}/admin
    Sandbox inbox  ${config.baseUrl}/sandbox
`);
}
