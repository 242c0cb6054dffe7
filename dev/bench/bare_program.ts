/**
 * What a signup costs at least: a server that makes one bare commit for each request and then the two calls of a delivery,
 * with nothing that cfbe does. Its port, commit and calls are those of the runtime.
 *
 * Arguments: the database file and the URL of the provider's API.
 */
import { openBareCommits } from "./bare_commits.ts";
import { serveCommands } from "./commands.ts";
import fixed from "./fixed_commit.json" with { type: "json" };
import type { RecordedCommit } from "./recorded_commit.ts";

const [file = "", provider = ""] = Deno.args;
const commits = await openBareCommits(file, fixed as RecordedCommit);
const subscribers = `${provider}/v1/projects/a-project/subscriber-lists/a-list/subscribers`;
const headers = { authorization: "Bearer a-key-for-benchmarks", "content-type": "application/json" };

async function deliver(email: string): Promise<void> {
  const body = JSON.stringify({ email, tags: [] });
  await (await fetch(subscribers, { method: "POST", headers, body })).json();
  await (await fetch(`${subscribers}/${encodeURIComponent(email)}`, { headers })).json();
}

const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
  const { email } = await request.json() as { email: string };
  await commits.commitOne();
  void deliver(email);
  return Response.json({ success: true });
});
await serveCommands({ url: `http://127.0.0.1:${server.addr.port}` }, {});
