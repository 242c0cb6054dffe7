/** The server under the restrictions of Deno Deploy: no writes, no commands, a remote KV and several instances. */
import assert from "node:assert/strict";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { type RunningProgram, waitUntil } from "../program.ts";
import { SALT, startInstance } from "./instance.ts";
import { startRemoteKv } from "./remote_kv.ts";

const SOON_MS = 10_000;
/** The delay in the documentation. */
const SYNCED_WITHIN_MS = 15_000;

function subscribe(program: RunningProgram, email: string, headers: Record<string, string> = {}) {
  const cfbe_token = issueToken(createKeyring([SALT]), Date.now() - 10_000);
  return fetch(program.baseUrl + NAMESPACE + "/subscribe", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ source: "shortcode", email, cfbe_token }),
  });
}

async function codeOf(response: Promise<Response>): Promise<string> {
  return (await (await response).json()).code;
}

Deno.test("a signup is delivered and confirmed without writing files or running commands", async () => {
  await using kv = await startRemoteKv();
  const begun = performance.now();
  await using program = await startInstance(kv.env);
  console.log(`    cold start against a remote KV: ${Math.round(performance.now() - begun)} ms`);
  assert.equal(await codeOf(subscribe(program, "auto@example.com")), "pending");
  await waitUntil(
    "the record is active",
    SOON_MS,
    async () => (await program.status("auto@example.com"))[0]?.record.status === "active",
  );
  assert.doesNotMatch(program.log(), /NotCapable|PermissionDenied|"level":"error"/);
});

Deno.test("after a deactivation on one instance, another one without cron jobs rejects signups within 15 seconds", async () => {
  await using kv = await startRemoteKv();
  await using first = await startInstance(kv.env);
  await using second = await startInstance(kv.env, { without: ["no_cron"] });
  assert.equal(await codeOf(subscribe(second, "ann@example.com")), "pending");
  assert.match(await first.cfbe("deactivate", "--yes"), /./);
  console.log(await first.cfbe("deactivate", "--yes"));
  const begun = Date.now();
  await waitUntil("the second instance rejects signups", SYNCED_WITHIN_MS, async () => {
    const { active } = await second.json<{ active: boolean }>("/readyz");
    return !active;
  });
  console.log(`    rejected after ${Date.now() - begun} ms`);
  assert.equal(await codeOf(subscribe(second, "ben@example.com")), "rejected");
});

Deno.test("instances with a newer Deno and with Deploy's Deno read each other's rows", async () => {
  await using kv = await startRemoteKv();
  await using newer = await startInstance(kv.env, { runtime: Deno.execPath() });
  await using older = await startInstance(kv.env);
  assert.equal(await codeOf(subscribe(newer, "ann@example.com")), "pending");
  assert.equal(await codeOf(subscribe(older, "ben@example.com")), "pending");
  assert.equal((await older.status("ann@example.com")).length, 1);
  assert.equal((await newer.status("ben@example.com")).length, 1);
});

Deno.test("without remote addresses from the runtime, visitors are distinguished by Deploy's header", async () => {
  await using kv = await startRemoteKv();
  await using program = await startInstance(kv.env, { without: ["no_peer"] });
  const from = (address: string, n: number) =>
    codeOf(subscribe(program, `v${n}@example.com`, { "x-deno-client-address": address }));
  for (let n = 0; n < 5; n++) assert.equal(await from("198.51.100.7", n), "pending");
  assert.equal(await from("198.51.100.7", 5), "rate_limited");
  assert.equal(await from("198.51.100.8", 6), "pending");
  assert.equal((await fetch(`${program.baseUrl}/readyz`).then((answer) => answer.json())).ok, true);

  await (await subscribe(program, "nobody@example.com")).body?.cancel();
  const ready = await fetch(`${program.baseUrl}/readyz`);
  assert.deepEqual([ready.status, (await ready.json()).visitorIps], [503, false]);
});

Deno.test("a preview without secrets starts without the real site's data and provider, and logs that", async () => {
  await using program = await startInstance({
    CFBE_SALT: "",
    CFBE_API_TOKEN: "",
    DENO_TIMELINE: "preview/abc",
    CFBE_PROVIDER: "bluefox",
    CFBE_PROVIDER_API_KEY: "the real key",
  });
  assert.match(program.log(), /"event":"preview.ephemeral"/);
  assert.doesNotMatch(program.log(), /the real key/);
});

Deno.test("without an assigned database, the start fails with instructions, instead of storing signups on the instance", async () => {
  await assert.rejects(startInstance({}), /no database is assigned to this app[^]*Assign a KV database/);
});
