/** The suite of all engines, and a burst, on a real KV Connect server. */
import assert from "node:assert/strict";
import { kvConformance } from "../../server/platform/kv/conformance.ts";
import { openKv } from "../../server/platform/kv/open.ts";
import { startRemoteKv } from "../deploy/remote_kv.ts";
import { denokv } from "../deploy/tools.ts";
import { NO_SITE_LIMIT, runTwoProcesses, visitor } from "../two_processes.ts";
import { mailsIn } from "./mails.ts";

const isInstalled = await Deno.stat(denokv).then(() => true, () => false);
if (!isInstalled) console.error("denokv is not installed: deno run -A e2e/deploy/bring_tools.ts");

if (isInstalled) {
  const server = await startRemoteKv();
  const address = server.env.DENO_KV_DEFAULT_PATH;
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.env.DENO_KV_ACCESS_TOKEN);
  kvConformance({
    name: "denokv",
    async open() {
      const opened = await openKv(address);
      return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
    },
  });
  Deno.test.afterAll(async () => await server[Symbol.asyncDispose]());
}

Deno.test(
  "a burst of 400 visitors at two processes on denokv is accepted, and each gets one email",
  { ignore: !isInstalled, sanitizeOps: false, sanitizeResources: false },
  async () => {
    await using server = await startRemoteKv();
    const { DENO_KV_DEFAULT_PATH: CFBE_KV, DENO_KV_ACCESS_TOKEN } = server.env;
    await using processes = await runTwoProcesses({ CFBE_KV, DENO_KV_ACCESS_TOKEN }, NO_SITE_LIMIT);
    const all = Array.from({ length: 400 }, (_, n) => visitor(n));
    const statuses = await Promise.all(all.map(async (one, n) => {
      const response = await processes.signUp(n, one);
      await response.body?.cancel();
      return response.status;
    }));
    assert.deepEqual(statuses.filter((status) => status !== 200), []);
    Deno.env.set("DENO_KV_ACCESS_TOKEN", DENO_KV_ACCESS_TOKEN);
    await using mails = await mailsIn(CFBE_KV);
    await mails.settled();
    assert.deepEqual((await mails.read()).toSorted(), all.map(({ email }) => email).toSorted());
  },
);
