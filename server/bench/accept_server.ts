/**
 * The measured server: the complete program on its embedded database, without a job runner. Prints on its
 * first line its URL, a form token, and the commit of one accepted signup.
 */
import { bootstrap } from "../bootstrap.ts";
import { listenNode } from "../http/listen/node_listener.ts";
import { issueToken } from "../keys/form_token.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { recordCommits, type RecordedCommit } from "./recorded_commit.ts";

/** The first line of output. */
export interface Announced {
  url: string;
  token: string;
  /** The commit of the sample signup. */
  commit: RecordedCommit;
}

/** Has the same length as the addresses of the load. */
export const SAMPLE = { email: "visitor-00000000@site.example", ip: "10.100.100.100" };

if (import.meta.main) await serve(Deno.args[0]!);

async function serve(database: string): Promise<void> {
  const program = await bootstrap({ CFBE_KV: database, CFBE_ANSWER_FLOOR_MS: "0" }, {
    file: {
      settings: { privacy: { ipSource: "x-real-ip" } },
      filters: { cfbe_signup_site_limit: () => 0 },
    },
  });
  const app = await program.createApp();
  const token = issueToken(program.services.keyring, Date.now() - 10_000);
  const { port } = await listenNode({
    port: 0,
    hostname: "127.0.0.1",
    handle: (request, peer) => app.fetch(request, peer === undefined ? {} : { peer }),
    log: program.log,
    isShared: () => true,
  });
  const url = `http://127.0.0.1:${port}${NAMESPACE}/subscribe`;
  const commits = await recordCommits(async () => {
    const response = await app.request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-real-ip": SAMPLE.ip },
      body: JSON.stringify({ source: "shortcode", email: SAMPLE.email, cfbe_token: token }),
    }, { peer: "127.0.0.1" });
    if (!response.ok) throw new Error(`The sample was not accepted: ${await response.text()}`);
  });
  if (commits.length !== 1) throw new Error(`A signup must be one commit, but made ${commits.length}`);
  console.log(JSON.stringify({ url, token, commit: commits[0]! } satisfies Announced));
}
