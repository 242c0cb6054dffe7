/** A KV Connect server whose answers are lost, or that is down, while somebody signs up. */
import assert from "node:assert/strict";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { keys } from "../../server/platform/kv/keys.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import type { KvKey } from "../../server/platform/kv/port.ts";
import type { MailRow } from "../../server/sandbox/account/rows.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { runProgram, waitUntil } from "../program.ts";
import { startRemoteKv } from "./remote_kv.ts";

const SALT = "a salt for tests, long enough to be one";
const EMAIL = "ann@example.com";

/** What happens to a commit: it is made, its answer is lost, or it does not arrive. */
type Commits = "made" | "answer lost" | "not arrived";

/** Passes requests on to the server. While commits fail, it accepts them and answers none. */
function startProxy(target: string) {
  let commits: Commits = "made";
  const held = new Set<PromiseWithResolvers<Response>>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const isHeld = pathname.endsWith("atomic_write") && commits !== "made";
    const body = request.method === "POST" ? await request.arrayBuffer() : null;
    if (isHeld && commits === "not arrived") return await hold();
    const headers = new Headers(request.headers);
    headers.delete("host");
    const response = await fetch(target + pathname, { method: request.method, headers, body });
    if (!isHeld) return response;
    await response.body?.cancel();
    return await hold();
  });
  function hold(): Promise<Response> {
    const one = Promise.withResolvers<Response>();
    held.add(one);
    return one.promise;
  }
  return {
    address: `http://127.0.0.1:${server.addr.port}`,
    set(next: Commits) {
      commits = next;
      // The client sends again what has got such an answer.
      if (next === "made") {
        for (const { resolve } of held) resolve(new Response("try again", { status: 503 }));
        held.clear();
      }
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

for (const fault of ["answer lost", "not arrived"] as const) {
  Deno.test(`who got 503 during an outage of the database and signs up again has one signup and one email (commit: ${fault})`, async () => {
    await using kv = await startRemoteKv();
    const { DENO_KV_DEFAULT_PATH: address, DENO_KV_ACCESS_TOKEN } = kv.env;
    await using proxy = startProxy(address);
    await using program = await runProgram({
      CFBE_KV: proxy.address,
      DENO_KV_ACCESS_TOKEN,
      CFBE_SALT: SALT,
    });
    const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
    const signUp = async () => {
      const response = await fetch(program.baseUrl + NAMESPACE + "/subscribe", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "shortcode", email: EMAIL, cfbe_token }),
      });
      await response.body?.cancel();
      return response.status;
    };
    proxy.set(fault);
    assert.equal(await signUp(), 503);
    proxy.set("made");
    await waitUntil("the retry is accepted", 30_000, async () => await signUp() === 200);

    Deno.env.set("DENO_KV_ACCESS_TOKEN", DENO_KV_ACCESS_TOKEN);
    const database = await openKv(address);
    try {
      const rows = <Row>(prefix: KvKey) =>
        Array.fromAsync(database.kv.list<Row>({ prefix }), ({ value }) => value);
      await waitUntil("the signup is delivered", 60_000, async () => {
        const [signup] = await program.status(EMAIL);
        return signup?.record?.status === "pending" && signup.jobs.length === 0;
      });
      assert.equal((await program.status(EMAIL)).length, 1);
      assert.deepEqual((await rows<MailRow>(keys.sandboxMails())).map(({ to }) => to), [EMAIL]);
    } finally {
      database.close();
    }
  });
}
