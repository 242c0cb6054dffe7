/**
 * A measured server: the complete program of a checkout, which may be another one than this, on its embedded database.
 * Imports only types from the server, so that the folder decides which version runs.
 *
 * Arguments: the checkout's folder, and `jobs` to start the job runner. The environment configures the program.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveCommands } from "./commands.ts";
import { readsSinceLastCall } from "./counted_reads.ts";
import { liveMemory } from "./live_memory.ts";
import { recordCommits } from "./recorded_commit.ts";
import { roundTripsSinceLastCall } from "./round_trips.ts";
import { postSignup, SAMPLE } from "./signups.ts";

const TICK_MS = 60_000;

const [folder = "", jobs] = Deno.args;
const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
const { bootstrap } = await load(
  "server/program/bootstrap.ts",
) as typeof import("../../server/program/bootstrap.ts");
const { listenNode } = await load(
  "server/platform/http/listen/node_listener.ts",
) as typeof import("../../server/platform/http/listen/node_listener.ts");

const program = await bootstrap(Deno.env.toObject(), {
  file: {
    // The list's ID is as long as those of the provider.
    settings: { general: { defaultList: "65f000000000000000000001" }, privacy: { ipSource: "x-real-ip" } },
    filters: { cfbe_signup_site_limit: () => 0 },
  },
});
const app = await program.createApp();
await program.tick();
if (jobs === "jobs") {
  program.runner.start();
  setInterval(() => program.tick(), TICK_MS);
}
const { port } = await listenNode({
  port: 0,
  hostname: "127.0.0.1",
  handle: (request, peer) => app.fetch(request, peer === undefined ? {} : { peer }),
  log: program.log,
  isShared: () => true,
});

await serveCommands({ url: `http://127.0.0.1:${port}` }, {
  memory: liveMemory,
  reads: readsSinceLastCall,
  roundTrips: (port) => roundTripsSinceLastCall(Number(port)),
  /** Returns the paths of the admin's pages. */
  async pages() {
    const registry = await load(
      "server/admin/page_registry.ts",
    ) as typeof import("../../server/admin/page_registry.ts");
    return registry.pages.map(({ path }) => path);
  },
  attackMode: (mode) =>
    program.services.settings.save("privacy", { ipSource: "x-real-ip", attackMode: mode }),
  /** Replaces the named forms by those in the argument: JSON, encoded as a part of a URL. */
  forms: (encoded) =>
    program.services.settings.save("forms", { forms: JSON.parse(decodeURIComponent(encoded)) }),
  /** Returns the commit of one accepted signup. */
  async sample(token) {
    const { path, headers, body } = postSignup(SAMPLE, token);
    const commits = await recordCommits(async () => {
      const request = new Request(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
      const response = await app.fetch(request, { peer: "127.0.0.1" });
      if (!response.ok) throw new Error(`The sample was not accepted: ${await response.text()}`);
    });
    if (commits.length !== 1) throw new Error(`A signup must be one commit, but made ${commits.length}`);
    return commits[0];
  },
});
