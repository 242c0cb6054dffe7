import assert from "node:assert/strict";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { deliverJob } from "../../signup/delivery/job.ts";
import { consentOf } from "../../signup/record/consents.ts";
import { putSignup } from "../../signup/record/record.ts";
import type { Signup } from "../../signup/record/row.ts";
import { startFaulty } from "../../../dev/testing/faulty/faulty.ts";
import { startProgram } from "../../../dev/testing/program.ts";

Deno.test("after a 429 on a read, neither that delivery nor another one sends a request to the account", async () => {
  const limited = () => new Response("slow down", { status: 429, headers: { "retry-after": "600" } });
  await using front = await startFaulty(limited);
  const env = {
    CFBE_PROVIDER: "listmonk",
    CFBE_PROVIDER_URL: front.url,
    CFBE_PROVIDER_API_KEY: "user:token",
  };
  await using program = await startProgram({ env, run: false });
  const { provider } = program.services;
  const first = await provider.status({ list: "1", email: "ada@example.com" });
  assert.equal(front.received.length, 1);
  const others = await Promise.all([
    provider.subscribe({ list: "1", email: "ada@example.com" }, { tags: [] }),
    provider.status({ list: "1", email: "bob@example.com" }),
    provider.lists(),
  ]);
  assert.equal(front.received.length, 1);
  for (const result of [first, ...others]) {
    assert.ok(result.kind === "trouble" && result.code === "rate_limited" && !result.unknown);
    assert.ok(result.retryAfterMs! > 599_000 && result.retryAfterMs! < 661_000, `${result.retryAfterMs}`);
  }
});

Deno.test("after a restart, what became due meanwhile is not sent all at once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-pause-" });
  await using front = await startFaulty(() => new Response("down", { status: 503 }));
  const env = {
    CFBE_KV: `${folder}/cfbe.kv`,
    CFBE_PROVIDER: "listmonk",
    CFBE_PROVIDER_URL: front.url,
    CFBE_PROVIDER_API_KEY: "user:token",
  };
  try {
    {
      await using before = await startProgram({ env, run: false });
      const { kv, clock, random } = before.services;
      for (let n = 0; n < 20; n++) await queueOverdue({ kv, clock, random }, `p${n}@example.com`);
    }
    await using after = await startProgram({ env, run: false });
    const start = performance.now();
    after.runner.start();
    while (performance.now() - start < 1_000) await new Promise((resolve) => setTimeout(resolve, 50));
    const { length } = front.received;
    // Five per second at first.
    assert.ok(length > 1 && length < 12, `${length} requests`);
    await after.runner.drain(10_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Stores a signup whose delivery has been due for a minute. */
async function queueOverdue(deps: { kv: Kv; clock: Clock; random: Random }, email: string) {
  const at = deps.clock.now() - 60_000;
  const consent = { given: false, locale: "en", ip: null };
  const signup: Signup = { email, list: "1", provider: "listmonk", tags: [], source: "shortcode", consent };
  const job = deliverJob({ email, list: "1" }, { id: email, source: "shortcode", at });
  await cas(deps.kv, { job: jobKey(job.id) }, (entries) => ({
    value: undefined,
    write(tx) {
      putSignup(tx, null, signup, consentOf(signup, email, at));
      addJob(tx, entries.job, { ...job, due: at }, at);
    },
  }), deps);
}
